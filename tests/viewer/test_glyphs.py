"""Every member of a registry has a glyph, and a new one gets one from what it says of itself."""

import pkgutil
from typing import ClassVar, Literal

import numpy as np
import pytest

import flexor as fx
from flexor.bodies import BODIES, Body
from flexor.control.block import ControlBlock
from flexor.forces import UserLaw
from flexor.joints.joint import AxisJoint, Joint
from flexor.model.items import ITEMS
from flexor.viewer import glyphs
from flexor.viewer.bodies import Bodies
from flexor.viewer.buffers import Buffers
from flexor.viewer.ends import Ends
from flexor.viewer.glyphs import glyph_of, has_file
from flexor.viewer.glyphs.cam import along, plate
from flexor.viewer.glyphs.glyph import BETWEEN
from flexor.viewer.show import scene_of
from tests.laws.samples import MECHANISM, samples_of
from tests.model.examples import ONE_OF_EACH

KINDS = [kind for kind in (*ITEMS, UserLaw) if kind not in BODIES]
SHARED = {"block", "glyph", "plain", "wheel"}
SIZES = {
    "box": 3,
    "cylinder": 2,
    "sphere": 1,
    "cone": 2,
    "ring": 2,
    "coil": 2,
    "damper": 1,
    "arrow": 1,
    "frame": 1,
    "plane": 2,
    "line": 0,
    "curve": 0,
    "surface": 0,
}
"""Kinds of primitives in glyphs, and how many sizes each has."""


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if not issubclass(kind, Joint | ControlBlock)], ids=lambda kind: kind.__name__
)
def test_every_kind_has_a_file(kind):
    """But joints, whose free motions draw them until they have one, and blocks, which share one."""
    name = kind.model_fields["type"].default
    assert has_file(name), f"write src/flexor/viewer/glyphs/{name}.py with a function draw, as those beside it"


def test_every_file_belongs_to_a_kind():
    files = {each.name for each in pkgutil.iter_modules(glyphs.__path__)} - SHARED
    assert files <= {kind.model_fields["type"].default for kind in KINDS}


SAMPLES = samples_of(*[kind for kind in KINDS if kind is not UserLaw])


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])
def test_every_sample_is_drawn(sample):
    item = sample.declaration
    glyph = glyph_of(item, {**MECHANISM, item.name: item})
    assert glyph.primitives
    for each in glyph.primitives:
        assert len(each["size"]) == SIZES[each["kind"]]
        assert np.all(np.isfinite(each["size"]))
        assert ("points" in each) == (each["kind"] == "curve")
        assert each["end"] == BETWEEN or each["end"] >= 0


def test_every_item_of_a_model_stands_on_its_bodies():
    """Each has ends; each primitive and arrow names one of them."""
    bodies = Bodies(ONE_OF_EACH, Buffers(), notes := [])
    finder, items = Ends(bodies), {item.name: item for item in ONE_OF_EACH.items}
    assert not notes
    for item in (item for item in ONE_OF_EACH.items if not isinstance(item, Body)):
        ends, glyph = finder.of(item), glyph_of(item, items)
        assert ends, item.name
        needed = [max(each["ends"]) if each["end"] == BETWEEN else each["end"] for each in glyph.primitives]
        assert max(needed) < len(ends), item.name
        assert all(arrow.at < len(ends) for arrow in glyph.arrows)


def test_a_model_with_one_of_each_is_shown():
    scene = scene_of(ONE_OF_EACH)
    drawn = {item["name"]: item["glyph"] for item in scene.header["items"]}
    assert all(drawn.values())
    assert len(drawn) + len(scene.header["bodies"]) - 1 == len(ONE_OF_EACH.items)


class Skate(AxisJoint):
    """A joint that nobody has drawn."""

    type: Literal["skate_for_tests"] = "skate_for_tests"
    translations: ClassVar[str] = "x"
    rotations: ClassVar[str] = "z"
    variables: ClassVar[tuple[str, ...]] = ("x", "angle")


def test_a_new_joint_is_drawn_by_its_free_motions():
    glyph = glyph_of(Skate("skate", fx.ground, "b"), {})
    assert [each["kind"] for each in glyph.primitives] == ["box", "arrow", "ring"]
    assert len(glyph.arrows) == 2


def test_the_curve_of_a_cam_is_its_profile():
    radius = np.linalg.norm(along(fx.Profile.circle(0.3)), axis=1)
    assert radius == pytest.approx(np.full(len(radius), 0.3))
    arrays = plate(along(fx.Profile.circle(0.3)), True, np.eye(3))["arrays"]
    X = arrays["vertices"][arrays["triangles"]]
    volume = np.einsum("ti,ti->", X[:, 0], np.cross(X[:, 1], X[:, 2])) / 6
    assert volume == pytest.approx(np.pi * 0.3**2 * 0.12 * 0.6, rel=0.03)
    line = along(fx.Profile(((0, 0), (1, 0), (1, 2)), kind="lines"))
    assert line[[0, -1]] == pytest.approx(np.array([[0, 0, 0], [1, 2, 0]]))


@pytest.mark.parametrize(
    ("stiffness", "damping", "kinds"), [(1, 0, {"coil"}), (0, 1, {"damper"}), (1, 1, {"coil", "damper"})]
)
def test_springs_are_coils_and_dampers_are_dampers(stiffness, damping, kinds):
    spring = fx.AxialSpring("s", fx.ground, "b", stiffness=stiffness, damping=damping)
    found = {each["kind"] for each in glyph_of(spring, {}).primitives if each["end"] == BETWEEN}
    assert found == kinds
