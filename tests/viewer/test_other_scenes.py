"""Scenes of models, meshes, reduced bodies and modes."""

import numpy as np
import pytest

import flexor as fx
from flexor.elements.assembly.model import assemble
from flexor.mesh.generate import bar, plate
from flexor.reduce import natural_modes
from flexor.spatial import quaternion_to_matrix
from flexor.viewer.scene import HEADER
from flexor.viewer.show import scene_of, scene_of_file, thing_in
from tests.viewer.conftest import arm, body_of, row_of, shown_points, shown_stress, swing


def test_a_model_stands_as_its_joints_put_it():
    """A four-bar with its loop closed: the pins of the coupler meet those of the cranks."""
    a, b, c = (fx.RigidBody(name, mass=1, inertia=1) for name in "abc")
    items = [
        *(a, b, c),
        fx.Revolute("p", fx.ground, a, start="60 deg"),
        fx.Revolute("q", a.at(1, 0, 0), b),
        fx.Revolute("r", b.at(2, 0, 0), c.at(1, 0, 0)),
        fx.Revolute("s", fx.ground.at(2, 0, 0), c),
    ]
    model = fx.Model("four-bar", items)
    scene = scene_of(model)
    assert tuple(scene.header) == HEADER
    assert scene.frames(0, 9).shape[0] == 1
    placement = model.check(raise_errors=False).placement
    at = body_of(scene, "c")["pose"]
    assert row_of(scene, 0)[at : at + 3] == pytest.approx(placement.poses["c"].p, abs=1e-6)


def test_a_model_with_mistakes_is_shown_with_them():
    ball = fx.RigidBody("ball", mass=1)
    pin = fx.Revolute("pin", fx.ground, ball, axis="z")
    scene = scene_of(fx.Model("m", [ball, pin, pin.replace(name="pin 2", a=fx.ground.at(1, 1, 1))]))
    assert scene.header["warnings"]


def test_a_mesh_is_its_surface(tmp_path):
    mesh = bar(1, 0.2, 0.1, (4, 2, 2), material=fx.Steel())
    file = tmp_path / "bar.inp"
    fx.write_inp(file, mesh)
    scene = scene_of_file(file)
    assert scene.header["kind"] == "mesh"
    body = scene.header["bodies"][1]
    assert body["mesh"]["modes"] == 0
    X = shown_points(scene, body, 0)
    assert np.ptp(X, axis=0) == pytest.approx((1, 0.2, 0.1))
    assert np.subtract(*scene.header["box"][::-1]) == pytest.approx((1, 0.2, 0.1))


def test_a_reduced_body_shows_its_free_modes(tmp_path):
    """f = λ²/(2π ℓ²) √(EI/ρA) of a free beam, λ = 4.73; the reduced one lies within a few per cent."""
    reduced = arm(element="hex20").reduced
    file = reduced.save(tmp_path / "arm.reduced.h5")
    scene = scene_of_file(tmp_path / "arm.reduced.h5" if file is None else file)
    steel, h = fx.Steel(), 0.01
    expected = 4.73004**2 / (2 * np.pi * 0.4**2) * np.sqrt(steel.young * h**2 / 12 / steel.density)
    first = scene.header["modes"][0]["frequency"]
    assert first == pytest.approx(expected, rel=0.1)
    count = len(scene.header["modes"])
    assert scene.frames(0, 999).shape == (2 * count + 1, scene.header["frames"]["width"])
    body, rest = scene.header["bodies"][1], row_of(scene, 2 * count)
    assert rest[body["pose"] : body["pose"] + 7] == pytest.approx((0, 0, 0, 1, 0, 0, 0))
    z = row_of(scene, 0)[body["mesh"]["z"] :]
    u = np.tensordot(z, scene.buffers.array(body["mesh"]["shapes"]), axes=1)
    assert np.argmax(np.abs(u).max(axis=0)) == 2  # bends about its weak axis
    assert np.abs(row_of(scene, 1)).max() == 0


@pytest.mark.parametrize("formulation", ["superelement", "floating", "full_mesh"])
def test_modes_move_the_vertices_as_the_shapes_tell(formulation):
    """Motion of the tip in the picture is that of the interface in the shape, whatever the formulation."""
    model = swing(formulation).with_item(fx.JointSpring("spring", joint="pin", stiffness=200))
    modes = model.modes(4)
    scene = scene_of(modes)
    assert [mode["frequency"] for mode in scene.header["modes"]] == pytest.approx(list(modes.frequencies))
    body = body_of(scene, "arm")
    mesh, at = body["mesh"], body["pose"]
    clamp = next(item for item in scene.header["items"] if item["name"] == "clamp")
    tip = clamp["ends"][0]["node"]
    shapes = scene.buffers.array(mesh["shapes"]).astype(float)[:, tip]
    rest = row_of(scene, 8)
    R = quaternion_to_matrix(rest[at + 3 : at + 7])
    X = R @ scene.buffers.array(mesh["vertices"])[tip]
    moved, wanted = [], []
    for k in range(4):
        row = row_of(scene, 2 * k)
        u = R @ (row[mesh["z"] : mesh["z"] + mesh["modes"]] @ shapes)
        moved.append(row[at : at + 3] + np.cross(row[at + 3 : at + 6], X) + u)
        wanted.append(modes["arm.tip.position"][k])
    for shown, shape in zip(moved, wanted):
        factor = shown @ shape / (shape @ shape)
        assert factor > 0
        assert np.abs(shown - factor * shape).max() < 1e-3 * np.abs(shown).max()  # its arm is that of the straight one


