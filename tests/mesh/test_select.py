"""Selections of nodes."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import TypeAdapter

from flexor.errors import ModelError
from flexor.mesh import generate, select
from flexor.mesh.select import SELECTIONS, Nearest, NodeSet, Numbered, Selection

TUBE = generate.tube("20 mm", "10 mm", "60 mm", (16, 2, 6), element="hex20")


def test_cylinder() -> None:
    wall = select.cylinder(at=(0, 0, 0), radius="10 mm", axis="z").nodes(TUBE)
    assert np.array_equal(wall, np.sort(TUBE.node_sets["inner"]))
    half = select.cylinder((0, 0, 0.01), 0.01, "z", length=0.02).nodes(TUBE)
    assert np.array_equal(half, [i for i in wall if TUBE.points[i, 2] < 0.0201])
    assert len(select.cylinder((0, 0, 0), 0.016, filled=True).nodes(TUBE)) > len(wall)
    across = select.cylinder((0, 0, 0), 0.01, (1, 0, 0), tolerance=1e-4).nodes(TUBE)
    assert np.allclose(np.hypot(*TUBE.points[across, 1:].T), 0.01, atol=1e-4)


def test_plane() -> None:
    assert np.array_equal(select.plane((5, 5, 0.06), "z").nodes(TUBE), np.sort(TUBE.node_sets["end"]))
    tilted = select.plane((0, 0, 0), (1, 1, 0)).nodes(TUBE)
    assert np.allclose(TUBE.points[tilted, 0], -TUBE.points[tilted, 1])


def test_sphere_and_box() -> None:
    r = np.linalg.norm(TUBE.points, axis=1)
    assert np.array_equal(select.sphere((0, 0, 0), 0.03, filled=True).nodes(TUBE), np.flatnonzero(r < 0.03 * 1.01))
    shell = select.sphere((0, 0, 0), "20 mm").nodes(TUBE)
    assert np.allclose(r[shell], 0.02, atol=2.1e-4)
    inside = select.box((0, 0, 0), (1, 1, 0.03)).nodes(TUBE)
    expected = np.all(TUBE.points > -1e-9, axis=1) & (TUBE.points[:, 2] < 0.0301)
    assert np.array_equal(inside, np.flatnonzero(expected))


def test_nearest_set_and_numbers() -> None:
    assert select.nearest((0.021, 0, 0)).nodes(TUBE).tolist() == Nearest((0.02, 0, 0)).nodes(TUBE).tolist()
    assert np.array_equal(NodeSet("end").nodes(TUBE), np.sort(TUBE.node_sets["end"]))
    assert Numbered((7, 3)).nodes(TUBE).tolist() == [2, 6]


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (select.cylinder((0, 0, 0), 5.0), r"no node lies there; the nearest, \d+, is 4.98 m away.*spans"),
        (select.plane((0, 0, 1), "z"), "is 0.94 m away"),
        (select.nearest((1, 0, 0), within=0.1), "no node lies there"),
        (NodeSet("ends"), "no node set 'ends'; did you mean 'end'"),
        (Numbered((99999,)), "no node 99999; its nodes are 1…"),
    ],
)
def test_nothing_found(selection, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        selection.nodes(TUBE)


def test_declarations() -> None:
    """Written to a file and read again they are the same; a bare name is a node set; mistakes are refused."""
    reader = TypeAdapter(Selection)
    examples = [
        select.cylinder((0.3, 0, 0), "10 mm", "z", length="5 mm"),
        select.plane((0, 0, 0), "-x"),
        select.sphere((0, 0, 0), 1.0),
        select.box((0, 0, 0), (1, 1, 1)),
        select.nearest((0, 0, 0)),
        NodeSet("bore"),
        Numbered((1, 2)),
    ]
    assert {type(each) for each in examples} == set(SELECTIONS)
    for each in examples:
        assert reader.validate_json(each.model_dump_json()) == each
    assert reader.validate_python("bore") == NodeSet("bore")
    with pytest.raises(ModelError):
        select.cylinder((0, 0, 0), -1.0)
