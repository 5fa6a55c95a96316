"""Lines: their parameters, side effects, waves in time, and the energy that runs through them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from flexor.cosim.tlm.end import LineEnd, PointMotion, Sample
from flexor.cosim.tlm.line import TransmissionLine
from flexor.cosim.tlm.passivity import passivity
from flexor.cosim.tlm.waves import TooEarly, Waves
from flexor.errors import ModelError


def test_steel_cube_of_nak_23_9() -> None:
    line = TransmissionLine.of_block(0.1)
    assert line.delay == pytest.approx(2e-5, rel=0.05)
    assert line.impedance == pytest.approx(210e9 * 0.1 * 0.1 / 5180)  # 4.05e5; (23-9) prints half of its own E L₀ T
    assert line.rotary == pytest.approx(0.25 * line.impedance * 0.01)
    assert line.stiffness == pytest.approx(210e9 * 0.1)  # E L₀
    assert line.rotational_stiffness == pytest.approx(210e9 * 0.1**3 / 4)
    density = 210e9 / 5180**2
    assert line.parasitic_mass == pytest.approx(density * 0.1**3)  # ρ A L₀
    assert line.standing_waves(2) == pytest.approx([1 / (2 * line.delay), 1 / line.delay])


def test_stiffness_and_delay_with_a_filter() -> None:
    line = TransmissionLine.of_stiffness(1e6, 1e-4, 20.0, alpha=0.2)
    assert line.stiffness == pytest.approx(1e6)
    assert line.rotational_stiffness == pytest.approx(20.0)
    assert line.parasitic_mass == pytest.approx(line.impedance * 1e-4 / 0.8)
    best = line.with_delay(line.recommended_delay(3.0, 1.0))
    assert best.stiffness == pytest.approx(1e6)
    assert best.shares(3.0, 1.0) == pytest.approx([0.01 / 3, 0.01])


@pytest.mark.parametrize("wrong", [{"delay": 0.0}, {"impedance": -1.0}, {"rotary": math.nan}, {"alpha": 1.0}])
def test_lines_that_carry_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ModelError, match="give"):
        TransmissionLine(**{"delay": 1e-4, "impedance": 1.0, **wrong})


def test_waves_are_interpolated_and_nothing_is_guessed() -> None:
    waves = Waves(0.5)
    for t, w in ((0.0, 2.0), (0.1, 4.0), (0.4, 1.0)):
        waves.receive(t, (w,))
    assert waves.at(-3.0)[0] == waves.at(0.3)[0] == 2.0  # as at the start, for ever before
    assert waves.at(0.55)[0] == pytest.approx(3.0)
    assert waves.at(0.75)[0] == pytest.approx(2.5)
    assert waves.known_until == pytest.approx(0.9)
    with pytest.raises(TooEarly, match="has not been sent yet"):
        waves.at(0.91)
    times, values = waves.between(0.55, 0.8)
    assert times == pytest.approx([0.55, 0.6, 0.8])
    assert [v[0] for v in values] == pytest.approx([3.0, 4.0, 2.0])
    waves.receive(0.4, (7.0,))  # told twice
    assert waves.at(0.9)[0] == 1.0


def test_the_filter_lets_slow_waves_pass_and_delays_them() -> None:
    waves = Waves(0.1, alpha=0.2)
    for i in range(401):
        waves.receive(0.01 * i, (0.01 * i,))  # a ramp
    assert waves.at(4.0)[0] == pytest.approx(4.0 - 0.1 / 0.8, abs=1e-9)  # later by T/(1 − α) in all


class Point:
    """A mass that moves along a line, with a spring, a damper and a load; exact in its linear equations by scipy's matrix exponential."""

    def __init__(self, end: LineEnd, mass: float, stiffness: float, damping: float, load: float, step: float) -> None:
        self.end, self.load = end, load
        Z = end.line.impedance
        A = np.zeros((4, 4))
        A[0, 1] = 1.0
        A[1] = [-stiffness / mass, -(damping + Z) / mass, 1.0 / mass, 0.0]  # state x, v, force, its rate
        A[2, 3] = 1.0
        self.E, self.h = expm(A * step), step
        self.y = np.zeros(4)
        self.t = 0.0
        self.rows = [[0.0, 0.0, 0.0, 0.0]]

    def step(self) -> None:
        w0, w1 = self.end.waves.at(self.t)[0], self.end.waves.at(self.t + self.h)[0]
        self.y[2], self.y[3] = w0 + self.load, (w1 - w0) / self.h
        self.y = self.E @ self.y
        self.t += self.h
        self.rows.append([self.t, self.y[0], self.y[1], self.end.leaving(self.t, self.motion).wave[0]])

    @property
    def motion(self) -> PointMotion:
        return PointMotion((self.y[0],), (self.y[1],))


