"""What the page shows of a run is what recovery gives: places, stress, forces."""

import numpy as np
import pytest

import flexor as fx
from flexor.engine.columns import NODE_SIGNALS
from flexor.mesh.generate import bar
from flexor.results.writer import RunWriter
from flexor.spatial import quaternion_to_matrix
from flexor.viewer.json_text import json_text
from flexor.viewer.of_run import scene_of_run
from flexor.viewer.scene import HEADER
from flexor.viewer.show import scene_of
from tests.viewer.conftest import HOSTILE, arm, body_of, row_of, shown_points, shown_stress, swing
from tests.viewer.test_shapes import chain

ROW = 37


def indices(history, ids):
    number = {int(each): i for i, each in enumerate(history.reduced.node_ids)}
    return [number[int(each)] for each in ids]


def test_vertices_are_where_the_nodes_are(swung):
    scene = scene_of_run(swung)
    body, history = body_of(scene, "arm"), swung.body("arm")
    ids = scene.buffers.array(body["mesh"]["nodes"])
    size = np.ptp(history.points(ROW), axis=0).max()
    shown = shown_points(scene, body, ROW)
    assert np.abs(shown - history.points(ROW)[indices(history, ids)]).max() < 1e-6 * size


def test_stress_is_that_of_recovery(swung):
    scene = scene_of_run(swung)
    body = body_of(scene, "arm")
    if not body["mesh"]["fields"]:
        assert swung.model["arm"].formulation == "rigid"
        assert body["mesh"]["modes"] == 0
        return
    history = swung.body("arm")
    stress = fx.StressHistory(history)
    wanted = stress.tensor(history.times[ROW])[indices(history, scene.buffers.array(body["mesh"]["nodes"]))]
    there = np.isfinite(wanted[:, 0])
    shown = shown_stress(scene, body, ROW)
    assert there.sum() >= 20
    assert np.abs(wanted[there]).max() > 1e6
    assert np.abs(shown - wanted)[there].max() < 2e-5 * stress.max().value
    assert np.abs(shown[~there]).max(initial=0.0) == 0


def test_whole_meshes_need_few_numbers():
    """(rows, shapes): the 51 rows of a whole mesh are sent by less than 20 shapes."""
    run = swing("full_mesh").dynamics(until=0.1, step=2e-3, show=False)
    mesh = body_of(scene_of_run(run), "arm")["mesh"]
    assert 1 <= mesh["modes"] < 20


def test_reactions_are_global_vectors(swung):
    """The clamp carries the weight: its force on B is m (a − g) less what pulls at it."""
    scene = scene_of_run(swung)
    arrow = next(each for each in scene.header["arrows"] if each["name"] == "clamp.force")
    shown = row_of(scene, ROW)[arrow["vector"] : arrow["vector"] + 3]
    a = swung["weight.acceleration"][ROW]
    wanted = 2 * (np.asarray(a) - np.array(swung.model.gravity)) - np.array([0, float(swung["pull.force"][ROW]), 0])
    assert shown == pytest.approx(wanted, rel=1e-3, abs=0.05)
    assert arrow["largest"] == pytest.approx(float(swung["clamp.force"].norm().max()), rel=1e-6)
    assert arrow["kind"] == "reaction"
    assert scene.header["items"][arrow["item"]]["name"] == "clamp"


def test_a_beam_is_shown_by_its_sections(mast):
    scene = scene_of_run(mast)
    body = body_of(scene, "mast")
    beam = body["beam"]
    assert beam["stations"] == 5
    poses = row_of(scene, ROW)[beam["poses"] : beam["poses"] + 35].reshape(5, 7)
    assert poses[4, :3] == pytest.approx(np.asarray(mast["mast.end.position"][ROW]), abs=1e-6)
    along = quaternion_to_matrix(poses[0, 3:])[:, 0]
    assert along == pytest.approx((0, 0, 1), abs=1e-3)
    ring = np.array(beam["outlines"][0])
    assert np.linalg.norm(ring, axis=1) == pytest.approx(np.full(len(ring), 0.02))
    foot = next(item for item in scene.header["items"] if item["name"] == "foot")
    assert [end.get("station") for end in foot["ends"]] == [None, 0]


