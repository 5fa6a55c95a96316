"""The header and what the page knows of it name the same fields."""

import re
from pathlib import Path

import pytest

from flexor.viewer.of_run import scene_of_run
from flexor.viewer.scene import HEADER
from flexor.viewer.show import scene_of
from tests.viewer.conftest import swing

PROTOCOL = Path(__file__).parents[2] / "web/src/protocol.ts"
pytestmark = pytest.mark.skipif(not PROTOCOL.is_file(), reason="web/ is not beside the package")


def fields(name: str) -> dict[str, bool]:
    """Fields of an interface, and whether each may be left out."""
    (body,) = re.findall(rf"export interface {name} {{\n(.*?)\n}}", PROTOCOL.read_text(), re.S)
    plain = re.sub(r"/\*\*.*?\*/", "", body, flags=re.S)
    return {field: bool(optional) for field, optional in re.findall(r"^  (\w+)(\??):", plain, re.M)}


def agree(name: str, sent: dict) -> None:
    known = fields(name)
    assert set(sent) <= set(known), name
    assert {field for field, optional in known.items() if not optional} <= set(sent), name


def test_fields_of_the_header(mast, swung):
    assert set(HEADER) <= set(fields("Header"))
    for header in (scene_of_run(mast).header, scene_of_run(swung).header):
        agree("Header", header)
        for name, many in (
            ("BodyData", "bodies"),
            ("ItemData", "items"),
            ("ArrowData", "arrows"),
            ("SignalData", "signals"),
        ):
            for each in header[many]:
                agree(name, each)
        for body in header["bodies"]:
            for each in body["shapes"]:
                agree("Primitive", {key: value for key, value in each.items() if key != "box"})
            for each in body["markers"]:
                agree("MarkerData", each)
            if body["mesh"]:
                agree("MeshData", body["mesh"])
                for each in body["mesh"]["fields"]:
                    agree("Field", each)
            if body["beam"]:
                agree("BeamData", body["beam"])
        for item in header["items"]:
            for each in item["ends"]:
                agree("Place", each)
            for each in item["glyph"]:
                agree("Primitive", each)


def test_fields_of_modes():
    for each in scene_of(swing("superelement").modes(2)).header["modes"]:
        agree("ModeData", each)
