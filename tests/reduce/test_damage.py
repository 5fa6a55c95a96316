"""Damaged files of reduced bodies: one FileError that names the file, never a hang, a crash or another body."""

from pathlib import Path

import pytest

from flexor.reduce import CraigBampton, ReducedBody, reduce_mesh
from tests.damage import cut, flipped
from tests.reduce.bodies import rod
from tests.watchdog import OK, REFUSED, watch


def read(path: Path) -> float:
    body = ReducedBody.load(path)
    return float(body.K.sum() + body.M.sum() + body.shapes.sum()) + len(body.mesh.blocks)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("bodies") / "rod.reduced.h5"
    reduce_mesh(rod(), {"left": "x_min", "right": "x_max"}, CraigBampton(3), use_cache=False).save(path)
    return path.read_bytes()


def test_a_body_that_was_changed_or_cut_is_refused(data, tmp_path):
    every = [*flipped(data, 150), *cut(data, 20), data + b"\0"]
    found = list(watch("tests.reduce.test_damage:read", [data, *every], tmp_path))
    assert found[0][0] == OK
    assert {outcome for outcome, _ in found[1:]} == {REFUSED}


def test_a_body_whose_seal_was_removed_is_refused(data, tmp_path):
    """Without it nothing says that HDF5 will come back."""
    found = list(watch("tests.reduce.test_damage:read", flipped(data[512:], 30), tmp_path))
    assert {outcome for outcome, _ in found} == {REFUSED}