def test_springs_pull_along_their_line(mast):
    scene = scene_of_run(mast)
    arrow = next(each for each in scene.header["arrows"] if each["name"] == "rope.force")
    shown = row_of(scene, ROW)[arrow["vector"] : arrow["vector"] + 3]
    line = np.asarray(mast["mast.end.position"][ROW]) - np.asarray(mast["bob.position"][ROW])
    wanted = float(mast["rope.force"][ROW]) * line / np.linalg.norm(line)
    assert shown == pytest.approx(wanted, rel=1e-5, abs=1e-4)


def test_header_has_every_field_and_is_strict_json(mast):
    scene = scene_of_run(mast)
    assert tuple(scene.header) == HEADER
    json_text(scene.header)
    assert scene.header["times"]["count"] == len(mast)
    assert np.frombuffer(scene.buffers.data(scene.header["times"]["buffer"])) == pytest.approx(mast.time)
    assert scene.signal("rope.force") == pytest.approx(mast["rope.force"].values)
    assert scene.header["up"] == [0, 0, 1]
    low, high = scene.header["box"]
    assert np.all(np.subtract(high, low) >= 0)
    assert high[2] == pytest.approx(1, abs=0.05)


def test_rows_come_in_any_portion(mast):
    scene = scene_of_run(mast)
    every = scene.frames(0, 10_000)
    assert every.shape == (len(mast), scene.header["frames"]["width"])
    assert np.array_equal(scene.frames(7, 5), every[7:12])
    assert len(scene.frames(len(mast), 5)) == 0
    assert len(scene.frames(3, 0)) == 0


def test_what_was_not_recorded_is_drawn_where_it_starts_and_said():
    a, b = fx.RigidBody("a", mass=1, inertia=1), fx.RigidBody("b", mass=1, inertia=1, position=(1, 2, 3))
    run = fx.Model("two", [a, b]).dynamics(until=0.1, step=0.05, show=False, record=["a"])
    scene = scene_of_run(run)
    at = body_of(scene, "b")["pose"]
    assert row_of(scene, 1)[at : at + 3] == pytest.approx((1, 2, 3))
    assert any("'b' was not recorded" in note for note in scene.header["notes"])


def test_bodies_without_shapes_get_sensible_ones():
    """A bar between its joints; where it has no length, a box of the same inertia: a² = 6 (J_y + J_z − J_x)/m."""
    crank = fx.RigidBody("crank", mass=2, inertia=(0.1, 0.1, 0.1))
    block = fx.RigidBody("block", mass=3, inertia=np.array([0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04]) * 3 / 12)
    dot = fx.PointMass("dot", 1)
    items = [
        *(crank, block, dot),
        fx.Revolute("main", fx.ground, crank),
        fx.Spherical("pin", crank.at(0.3, 0, 0), block),
        fx.AxialSpring("s", fx.ground.at(0, 1, 0), dot, stiffness=1),
    ]
    run = fx.Model("m", items).dynamics(until=0.01, step=0.01, show=False)
    scene = scene_of_run(run)
    link, *_ = body_of(scene, "crank")["shapes"]
    assert link["kind"] == "cylinder"
    assert link["size"][1] == pytest.approx(0.3)
    (box,) = body_of(scene, "block")["shapes"]
    assert sorted(box["size"]) == pytest.approx([0.1, 0.2, 0.3])
    assert body_of(scene, "dot")["kind"] == "point"
    assert all(shape["derived"] for body in scene.header["bodies"] for shape in body["shapes"])


def test_declared_shapes_are_drawn(tmp_path):
    ball = fx.RigidBody(
        "ball", mass=1, inertia=1, shapes=[fx.Sphere(0.2, color="red"), fx.Stl(str(tmp_path / "no.stl"))]
    )
    run = fx.Model("m", [ball]).dynamics(until=0.01, step=0.01, show=False)
    scene = scene_of_run(run)
    (sphere,) = body_of(scene, "ball")["shapes"]
    assert (sphere["kind"], sphere["size"], sphere["color"]) == ("sphere", [0.2], "red")
    assert any("cannot be drawn" in note for note in scene.header["notes"])


def test_cutbacks_and_failures_are_told(tmp_path):
    """A pendulum whose torque breaks off in a table that ends too early."""
    body = fx.RigidBody("body", mass=1, inertia=1)
    load = fx.PointTorque("load", on=body, direction="z", torque=fx.table([0, 0.05], [0, 1], extrapolation="error"))
    file = tmp_path / "m.flexor.h5"
    with pytest.raises(fx.FlexorError):
        fx.Model("m", [body, fx.Revolute("pin", fx.ground, body), load]).dynamics(
            until=0.2, step=0.01, show=False, file=file
        )
    scene = scene_of_run(fx.Run(file))
    assert scene.header["status"] == "failed"
    assert scene.header["warnings"][0]["text"]
    assert scene.header["warnings"][0]["time"] is not None