def test_complex_modes_have_imaginary_rows():
    rotor = fx.RigidBody("rotor", mass=2, inertia=(0.1, 0.1, 0.15), angular_velocity=(0, 0, 100))
    model = fx.Model("rotor", [rotor, fx.Bushing("b", fx.ground, rotor, stiffness=(1e4, 1e4, 1e4, 50, 50, 0))])
    scene = scene_of(model.modes(4, at="start", complex=True))
    rows = scene.frames(0, 99)
    assert np.abs(rows[1:8:2]).max() > 0
    assert any(mode["whirl"] for mode in scene.header["modes"])


@pytest.mark.parametrize("formulation", ["superelement", "floating", "full_mesh"])
def test_an_equilibrium_shows_its_stress_and_forces(formulation):
    body = arm(formulation)
    model = fx.Model("cantilever", [body, fx.Fixed("wall", fx.ground, body["root"])], gravity=(0, 0, -9.81))
    rest = model.statics()
    scene = scene_of(rest)
    assert scene.frames(0, 9).shape[0] == scene.header["times"]["count"] == 1
    wall = next(arrow for arrow in scene.header["arrows"] if arrow["name"] == "wall.force")
    weight = 9.81 * body.made.mass_properties.mass
    assert row_of(scene, 0)[wall["vector"] : wall["vector"] + 3] == pytest.approx((0, 0, weight), rel=1e-4, abs=1e-3)
    history = rest.body("arm")
    shown = body_of(scene, "arm")
    number = {int(each): i for i, each in enumerate(history.reduced.node_ids)}
    own = [number[int(each)] for each in scene.buffers.array(shown["mesh"]["nodes"])]
    assert shown_points(scene, shown, 0) == pytest.approx(history.points(0)[own], abs=1e-7)
    wanted = fx.StressHistory(history).tensor()[own]
    there = np.isfinite(wanted[:, 0])
    assert shown_stress(scene, shown, 0)[there] == pytest.approx(wanted[there], abs=1e-4 * np.nanmax(np.abs(wanted)))


def test_a_moment_of_a_run(mast):
    scene = scene_of(mast.at(mast.time[10]))
    beam = body_of(scene, "mast")["beam"]
    last = row_of(scene, 0)[beam["poses"] + 28 : beam["poses"] + 31]
    assert last == pytest.approx(np.asarray(mast["mast.end.position"][10]), abs=1e-6)


def rotor() -> fx.Model:
    """A disc on a soft shaft."""
    shaft = fx.Beam("shaft", [(0, 0, 0), (0, 0, 1)], fx.Circle("15 mm"), fx.Steel(), divisions=4)
    disc = fx.RigidBody("disc", mass=10, inertia=(0.1, 0.1, 0.19))
    soft = {"stiffness": (1e6, 1e6, 1e6, 0, 0, 0)}
    return fx.Model(
        "rotor",
        [
            *(shaft, disc, fx.Fixed("fit", shaft["node 1"], disc)),
            *(
                fx.Bushing("left", fx.ground, shaft["start"], **soft),
                fx.Bushing("right", fx.ground.at(0, 0, 1), shaft["end"], **soft),
            ),
        ],
    )


def test_every_point_of_a_campbell_diagram_has_its_shape():
    """The disc goes round in circles, x = Re φ cos τ − Im φ sin τ, with the spin where the line whirls forward."""
    diagram = rotor().campbell(["0 rpm", "3000 rpm", "6000 rpm"], count=4, rotor="disc", axis="z")
    scene = scene_of(diagram)
    told = scene.header["campbell"]
    assert np.array(told["frequencies"]).shape == np.array(told["modes"]).shape == (4, 3)
    assert scene.frames(0, 999).shape[0] == 2 * 12 + 1
    at = body_of(scene, "disc")["pose"]
    senses = []
    for line in range(4):
        number = told["modes"][line][2]
        assert scene.header["modes"][number]["frequency"] == pytest.approx(diagram.frequencies[2, line])
        real, imaginary = (row_of(scene, 2 * number + part)[at : at + 2] for part in (0, 1))
        senses.append(
            np.sign(imaginary[0] * real[1] - real[0] * imaginary[1]) if abs(real).max() > 1e-6 else 0
        )  # x × ẋ
    wanted = [{"forward": 1, "backward": -1}.get(diagram.senses_of(line)[2], 0) for line in range(4)]
    assert senses == wanted
    assert {1, -1} <= set(senses)


