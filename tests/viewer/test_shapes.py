"""Bodies without shapes get sensible ones: no body hides another."""

import numpy as np

import flexor as fx
from flexor.spatial import quaternion_to_matrix
from flexor.viewer.of_model import scene_of_model
from tests.viewer.conftest import body_of


def slider_crank() -> fx.Model:
    """As in the README."""
    crank = fx.RigidBody("crank", mass=1.2, inertia=(2e-3, 2e-3, 4e-3), markers={"pin": ("80 mm", 0, 0)})
    rod = fx.RigidBody("rod", mass=0.8, inertia=(1e-4, 6e-3, 6e-3), center_of_mass=(0.15, 0, 0))
    piston = fx.RigidBody("piston", mass=0.5)
    joints = [
        fx.Revolute("main", fx.ground, crank, axis="z"),
        fx.Cylindrical("pin", crank["pin"], rod, axis="z"),
        fx.Spherical("wrist", rod.at(0.3, 0, 0), piston),
        fx.Prismatic("bore", fx.ground, piston, axis="x"),
    ]
    return fx.Model("slider-crank", [crank, rod, piston, *joints], gravity=(0, -9.81, 0))


def test_a_sliding_body_is_a_block_that_the_rod_does_not_hide():
    scene = scene_of_model(slider_crank())
    (block,) = body_of(scene, "piston")["shapes"]
    size = scene.header["glyph_size"] * np.array(block["size"])
    ball = max(shape["size"][0] for shape in body_of(scene, "rod")["shapes"] if shape["kind"] == "sphere")
    assert block["kind"] == "box"
    assert size.min() > 2 * ball  # the end of the rod is inside
    along = quaternion_to_matrix(np.array(block["orientation"]))[:, 2]
    assert np.allclose(np.abs(along), [1, 0, 0])


def test_bars_of_long_and_short_bodies_are_about_equally_thick():
    scene = scene_of_model(slider_crank())
    crank, rod = (
        next(s["size"] for s in body_of(scene, name)["shapes"] if s["kind"] == "cylinder") for name in ("crank", "rod")
    )
    assert rod[1] / crank[1] > 3.5
    assert rod[0] / crank[0] < 2
    assert 0.01 < rod[0] / rod[1] < 0.05


def pendulum() -> fx.Model:
    rod = fx.RigidBody("rod", mass=1, inertia=1e-2, center_of_mass=(0.15, 0, 0), markers={"tip": (0.3, 0, 0)})
    return fx.Model("pendulum", [rod, fx.Revolute("pin", fx.ground, rod, axis="z")])


def test_the_hinge_of_a_single_bar_is_not_inside_its_ball():
    scene = scene_of_model(pendulum())
    ball = max(s["size"][0] for s in body_of(scene, "rod")["shapes"] if s["kind"] == "sphere")
    glyph = next(each for each in scene.header["items"] if each["name"] == "pin")["glyph"]
    pin = max(part["size"][1] for part in glyph if part["kind"] == "cylinder")
    assert scene.header["glyph_size"] * pin / 2 > 1.2 * ball


def chain(links: int) -> fx.Model:
    items: list[object] = []
    before = fx.ground
    for i in range(links):
        link = fx.RigidBody(f"link {i}", mass=1, inertia=1e-3, center_of_mass=(0.05, 0, 0))
        items += [link, fx.Revolute(f"joint {i}", before.at(0.1, 0, 0) if i else before, link, axis="zy"[i % 2])]
        before = link
    return fx.Model("chain", items)


def test_the_joints_of_a_long_chain_do_not_bury_its_links():
    """A hinge is 1.8 glyph sizes long; links are 0.1 m long whatever the length of the chain."""
    sizes = [scene_of_model(chain(links)).header["glyph_size"] for links in (2, 60)]
    assert 1.8 * max(sizes) < 0.06
    assert min(sizes) > 0.004


def test_signs_between_small_bodies_far_apart_keep_the_proportion_of_the_scene():
    """Two weights of 10 mm, 1 m apart: signs of 2.5 mm could not be seen."""
    weights = [
        fx.RigidBody(f"w{i}", mass=1, inertia=1e-5, position=(i, 0, 0), shapes=[fx.Box(0.01, 0.01, 0.01)])
        for i in range(2)
    ]
    scene = scene_of_model(fx.Model("pair", [*weights, fx.AxialSpring("spring", *weights, stiffness=1)]))
    assert 0.025 < scene.header["glyph_size"] < 0.035
