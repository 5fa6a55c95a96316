"""What is taken for an unstable integration, and what is not."""

import numpy as np
import pytest

from flexor.cosim.tlm.blow_up import BlowUp
from flexor.cosim.tlm.line import TransmissionLine

N = np.arange(200)
NOISE = 1e-16 * np.random.default_rng(0).standard_normal(200)


@pytest.mark.parametrize(
    ("velocity", "found"),
    [
        ((-1.05) ** N, True),
        (1.05**N * np.cos(2 * N), True),
        (1.1**N, False),  # a motor
        (1.1**N * np.cos(0.3 * N), False),  # flutter
        (NOISE + np.where(N > 100, (-1.0) ** N, 0.0), False),  # a shock, and a line that rings
        ((-1.0) ** N * N / 200, False),
        (1e100 ** (N / 199), True),
    ],
)
def test_growth_from_sample_to_sample(velocity: np.ndarray, found: bool) -> None:
    end = BlowUp(TransmissionLine(1e-3, 100.0), 1)
    v = velocity[:, None]
    for part in np.array_split(np.arange(200), 7):
        end.take(1e-3 * part, v[part], 150 * v[part])
    assert end.found == found


def test_the_energy_that_an_end_feeds() -> None:
    """−f v = (u² − w²)/4Z with f = Z v − u."""
    end, v = BlowUp(TransmissionLine(1e-3, 100.0), 1), np.full((81, 1), 2.0)
    end.take(1e-3 * np.arange(81), v, np.full((81, 1), 150 * 2.0))
    assert end.fed == pytest.approx(0.08 * 50 * 2.0 * 2.0)