def exchange(a: Point, b: Point, steps: int) -> None:
    for me, other in ((a, b), (b, a)):
        me.end.receive(other.end.begin(other.t, other.motion))
    for _ in range(steps):
        exchange_on(a, b)


def exchange_on(a: Point, b: Point) -> None:
    a.step()
    b.step()
    for me, other in ((a, b), (b, a)):
        t, x, v, u = other.rows[-1]
        me.end.receive(Sample(t, PointMotion((x,), (v,)), (u,)))


SPRING_DAMPERS = {  # tlm_spring_dampers: OMTLMSimulator, OmcOmcSpringDampers
    "21kg": {1: 0.47467552, 2: 1.00541062, 3: 0.31221594, 5: 0.48791901, 10: 0.5971109},
    "20kg": {1: 0.49285200655, 2: 0.96764259307, 3: 0.34297295894, 5: 0.46527352675, 10: 0.6184058885},
    "alpha0p2": {1: 0.47034454, 2: 1.01414352, 3: 0.30602526, 5: 0.49620591, 10: 0.5953103},
}


def monolith(mass: float) -> dict[int, float]:
    """100 N from t = 0.5 s on a mass that a spring and a damper hold; the left spring only passes the load on."""

    def rates(t: float, y: np.ndarray) -> list[float]:
        return [y[1], ((100.0 if t >= 0.5 else 0.0) - 150 * y[0] - 10 * y[1]) / mass]

    found = solve_ivp(rates, (0.5, 10.0), [0.0, 0.0], rtol=1e-10, atol=1e-12, t_eval=[1, 2, 3, 5, 10])
    return dict(zip((1, 2, 3, 5, 10), found.y[0].tolist(), strict=True))


@pytest.mark.parametrize(
    ("alpha", "published", "mass", "tolerance"), [(0.0, "21kg", 21.0, 1e-4), (0.2, "alpha0p2", 21.25, 1e-3)]
)
def test_spring_dampers_have_the_parasitic_mass(alpha: float, published: str, mass: float, tolerance: float) -> None:
    line = TransmissionLine(1e-4, 1e4, alpha=alpha)
    assert 20 + line.parasitic_mass == pytest.approx(mass)
    a = Point(LineEnd(line, 1), 10.0, 0.0, 0.0, 0.0, 1e-4)
    b = Point(LineEnd(line, 1), 10.0, 150.0, 10.0, 0.0, 1e-4)
    exchange(a, b, 5000)
    a.load = 100.0
    expected, whole = SPRING_DAMPERS[published], monolith(mass)
    for second in (1, 2, 3, 5, 10):
        while b.t < second - 1e-6:
            exchange_on(a, b)
        assert b.y[0] == pytest.approx(expected[second], abs=tolerance)
        assert b.y[0] == pytest.approx(whole[second], abs=tolerance)
    assert abs(whole[1] - SPRING_DAMPERS["20kg"][1]) > 100 * tolerance or alpha
    assert abs(b.y[0] - a.y[0]) < 1e-3  # the line is stiff
    for balance in passivity(line, np.array(a.rows), np.array(b.rows), 1):
        assert balance.passed > 1.0
        assert abs(balance.gained) < 1e-9 * balance.passed


