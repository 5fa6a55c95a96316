"""The VTU series: files, times, points in space, fields."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from flexor.errors import FileError, ModelError
from flexor.recover import BodyHistory, StressHistory, export_vtu
from flexor.spatial import exp_so3
from tests.recover.bodies import resting, rod, sheet, swinging


def arrays(path):
    """name → values of a raw VTU file."""
    data = path.read_bytes()
    head, _, rest = data.partition(b'<AppendedData encoding="raw">\n_')
    found = {}
    for text in re.findall(rb"<DataArray[^>]*/>", head):
        about = ET.fromstring(text).attrib
        at = int(about["offset"])
        size = int.from_bytes(rest[at : at + 8], "little")
        kind = {"Float64": "<f8", "Int64": "<i8", "UInt8": "u1"}[about["type"]]
        values = np.frombuffer(rest[at + 8 : at + 8 + size], kind)
        found[about["Name"]] = values.reshape(-1, int(about.get("NumberOfComponents", 1))).squeeze()
    return found


def flying(body):
    still = swinging(body, 11)
    R = np.array([exp_so3([0, 0, t]) for t in still.times])
    return BodyHistory(body, still.times, np.outer(still.times, [1, 2, 3]), R, still.z)


def test_series_of_a_flying_rod(tmp_path):
    history = flying(rod())
    fields = ("displacement", "von_mises", "stress", "strain_principal_1")
    path = export_vtu(history, tmp_path / "out", every=5, fields=fields, exaggeration=50.0)
    assert path == tmp_path / "out" / "rod.pvd"
    entries = ET.parse(path).getroot().findall(".//DataSet")
    assert [float(e.attrib["timestep"]) for e in entries] == [0.0, history.times[5], 1.0]
    found = arrays(path.parent / entries[1].attrib["file"])
    assert np.allclose(found["points"], history.points(5, 50.0))
    assert np.allclose(found["displacement"], history.displacement(history.times[5])[:, :3])
    stress = StressHistory(history)
    assert np.allclose(found["von_mises"], stress.frame(history.times[5]), equal_nan=True)
    assert np.allclose(found["stress"], stress.tensor(history.times[5]), equal_nan=True)
    strain = StressHistory(history, "principal_1", quantity="strain").frame(history.times[5])
    assert np.allclose(found["strain_principal_1"], strain, equal_nan=True)


def test_in_the_axes_of_the_body(tmp_path):
    history = flying(sheet().scaled(length=2.0))
    fields = ("rotation", "von_mises")
    path = export_vtu(history, tmp_path, every=10, fields=fields, exaggeration=2.0, moving=False, surface="bottom")
    found = arrays(path.with_name("sheet_00001.vtu"))
    u = history.displacement(1.0)
    assert np.allclose(found["points"], history.reduced.nodes + 2 * u[:, :3])
    assert np.allclose(found["rotation"], u[:, 3:])
    assert np.allclose(found["von_mises"], StressHistory(history, surface="bottom").frame(1.0), equal_nan=True)


def test_messages(tmp_path):
    history = swinging(rod(), 3)
    with pytest.raises(ModelError, match="no field 'von_mise'; did you mean 'von_mises'"):
        export_vtu(history, tmp_path, fields=("von_mise",))
    with pytest.raises(ModelError, match="every = 0 writes nothing"):
        export_vtu(history, tmp_path, every=0)
    with pytest.raises(ModelError, match="reduced from matrices"):
        export_vtu(resting(replace(rod(), mesh=None), history.z), tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        export_vtu(history, tmp_path / "file" / "folder")
