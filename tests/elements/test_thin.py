"""Parts one layer of linear tetrahedra or wedges thick, which hardly bend, are told."""

import pytest

import flexor as fx
from flexor.elements.quality import quality
from flexor.elements.thin import one_layer
from flexor.mesh.generate import bar, plate


def sheet(element):
    return plate(0.2, 0.08, 0.002, (10, 4, 1), element=element, material=fx.Steel())


@pytest.mark.parametrize("element", ["tet4", "wedge6"])
def test_sheets_that_hardly_bend_are_told(element):
    mesh = sheet(element)
    stiff, right = (fx.MeshStudy(each, fix=["x_min"]).modes(1).frequencies[0] for each in (mesh, sheet("hex20")))
    assert stiff > 2 * right
    assert f"{element} in one layer: far too stiff in bending" in str(quality(mesh))
    body = fx.FlexibleBody("sheet", mesh=mesh, interfaces={"root": "x_min"}, reduction=fx.CraigBampton(2))
    told = str(fx.Model("m", [body, fx.Fixed("clamp", fx.ground, body["root"])]).check())
    assert f"{element} elements thick" in told
    assert "mesh it with" in told


@pytest.mark.parametrize("element", ["hex8", "hex20", "tet10", "wedge15"])
def test_sheets_that_bend_are_not(element):
    assert one_layer(sheet(element)) == {}


def test_stout_parts_are_not():
    assert one_layer(bar(0.3, 0.1, 0.1, (12, 6, 6), element="tet4", material=fx.Steel())) == {}