def test_a_rod_wave_is_reflected_at_its_times() -> None:
    """A rod of L/c = T, one end held, the other pushed by a constant force: a velocity step F/Z comes back after 2T with reversed sign."""
    T, Z, F = 1e-3, 50.0, 10.0
    line = TransmissionLine(T, Z)
    held, pushed = LineEnd(line, 1), LineEnd(line, 1)
    held.receive(pushed.begin(0.0, PointMotion((0.0,), (0.0,))))
    pushed.receive(held.begin(0.0, PointMotion((0.0,), (0.0,))))
    h, speeds, reactions = T / 4, [], []
    for i in range(1, 41):
        t = i * h
        v = (pushed.waves.at(t)[0] + F) / Z  # no mass: 0 = F + w − Z v
        speeds.append(v)
        reactions.append(held.force(t, PointMotion((0.0,), (0.0,)))[0])
        left, right = held.leaving(t, PointMotion((0.0,), (0.0,))), pushed.leaving(t, PointMotion((0.0,), (v,)))
        held.receive(right)
        pushed.receive(left)
    n = np.arange(1, 41)
    later = n > 1  # the first sample begins the step, which is linear over one quarter of T
    # v = ±F/Z, alternating every 2T; the reaction at the held end 2F, 0, 2F … from T on
    plus = ((n - 2) // 8) % 2 == 0
    at_corner = (n - 1) % 8 == 0
    inside = later & ~at_corner
    assert np.allclose(np.array(speeds)[inside], np.where(plus, F / Z, -F / Z)[inside])
    assert reactions[3] == 0.0
    assert reactions[5] == pytest.approx(2 * F)
    assert reactions[14] == pytest.approx(0.0)


def test_a_shaft_that_turns_keeps_its_bending_moment() -> None:
    """Two ends that turn as one with a moment fixed in the shaft: torques are opposite, whatever the delay."""
    line = TransmissionLine(1e-3, 10.0, 0.5)
    spin, moment = 300.0, np.array([2.0, 0.0, 0.0])

    def turned(t: float) -> np.ndarray:
        c, s = math.cos(spin * t), math.sin(spin * t)
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])

    ends = LineEnd(line), LineEnd(line)
    tilt = np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])  # the second interface has other axes
    axes = (np.eye(3), tilt)

    def motion(i: int, t: float) -> PointMotion:
        return PointMotion((0, 0, 0), (0, 0, 0), tuple((turned(t) @ axes[i]).ravel()), (0, 0, spin))

    first = [end.begin(0.0, motion(i, 0.0), (0, 0, 0, *((1 - 2 * i) * moment))) for i, end in enumerate(ends)]
    ends[0].receive(first[1])
    ends[1].receive(first[0])
    for k in range(1, 200):
        t = k * 1e-3
        told = [np.array(end.force(t, motion(i, t))) for i, end in enumerate(ends)]
        assert told[0][3:] == pytest.approx(turned(t) @ moment, abs=1e-9)
        assert told[1][3:] == pytest.approx(-turned(t) @ moment, abs=1e-9)
        sent = [end.leaving(t, motion(i, t)) for i, end in enumerate(ends)]
        ends[0].receive(sent[1])
        ends[1].receive(sent[0])


def test_uniform_motion_needs_no_force() -> None:
    line = TransmissionLine(1e-3, 10.0, 0.5, 0.2)
    ends = LineEnd(line), LineEnd(line)
    v = (3.0, -1.0, 0.2)
    sent = [end.begin(0.0, PointMotion((0, 0, 0), v)) for end in ends]
    for k in range(1, 30):
        ends[0].receive(sent[1])
        ends[1].receive(sent[0])
        t = k * 7e-4
        here = PointMotion(tuple(t * c for c in v), v)
        assert np.abs(ends[0].force(t, here)).max() < 1e-12
        sent = [end.leaving(t, here) for end in ends]


