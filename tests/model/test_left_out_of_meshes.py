"""What the reader of a mesh file left out is told where a body of that mesh cannot be made."""

import pytest

import flexor as fx
from flexor.errors import ModelError

CUBE = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]


def deck(tied: bool) -> str:
    points = [(x + dx, y, z) for dx in (0, 1) for x, y, z in CUBE]
    nodes = "".join(f"{i}, {x}., {y}., {z}.\n" for i, (x, y, z) in enumerate(points, start=1))
    tie = "*TIE, NAME=glue\nRIGHT, LEFT\n"
    return (
        f"*NODE\n{nodes}*ELEMENT, TYPE=C3D8, ELSET=ALL\n1, 1, 2, 3, 4, 5, 6, 7, 8\n2, 9, 10, 11, 12, 13, 14, 15, 16\n"
        "*SURFACE, NAME=LEFT\n1, S4\n*SURFACE, NAME=RIGHT\n2, S6\n*NSET, NSET=A\n1, 4, 5, 8\n*NSET, NSET=B\n10, 11, 14, 15\n"
        "*MATERIAL, NAME=M\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.\n*SOLID SECTION, ELSET=ALL, MATERIAL=M\n"
        + tie
        * tied
    )


def test_a_tie_that_was_not_read_is_named_where_the_body_falls_apart(tmp_path):
    file = tmp_path / "tie.inp"
    file.write_text(deck(tied=True))
    body = fx.FlexibleBody("bar", mesh=str(file), interfaces={"a": "A", "b": "B"})
    report = fx.Model("m", [body]).check(raise_errors=False)
    line = deck(tied=True).splitlines().index("*TIE, NAME=glue") + 1
    assert "falls into 2 pieces" in str(report)
    assert f"tie.inp:{line})" in str(report)
    assert "*TIE" in str(report)
    file.write_text(deck(tied=False))
    with pytest.raises(ModelError, match="a contact or tie of the FE program that was not read"):
        fx.Model("m", [body.replace()]).check()
