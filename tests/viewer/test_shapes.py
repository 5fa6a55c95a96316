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
