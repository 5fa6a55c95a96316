"""Damage and life: Miner's sum by hand, of arrays, gauges and all nodes of a body; load events; what is refused."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import rainflow as package
from hypothesis import given
from hypothesis import strategies as st

import flexor as fx
from flexor.mesh.generate import bar
from flexor.recover import StrainGauge, StressHistory
from tests.recover.bodies import HEIGHT, LENGTH, WIDTH, clamped, resting, rod

TABLE = fx.SNCurve([(1e5, "200 MPa"), (1e7, "60 MPa")], last_slope=9)
CURVE = TABLE.replace(slope=TABLE.first_slope)
HISTORIES = st.lists(st.integers(-200, 200).map(lambda v: 1e6 * v), min_size=3, max_size=40)


def noise(columns=7, rows=400):
    rng = np.random.default_rng(0)
    return 1e6 * np.cumsum(rng.normal(size=(rows, columns)), axis=0) * rng.uniform(2, 20, columns)


def times(values):
    return np.linspace(0, 2, len(values))


def by_hand(values, curve=CURVE):
    """Σ count/N with half cycles of the rainflow package, N from the points of the curve."""
    N, S = np.log(np.array(curve.points).T)
    total = 0.0
    for size, _, count, _, _ in package.extract_cycles(list(values)):
        if size == 0:
            continue
        s = np.log(size)
        first = (N[1] - N[0]) / (S[0] - S[1])
        n = N[1] + (curve.last_slope or np.inf) * (S[1] - s) if s < S[1] else N[0] + first * (S[0] - s)
        total += count * np.exp(-n)
    return total


def test_one_cycle_by_hand():
    """A sine of 100 MPa amplitude: range 200 MPa, 10⁵ cycles; 2 s of it are 4 cycles, life is 2/(4/10⁵) s."""
    t = np.linspace(0, 2, 8001)
    damage = fx.damage_of(100e6 * np.sin(2 * np.pi * 2 * t), CURVE, time=t)
    assert damage.at() == pytest.approx(4e-5)
    assert damage.max().life == pytest.approx(25000)
    assert damage.max().life_time == pytest.approx(50000)
    np.testing.assert_allclose(damage.life_time, 50000)
    assert damage.largest[0] == pytest.approx(200e6)


@given(HISTORIES)
def test_damage_is_the_sum_by_hand(values):
    found = fx.damage_of(np.array(values), CURVE, time=times(values), residue="half")
    assert found.values[0] == pytest.approx(by_hand(values), rel=1e-9, abs=1e-300)


def test_columns_one_by_one_and_together():
    x = noise()
    expected = [by_hand(column) for column in x.T]
    for layout in (x, np.asfortranarray(x), x[::1].copy()):
        found = fx.damage_of(layout, CURVE, time=times(x), residue="half")
        np.testing.assert_allclose(found.values, expected, rtol=1e-9)
        np.testing.assert_allclose(found.highest, x.max(axis=0))
        np.testing.assert_allclose(found.lowest, x.min(axis=0))
    assert found.max().row == int(np.argmax(expected))
    assert found.max().label == f"column {np.argmax(expected) + 1}"


def test_cycles_add_up_to_the_damage():
    found = fx.damage_of(noise(), CURVE, time=times(noise()))
    for k in range(7):
        cycles = found.cycles(k)
        assert cycles.damages.sum() == pytest.approx(found.at(k))
        np.testing.assert_allclose(cycles.damages, cycles.counts / CURVE.cycles(cycles.ranges))
    assert found.cycles().damages.sum() == pytest.approx(found.max().value)


@given(HISTORIES, st.sampled_from([2, 4]))
def test_damage_does_not_change_with_the_time_grid(values, parts):
    """Between two rows stress is a straight line: more rows on it change nothing."""
    t = times(values)
    fine = np.interp(np.linspace(0, 2, parts * (len(t) - 1) + 1), t, values)
    plain, refined = (fx.damage_of(np.array(x), CURVE, time=times(x)).at() for x in (values, fine))
    assert refined == pytest.approx(plain, rel=1e-9)


def test_damage_of_a_smooth_signal_converges():
    """Peaks are missed by O(h²)."""
    damages = []
    for rows in (200, 400, 800, 25600):
        t = np.linspace(0, 2, rows + 1)
        damages.append(fx.damage_of(1e8 * (np.sin(19 * t) + 0.5 * np.cos(47 * t)), CURVE, time=t, residue="half").at())
    errors = np.abs(np.array(damages[:3]) / damages[3] - 1)
    assert errors[2] < errors[0] / 8
    assert errors[2] < 2e-3


def test_mean_stress_shortens_life():
    t = np.linspace(0, 1, 1001)
    curve = fx.SNCurve.basquin("100 MPa", 5, cycles=1e6, quantity="amplitude", ratio=-1)
    x = 100e6 * np.cos(2 * np.pi * t) + 100e6  # R = 0
    life = {
        correction: fx.damage_of(x, curve, time=t, mean_stress=correction).max().life
        for correction in ("none", "swt", fx.Goodman("500 MPa"), fx.FKM(0.2))
    }
    assert life["none"] == pytest.approx(1e6)
    assert life["swt"] == pytest.approx(1e6 / np.sqrt(2) ** 5)
    assert life[fx.Goodman("500 MPa")] == pytest.approx(1e6 * 0.8**5)
    assert life[fx.FKM(0.2)] == pytest.approx(1e6 / 1.2**5)


def test_gate_factor_and_span():
    t = np.linspace(0, 2, 2001)
    x = 100e6 * np.sin(2 * np.pi * t) + 2e6 * np.sin(2 * np.pi * 50 * t)
    whole = fx.damage_of(x, CURVE, time=t)
    gated = fx.damage_of(x, CURVE, time=t, gate="6 MPa")
    assert len(gated.cycles()) == 2 < len(whole.cycles())
    assert gated.at() == pytest.approx(whole.at(), rel=1e-3)
    doubled = fx.damage_of(x / 2, CURVE, time=t, stress_factor=2.0)
    assert doubled.at() == pytest.approx(whole.at())
    first = fx.damage_of(x, CURVE, time=t, between=(0, "1 s"))
    assert first.duration == 1.0
    assert first.at() == pytest.approx(whole.at() / 2, rel=0.01)


# -- bodies ----------------------------------------------------------------------------------------------------------


def pulled(rows=201):
    """A bar under a force along it that swings, F = 1 MN (sin + 0.3)."""
    body = rod()
    t = np.linspace(0, 1, rows)
    force = 1e6 * (np.sin(2 * np.pi * 3 * t) + 0.3)
    return resting(body, np.outer(force, clamped(body, np.array([1.0, 0, 0, 0, 0, 0]))), t), force / (WIDTH * HEIGHT)


def test_damage_of_all_nodes_of_a_bar():
    """σ = F/A everywhere, by every measure; shear and cross stress do nothing."""
    history, sigma = pulled()
    stress = StressHistory(history)
    expected = fx.damage_of(sigma, CURVE, time=history.times).at()
    assert expected > 0
    n = len(history.reduced.node_ids)
    for measure in ("signed_max", "signed_von_mises", "xx", "principal_1"):
        found = fx.damage_of(stress, CURVE, measure=measure)
        assert found.values.shape == (n,)  # one per node, for viewers
        there = np.isfinite(found.values)
        assert there.sum() == len(stress.sites)
        if measure != "principal_1":
            np.testing.assert_allclose(found.values[there], expected, rtol=1e-3)
        else:
            assert np.nanmax(found.values) < expected / 2  # it is zero while the bar is pressed
    assert np.nanmax(fx.damage_of(stress, CURVE, measure="yy").values) < 1e-9 * expected


def test_the_critical_plane_of_a_bar_stands_across_it():
    history, sigma = pulled(61)
    expected = fx.damage_of(sigma, CURVE, time=history.times).at()
    found = fx.damage_of(StressHistory(history), CURVE, measure="critical_plane", plane_step="15 deg")
    worst = found.max()
    assert worst.value == pytest.approx(expected, rel=1e-3)
    assert abs(found.normals[worst.row][0]) == pytest.approx(1, abs=1e-9)
    assert np.nanmax(found.values) == worst.value


def test_the_critical_plane_of_pure_shear_is_oblique():
    """τ alone pulls at ±45° with σ = τ; of a gauge the planes stand across its surface."""
    from flexor.fatigue.source import of_gauge

    class Reading:
        def __init__(self, t):
            self.gauge = type("gauge", (), {"name": "g"})()
            self.time = t
            self.stress = np.stack([0 * t, 0 * t, 50e6 * np.sin(2 * np.pi * t)], axis=1)

    source = of_gauge(Reading(np.linspace(0, 1, 101)), "critical_plane", None, "5 deg")
    swings = [np.ptp(source.one(0, k)) for k in range(source.passes)]
    best = source.normals[int(np.argmax(swings))]
    assert max(swings) == pytest.approx(100e6)
    np.testing.assert_allclose(np.abs(best), [np.sqrt(0.5), np.sqrt(0.5), 0], atol=1e-12)


def test_planes_cover_the_half_sphere():
    from flexor.fatigue.planes import directions

    for step in (10, 15):
        normals = directions(np.radians(step))
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1)
        any_way = np.random.default_rng(1).normal(size=(2000, 3))
        any_way /= np.linalg.norm(any_way, axis=1)[:, None]
        nearest = np.abs(any_way @ normals.T).max(axis=1)
        assert np.degrees(np.arccos(nearest.min())) < 0.75 * step


def test_a_gauge_reads_the_same_damage():
    history, sigma = pulled()
    gauge = StrainGauge("g", "rod", at=(LENGTH / 2, 0, HEIGHT / 2), direction="x", kind="triple 45")
    expected = fx.damage_of(sigma, CURVE, time=history.times).at()
    for measure in ("signed_max", "xx", "critical_plane", "signed_von_mises"):
        found = fx.damage_of(gauge.read(history), CURVE, measure=measure)
        assert found.at() == pytest.approx(expected, rel=1e-3)
        assert found.max().label == "strain gauge 'g'"


@pytest.mark.parametrize("formulation", ["superelement", "full_mesh"])
def test_runs_of_every_formulation(formulation):
    """A bar that is shaken along its axis, as superelement and as a whole mesh."""
    body = fx.FlexibleBody(
        "bar",
        mesh=bar(0.2, 0.02, 0.02, (6, 1, 1), material=fx.Steel()),
        interfaces={"root": "x_min", "tip": "x_max"},
        formulation=formulation,
    )
    clamp = fx.Fixed("clamp", fx.ground, body["root"])
    pull = fx.PointForce("pull", body["tip"], direction="x", force=fx.expression("8e3*sin(200*pi*t)"))
    run = fx.Model("pulled", [body, clamp, pull]).dynamics(until="20 ms", step="0.2 ms", show=False)
    curve = fx.SNCurve.basquin("100 MPa", 3)
    found = run.damage("bar", curve, measure="xx", between=("10 ms", "20 ms"))
    middle = int(body.mesh.node_ids[np.argmin(np.linalg.norm(body.mesh.points - [0.1, 0.01, 0.01], axis=1))])
    assert found.at(middle) == pytest.approx((40 / 100) ** 3 / 2e6, rel=0.02)  # 8 kN on 4 cm², there and back
    for place, where in (("elements", {"element": 3}), ("centers", {"element": 3})):
        assert run.damage("bar", curve, measure="xx", place=place).at(**where) > 0


def test_map_to_vtu(tmp_path):
    history, _ = pulled(31)
    damage = fx.damage_of(StressHistory(history), CURVE)
    text = damage.vtu(tmp_path / "damage.vtu").read_bytes()
    for field in (b'Name="damage"', b'Name="log10_life"', b'Name="largest_range"'):
        assert field in text
    with pytest.raises(fx.ModelError, match="only damage at the nodes of a body is a map"):
        fx.damage_of(noise(), CURVE, time=times(noise())).vtu(tmp_path / "no.vtu")


# -- load events -----------------------------------------------------------------------------------------------------


def test_events_add_up():
    """10 starts and 5000 s of cruise; the histories span each other, so nothing is between them."""
    t = np.linspace(0, 1, 501)
    start = fx.damage_of(120e6 * np.sin(2 * np.pi * t), CURVE, time=t)
    cruise = fx.damage_of(50e6 * np.sin(2 * np.pi * 5 * t), CURVE, time=t)
    block = 10 * start + 5000 * cruise
    assert block.at() == pytest.approx(10 * start.at() + 5000 * cruise.at())
    assert block.duration == 5010
    assert block.max().life_time == pytest.approx(5010 / block.at())
    assert "event        10 × 1 s" in str(block)
    assert (2 * block).at() == pytest.approx(2 * block.at())
    assert sum([start, cruise]).at() == pytest.approx(start.at() + cruise.at())
    assert (start + cruise + cruise).at() == pytest.approx(start.at() + 2 * cruise.at())


def test_the_cycle_between_events_is_counted():
    """One pulls, the other presses: the change from one to the other is the largest cycle of all. Counted in a row it is there."""
    t = np.linspace(0, 1, 201)
    pull, press = 60e6 + 40e6 * np.cos(2 * np.pi * t), -60e6 - 40e6 * np.cos(2 * np.pi * t)
    a, b = (fx.damage_of(x, CURVE, time=t) for x in (pull, press))
    block = 3 * a + 2 * b
    row = np.concatenate([pull, pull, pull, press, press])
    counted = fx.damage_of(row, CURVE, time=np.arange(len(row)) * 1.0).at()
    assert block.between_events[0] == pytest.approx(1 / CURVE.cycles("200 MPa"))
    assert counted <= block.at() < counted * 1.3  # it may count one cycle of an event too many
    assert block.at() > 3 * a.at() + 2 * b.at()


def test_a_mean_stress_between_events_beyond_the_strength_is_refused():
    """Each stays as it is; from one to the other there is a cycle whose mean is beyond the strength."""
    t = np.linspace(0, 1, 11)
    curve = fx.SNCurve.basquin("100 MPa", 5, quantity="amplitude", ratio=-1)
    with pytest.warns(fx.BeyondStrength):
        a, b = (fx.damage_of(0 * t + x, curve, time=t, mean_stress=fx.Goodman("600 MPa")) for x in (620e6, 700e6))
    with pytest.raises(fx.ModelError, match="load events of stress at the history: a mean stress of 660 MPa reaches"):
        a + b


def test_surfaces_of_shells_do_not_add_up():
    history, _ = pulled(5)
    top, bottom = (fx.damage_of(StressHistory(history, surface=side), CURVE) for side in ("top", "bottom"))
    with pytest.raises(fx.ModelError, match=r"nodes top by .* nodes bottom by .* do not belong together"):
        top + bottom


def test_events_must_belong_together():
    t = np.linspace(0, 1, 201)
    x = 60e6 * np.sin(20 * t)
    a, b = fx.damage_of(x, CURVE, time=t), fx.damage_of(x, fx.SNCurve.dnv("D"), time=t)
    with pytest.raises(fx.ModelError, match="do not belong together"):
        a + b
    with pytest.raises(fx.ModelError, match="-2 repetitions"):
        a.repeated(-2)
    with pytest.raises(fx.ModelError, match="it is a sum of load events"):
        (a + a).cycles()


# -- what is told, and what is refused ---------------------------------------------------------------------------------


def test_every_result_says_what_it_is():
    t = np.linspace(0, 1, 201)
    x = 60e6 * np.sin(20 * t)
    text = str(fx.damage_of(x, fx.SNCurve.fkm("200 MPa"), time=t, mean_stress=fx.Goodman("200 MPa"), gate="1 MPa"))
    assert "S-N curve    FKM steel, Rm = 200 MPa (stress amplitude, R = -1, 97.5 % survive)" in text
    assert "mean stress  Goodman, Rm = 200 MPa" in text
    assert "rainflow of stress ranges, residue closed, gate 1 MPa" in text
    text = str(fx.damage_of(x, fx.SNCurve.dnv("D"), time=t))
    assert "(stress range, 97.7 % survive)" in text
    assert "mean stress  not corrected; the curve holds for any" in text
    assert "is below the endurance limit" in str(fx.damage_of(x, fx.SNCurve.fkm("900 MPa"), time=t, mean_stress="none"))


def test_a_mean_stress_is_not_passed_over_in_silence():
    t = np.linspace(0, 1, 201)
    x = 60e6 * np.sin(20 * t) + 50e6
    curve = fx.SNCurve.basquin("100 MPa", 5, quantity="amplitude", ratio=-1)
    with pytest.warns(fx.MeanStressIgnored, match=r"goes from -9.999 to 110 MPa, R = -0.09, the tests .* R = -1"):
        fx.damage_of(x, curve, time=t)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fx.damage_of(x, curve, time=t, mean_stress="none")  # said aloud
        fx.damage_of(x - 50e6, curve, time=t)
        fx.damage_of(x, fx.SNCurve.dnv("D"), time=t)  # holds for any


def test_ranges_beyond_a_table_are_told():
    t = np.linspace(0, 1, 201)
    with pytest.warns(fx.BeyondCurve, match="up to 240 MPa at the history where it begins at 200 MPa"):
        fx.damage_of(120e6 * np.cos(20 * t), TABLE, time=t)


def spoilt(value):
    x = noise()
    x[20, 3] = value
    return x


@pytest.mark.parametrize(
    ("values", "options", "said"),
    [
        (np.zeros(1), {}, "it has one value; a cycle needs a maximum and a minimum"),
        (spoilt(np.nan), {}, "column 4, t = 0.100251 s': value 21 is nan"),
        (spoilt(-np.inf), {}, "value 21 is -inf"),
        (noise(), {"measure": "xx"}, "the values are what they are"),
        (noise(), {"mean_stress": "godman"}, "did you mean 'Goodman'"),
        (noise(), {"mean_stress": 3}, "there is no correction 3"),
        (noise(), {"gate": "1 mm"}, "mm"),
        (noise(), {"stress_factor": 0}, "stress_factor = 0"),
        (noise(), {"between": (3, 4)}, "no row is between 3 and 4 s"),
        (noise(), {"between": ("0.1 m", 4)}, "m is not a unit"),
        (noise(), {"between": "0.1 s"}, "no span of time"),
        (noise(), {"stress_factor": "2"}, "stress_factor = '2'"),
        (noise(), {"residue": "open"}, "there is no residue 'open'"),
        (np.zeros((3, 3, 3)), {}, "have the shape"),
    ],
)
def test_bad_input_is_refused(values, options, said):
    with pytest.raises((fx.ModelError, fx.UnitError), match=said):
        fx.damage_of(values, CURVE, time=times(values), **options)


def test_a_mean_stress_beyond_the_strength_is_refused():
    """Where, how much, and what to do."""
    t = np.linspace(0, 1, 101)
    x = np.stack([0 * t, 500e6 + 10e6 * np.sin(20 * t)], axis=1)
    curve = fx.SNCurve.basquin("100 MPa", 5, quantity="amplitude", ratio=-1)
    for correction in (fx.Goodman("400 MPa"), fx.Gerber("400 MPa"), fx.Morrow("400 MPa")):
        with pytest.raises(
            fx.ModelError, match=r"column 2: a mean stress of 504\.6 MPa reaches the strength of 400 MPa"
        ):
            fx.damage_of(x, curve, time=t, mean_stress=correction)


def test_more_bad_input_is_refused():
    x = noise()
    with pytest.raises(fx.ModelError, match="the times of the history are not known"):
        fx.damage_of(x, CURVE)
    with pytest.raises(fx.ModelError, match="'rod' is no history"):
        fx.damage_of("rod", CURVE, time=times(x))
    with pytest.raises(fx.ModelError, match="400 values at 3 times"):
        fx.damage_of(x, CURVE, time=np.arange(3))
    with pytest.raises(fx.ModelError, match="the times do not ascend"):
        fx.damage_of(x, CURVE, time=np.zeros(400))
    with pytest.raises(fx.ModelError, match="the times do not ascend"):
        fx.damage_of(np.zeros(3), CURVE, time=np.array([0, np.nan, 1]))
    with pytest.raises(fx.ModelError, match=r"have the shape \(5, 0\)"):
        fx.damage_of(np.zeros((5, 0)), CURVE, time=np.arange(5.0))
    with pytest.raises(fx.ModelError, match="is no history; it takes numbers over time"):
        fx.damage_of(x + 1j, CURVE, time=times(x))
    with pytest.raises(fx.ModelError, match="is no S-N curve"):
        fx.damage_of(x, 3.0, time=times(x))
    with pytest.raises(fx.ModelError, match="would be counted twice"):
        fx.damage_of(x, fx.SNCurve.dnv("D"), time=times(x), mean_stress="swt")
    history, _ = pulled(5)
    with pytest.raises(fx.ModelError, match="von_mises has no sign"):
        fx.damage_of(StressHistory(history), CURVE, measure="von_mises")
    with pytest.raises(fx.ModelError, match="did you mean 'critical_plane'"):
        fx.damage_of(StressHistory(history), CURVE, measure="critical_planes")
    with pytest.raises(fx.ModelError, match="planes stand 2° to 45° apart"):
        fx.damage_of(StressHistory(history), CURVE, measure="critical_plane", plane_step=10)
    with pytest.raises(fx.ModelError, match="S-N curves are of stress"):
        fx.damage_of(StressHistory(history, quantity="strain"), CURVE)
    with pytest.raises(fx.ModelError, match="there is no node 99999"):
        fx.damage_of(StressHistory(history), CURVE).at(99999)
    with pytest.raises(fx.ModelError, match="there is no place 9"):
        fx.damage_of(x, CURVE, time=times(x)).at(9)


def test_shells_are_judged_on_their_worse_side():
    """A strip that is bent one way and back, and pulled by its weight: one side sees tension and more of it."""
    from flexor.mesh.generate import plate

    body = fx.FlexibleBody(
        "strip",
        mesh=plate("200 mm", "20 mm", "2 mm", (8, 1), element="shell4", material=fx.Steel()),
        interfaces={"root": "x_min", "tip": "x_max"},
    )
    pushes = [fx.PointForce(f"push {k}", body["tip"], direction=axis, force=fx.expression(text))
              for k, (axis, text) in enumerate((("z", "4*(1 - cos(40*t))"), ("x", "400*(1 - cos(40*t))")))]  # fmt: skip
    model = fx.Model("strip", [body, fx.Fixed("clamp", fx.ground, body["root"]), *pushes])
    run = model.dynamics(until="0.16 s", step="2 ms", show=False)
    curve = fx.SNCurve.basquin("100 MPa", 3)
    top, bottom = (run.damage("strip", curve, measure="xx", surface=side) for side in ("top", "bottom"))
    worse, better = sorted((top, bottom), key=lambda each: -each.max().value)
    assert worse.max().value > 1.5 * better.max().value
    found = run.damage("strip", curve, measure="xx")
    assert found.max() == worse.max()
    assert f"({worse.source.stress.surface})" in found.max().label