def test_energy_stays_bounded_over_a_million_exchanges() -> None:
    """Two masses and a lossless line, at the samples' own times: the energy of masses and waves is kept."""
    T, Z, m1, m2 = 1e-3, 200.0, 1.0, 2.0
    v1, v2, w1, w2 = 1.0, -0.3, 0.0, 0.0
    line = TransmissionLine(T, Z)
    w1, w2 = Z * v2, Z * v1

    def energy() -> float:
        return 0.5 * m1 * v1**2 + 0.5 * m2 * v2**2 + T * (w1**2 + w2**2) / (4 * Z)

    first, worst = energy(), 0.0
    for k in range(1_000_000):
        # trapezoidal step of each mass under f = w − Z v with the wave constant over the step
        n1 = (v1 * (m1 - Z * T / 2) + T * w1) / (m1 + Z * T / 2)
        n2 = (v2 * (m2 - Z * T / 2) + T * w2) / (m2 + Z * T / 2)
        w1, w2, v1, v2 = Z * (v2 + n2) - w2, Z * (v1 + n1) - w1, n1, n2
        if k % 1000 == 0:
            worst = max(worst, abs(energy() - first))
    assert line.parasitic_mass == pytest.approx(0.2)
    assert worst < 1e-9 * first


def test_an_end_that_invents_energy_is_seen() -> None:
    line = TransmissionLine(1e-3, 10.0)
    a, b = Point(LineEnd(line, 1), 1.0, 0.0, 0.0, 5.0, 5e-4), Point(LineEnd(line, 1), 1.0, 90.0, 0.0, 0.0, 5e-4)
    exchange(a, b, 400)
    good = passivity(line, np.array(a.rows), np.array(b.rows), 1)
    assert not any(balance.gains for balance in good)
    rows = np.array(b.rows)
    rows[:, 3] = 2 * 10.0 * rows[:, 2] - 1.05 * (2 * 10.0 * rows[:, 2] - rows[:, 3])  # takes waves for 5 % more
    from_a, _ = passivity(line, np.array(a.rows), rows, 1)
    assert from_a.gains
    assert from_a.gained == pytest.approx((1.05**2 - 1) * from_a.passed, rel=1e-6)


def test_ends_forget_what_is_past_and_keep_the_energy() -> None:
    """Ends themselves, 10⁵ exchanges of two masses and a lossless line: memory stays bounded, and so does the energy."""
    T, Z, masses = 1e-3, 50.0, (1.0, 2.0)
    ends = LineEnd(TransmissionLine(T, Z), 1), LineEnd(TransmissionLine(T, Z), 1)
    v = [1.0, 1.0]
    sent = [end.begin(0.0, PointMotion((0.0,), (u,))) for end, u in zip(ends, v, strict=True)]
    v[0] = 1.5  # struck
    kinetic = []
    for k in range(1, 100_001):
        ends[0].receive(sent[1])
        ends[1].receive(sent[0])
        for i, (end, m) in enumerate(zip(ends, masses, strict=True)):
            w0, w1 = end.waves.at((k - 1) * T)[0], end.waves.at(k * T)[0]
            v[i] = (v[i] * (m - Z * T / 2) + T * (w0 + w1) / 2) / (m + Z * T / 2)
        sent = [end.leaving(k * T, PointMotion((0.0,), (u,))) for end, u in zip(ends, v, strict=True)]
        if k % 1000 == 0:
            kinetic.append(0.5 * masses[0] * v[0] ** 2 + 0.5 * masses[1] * v[1] ** 2)
    assert max(kinetic) < 0.5 * 1.5**2 + 0.5 * 2 + 0.5 * Z * T  # never more than there was, with the line's own
    assert max(kinetic[-20:]) == pytest.approx(max(kinetic[:20]), rel=0.02)  # nor does it go away
    assert len(ends[0].waves.times) < 1000
