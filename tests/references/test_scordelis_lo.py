"""Scordelis–Lo roof: membrane and bending together.

Deflection over −0.3020326 (soft diaphragm, Richardson limit in the record), n × n elements on a quarter:

    n        4       8      16      32      64
    shell4   1.0718  1.0152  1.0002  0.9969  0.9974
    shell3   1.1113  1.0261  1.0030  0.9975  0.9972
"""

from __future__ import annotations

import pytest

from tests.references.conftest import Reference
from tests.references.shells import scordelis_lo

COARSE = {"shell4": 1.0152, "shell3": 1.0261}


@pytest.mark.parametrize("element", ["shell3", "shell4"])
def test_scordelis_lo(element: str, reference: Reference) -> None:
    record = reference.record("scordelis_lo")
    parameters, tolerance = record["parameters"], record["tolerance"]["rel"]
    refined = record["reference"]["refined"]
    for hard in (False, True):
        limit = refined["hard" if hard else "soft"]
        assert scordelis_lo(element, 32, parameters, hard) == pytest.approx(limit, rel=tolerance)
    # the classic value too, and a coarse mesh as in the table above
    assert scordelis_lo(element, 16, parameters) == pytest.approx(
        record["reference"]["w_midpoint_free_edge"], rel=tolerance
    )
    assert scordelis_lo(element, 8, parameters) / refined["soft"] == pytest.approx(COARSE[element], abs=1e-4)