def test_gauges_sit_on_their_bodies_and_read():
    """Along the arm, on its upper face: the leg reads what the gauge does, its x axis is the arm's, z is outward."""
    run = swing("floating").dynamics(until=0.02, step=1e-3, show=False)
    gauge = fx.StrainGauge("g1", "arm", kind="triple 45", at=(0.2, 0, 0.005), direction="x")
    scene = scene_of(run, [gauge])
    (item,) = [each for each in scene.header["items"] if each["group"] == "gauges"]
    (end,) = item["ends"]
    assert end["position"] == pytest.approx((0.2, 0, 0.005), abs=1e-9)
    assert quaternion_to_matrix(end["orientation"]) == pytest.approx(np.eye(3), abs=1e-9)
    assert len(item["glyph"]) == 4
    assert scene.signal("g1.leg_1") == pytest.approx(run.gauge(gauge).legs[:, 0])
    assert scene.signal("pull.force") == pytest.approx(run["pull.force"].values)
    assert {"g1.leg_1", "g1.von_mises"} <= {each["name"] for each in scene.header["signals"]}
    with pytest.raises(fx.ModelError, match="no such body"):
        scene_of(run, [gauge.replace(body="leg")])


def test_a_run_whose_model_cannot_be_read_shows_its_frames(stored, monkeypatch):
    """As one with a law of the user's, which no file can carry."""

    def fails(run):
        raise fx.ModelError("a file cannot carry code")

    monkeypatch.setattr(fx.Run, "model", property(fails))
    scene = scene_of_run(fx.Run(stored.file))
    assert [body["name"] for body in scene.header["bodies"]] == ["ground", HOSTILE]
    assert "a file cannot carry code" in scene.header["notes"][0]
    assert scene.frames(0, 99).shape == (len(stored), 7)
    assert scene.header["signals"]


def test_a_run_without_rows_is_shown(tmp_path):
    writer = RunWriter(fx.Model("m", [fx.RigidBody("b", mass=1, inertia=1)]), {}, file=tmp_path / "m.flexor.h5")
    columns = [("time", "s"), *((f"b.{name}", unit) for name, unit in NODE_SIGNALS)]
    writer.open(columns, {})
    writer.close("failed", "it could not begin")
    scene = scene_of_run(fx.Run(tmp_path / "m.flexor.h5"))
    assert scene.header["frames"]["count"] == 0
    assert scene.frames(0, 5).shape[0] == 0
    assert scene.header["warnings"][0]["text"] == "it could not begin"


def test_a_body_whose_mesh_is_gone_is_drawn_without_it(tmp_path):
    path = tmp_path / "arm.inp"
    fx.write_inp(path, bar(1, 0.1, 0.1, (4, 1, 1), material=fx.Steel()))
    body = arm().replace(mesh=str(path))
    model = fx.Model("m", [body, fx.Fixed("root", fx.ground, body["root"])])
    file = tmp_path / "m.flexor.h5"
    model.dynamics(until=0.01, step=0.005, show=False, file=file)
    path.unlink()
    scene = scene_of_run(fx.Run(file))
    assert any("mesh" in note or "arm.inp" in note for note in scene.header["notes"])
    assert scene.frames(0, 9).shape[0] == 3


def test_a_scene_opens_the_file_a_few_times_however_many_forces_there_are(tmp_path, monkeypatch):
    """Every look at the length of a run opens its file: that of 500 joints took 15 s."""

    def opened(links: int) -> tuple[int, int]:
        run = chain(links).dynamics(until=2e-3, step=1e-3, show=False, file=tmp_path / f"{links}.flexor.h5")
        looks: list[int] = []
        look = type(run)._read
        with monkeypatch.context() as patch:
            patch.setattr(type(run), "_read", lambda self, what: (looks.append(1), look(self, what))[1])
            arrows = scene_of_run(run).header["arrows"]
        return len(looks), len(arrows)

    (few, small), (many, large) = opened(2), opened(12)
    assert large > small + 10
    assert many <= few + 2