def test_modes_of_a_mesh():
    mesh = bar(1, 0.1, 0.05, (6, 1, 1), material=fx.Steel())
    found = natural_modes(assemble(mesh), 8)
    scene = scene_of(found)
    assert [mode["kind"] for mode in scene.header["modes"]] == ["rigid"] * 6 + [""] * 2
    most = mesh.node_ids[np.argmax(np.abs(found.nodal[6, :, :3]).max(axis=1))]
    assert scene.header["modes"][6]["most"] == f"node {most}: z"  # the thin side bends first
    shapes = scene.buffers.array(scene.header["bodies"][1]["mesh"]["shapes"])
    assert np.abs(shapes).max(axis=(1, 2)) == pytest.approx(np.full(8, 0.05 * np.linalg.norm([1, 0.1, 0.05])), rel=1e-5)


def test_beams_move_in_modes(mast_model):
    scene = scene_of(mast_model.modes(3))
    beam = body_of(scene, "mast")["beam"]
    rest = row_of(scene, 6)[beam["poses"] : beam["poses"] + 35].reshape(5, 7)
    assert rest[-1, :3] == pytest.approx((0, 0, 1), abs=1e-2)
    assert len(beam["rest"]) == 5


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(fx.FileError, match="does not exist"):
        thing_in(tmp_path / "no.h5")
    with pytest.raises(fx.FileError, match="folder"):
        thing_in(tmp_path)


def test_a_whole_mesh_has_its_own_shape_at_every_point_of_a_campbell_diagram():
    """The tip of the shaft moves as the disc that is fixed to it."""
    mesh = bar("0.4 m", "20 mm", "20 mm", (4, 1, 1), element="hex8", material=fx.Steel())
    shaft = fx.FlexibleBody("shaft", mesh=mesh, interfaces={"root": "x_min", "tip": "x_max"}, formulation="full_mesh")
    disc = fx.RigidBody("disc", mass=2, inertia=(0.05, 0.025, 0.025), position=(0.4, 0, 0))
    joints = [fx.Revolute("pin", fx.ground, shaft["root"], axis="x"), fx.Fixed("clamp", shaft["tip"], disc)]
    model = fx.Model("rotor", [shaft, disc, *joints])
    scene = scene_of(model.campbell(["0 rpm", "300 rpm", "600 rpm"], count=3, rotor="disc", axis="x"))
    mesh, at = body_of(scene, "shaft")["mesh"], body_of(scene, "disc")["pose"]
    shapes = scene.buffers.array(mesh["shapes"]).astype(float)
    tip = scene.buffers.array(mesh["vertices"])[:, 0] > 0.399
    size = 0.0
    for row in range(2 * 9):
        values = row_of(scene, row)
        moved = np.tensordot(values[mesh["z"] : mesh["z"] + mesh["modes"]], shapes, axes=1)[tip].mean(axis=0)
        assert moved == pytest.approx(values[at : at + 3], abs=1e-5)
        size = max(size, np.abs(moved).max())
    assert size > 1e-3


def test_a_campbell_diagram_is_shown_without_its_critical_speeds(monkeypatch):
    """What keeps them from being found is a warning; all speeds are there."""
    diagram = rotor().campbell(["0 rpm", "3000 rpm"], count=4, rotor="disc", axis="z")

    def fails(self, order):
        raise fx.SolveError("no steady state was found at 2519 rpm")

    monkeypatch.setattr(type(diagram), "critical_told", fails)
    header = scene_of(diagram).header
    assert len(header["campbell"]["speeds"]) == 2
    assert [each["text"] for each in header["warnings"]] == ["no steady state was found at 2519 rpm"]


def test_whole_meshes_of_shells_have_stress_on_both_sides():
    mesh = plate(0.3, 0.1, 2e-3, (3, 1, 1), element="shell4", material=fx.Steel())
    sheet = fx.FlexibleBody("sheet", mesh=mesh, interfaces={"root": "x_min", "tip": "x_max"}, formulation="full_mesh")
    load = fx.PointForce("push", on=sheet["tip"], direction="z", force=fx.sine(3, frequency=50))
    model = fx.Model("m", [sheet, fx.Fixed("wall", fx.ground, sheet["root"]), load])
    run = model.dynamics(until=0.01, step=5e-4, show=False)
    scene = scene_of(run)
    fields = body_of(scene, "sheet")["mesh"]["fields"]
    assert [field["name"] for field in fields] == ["stress", "stress at the bottom of shells"]
    shown = body_of(scene, "sheet")["mesh"]
    row = len(run) - 1
    z = row_of(scene, row)[shown["z"] : shown["z"] + shown["modes"]]
    numbers = scene.buffers.array(shown["nodes"])
    xx = {}
    for field, side in zip(fields, ("top", "bottom")):
        stress = np.tensordot(z, scene.buffers.array(field["shapes"]).astype(float), axes=1)
        wanted = fx.StressHistory(run.body("sheet"), "xx", surface=side)
        own = [wanted.at(node=int(node)).values[row] for node in numbers[:4]]
        size = np.abs(stress).max()
        assert stress[:4, 0] == pytest.approx(own, abs=1e-4 * size)
        xx[side] = stress[:, 0]
    assert xx["top"] == pytest.approx(-xx["bottom"], abs=0.1 * size)  # it bends
    assert np.abs(xx["top"]).max() > 0.5 * size
