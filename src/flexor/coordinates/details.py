"""A force along a coordinate with all that a spring may have beside stiffness and damping.   FTG 5.1.1

    Q = clip[S F_el(δ − δ_y)] + F_y ζ + stops + S_d [(d + d_δ(δ)) q̇ + g(q̇)]

S, S_d      scale functions of time or of a sensor                                        (5.1), (5.19)
clip        yield: the elastic force stays between two limits, δ_y is what has yielded      (5.6)–(5.8)
F_y ζ       hysteresis after Bouc and Wen
stops       on the coordinate itself, wherever the spring is stress-free
d_δ         damping coefficient over the deflection

A spring that comes to a limit of deflection or force fails and carries nothing from then on, (5.4)–(5.5); the energy in it is lost.
Others may take it along. In a run the step ends where that happens (`flexor.engine.transitions`), and accelerations are solved for
without it; in statics what is beyond a limit fails where an equilibrium is found. What is remembered changes at the end of a step only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flexor.coordinates.characteristic import Characteristic, effort_of
from flexor.coordinates.force import put_effort_matrix
from flexor.coordinates.frames import Frame
from flexor.coordinates.hysteresis import Loop, advance
from flexor.coordinates.length import SHORT
from flexor.coordinates.measure import LENGTH, Measure, add_gradient, nearest, turns, value_and_rate
from flexor.coordinates.rotation import BEYOND, HALF_TURN, half_turned
from flexor.coordinates.stop import StopRecord, pressed
from flexor.coordinates.yielding import CROSSED, deflection_at, limits
from flexor.functions import ERRORS, OUT_SIZE
from flexor.functions.call import Argued, Call, drive, drive_rate, evaluate
from flexor.law import ACCELERATION_LEVEL, COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, SWITCH, TRANSITION, law
from flexor.law.face import TOUCH, put_energies
from flexor.law.record import Record, integer, nested, number


class SpringRecord(Record):
    """All that a spring may have, whatever it acts along."""

    of = nested(Characteristic, "the spring")
    sign = number("of the force that is reported: 1 pulling q back, −1 exerted along q")
    scale = nested(Argued, "S of the elastic force")
    damping_scale = nested(Argued, "S_d of the damping force")
    damping_by_deflection = nested(Call, "d_δ", "N s/m or N m s/rad")
    yields = integer("1: it does")
    yield_below = nested(Argued, "least elastic force", "N or N m")
    yield_above = nested(Argued, "largest elastic force", "N or N m")
    hysteresis = nested(Loop, "Bouc–Wen part")
    lower = nested(StopRecord, "stop at small values")
    upper = nested(StopRecord, "stop at large values")
    fails = integer("1: it may")
    least_deflection = number("beyond which it fails", "m or rad")
    largest_deflection = number("likewise", "m or rad")
    least_force = number("likewise", "N or N m")
    largest_force = number("likewise", "N or N m")
    others = integer("how many others take it along when they fail")
    first_other = integer("number of the multiplier that tells whether the first of them has failed")


class DetailedForce(SpringRecord):
    """Parameters of the law between two markers."""

    m = nested(Measure, "what is measured")
    a = nested(Frame, "marker A")
    b = nested(Frame, "marker B")
    single = integer("1: an angle about the only axis of its joint, whose rate is the spin")


class Past(Record):
    """What the spring remembers of the end of the last step."""

    value = number("q; angles are counted on from it", "m or rad")
    known = number("1: there was one")
    free = number("q₀", "m or rad")
    work = number("that changes of q₀ and of the scale did in the last step", "J")
    loss = number("energy lost in it", "J")
    dissipated = number("lost since the begin", "J")
    input = number("put in since the begin", "J")
    failed = number("1: it has failed")
    yielded = number("δ_y", "m or rad")
    zeta = number("ζ of the hysteresis")
    scale = number("S")
    force = number("elastic force", "N or N m")
    bare_energy = number("strain energy of the elastic force over S", "J")
    strain = number("strain energy", "J")
    power = number("of the damper", "W")
    effort = number("all that it exerted", "N or N m")
    side = number("1 or −1: it was yielding, to this side")
    regime = number("1: in a run, in which it fails where a step is made to end; 0: in statics, or before")
    margin = number("how far it was from failing, relative to its limits")


def _given(d, now, w):
    """(status, value, rate) of a scale function, which is 1 if it is not there."""
    if d.call.address == 0:
        return 0, 1.0, 0.0
    status = drive(d, now, w)
    return status, w[0] + 0.0, drive_rate(d, w)


def spring_law(name: str, locate: Callable, push: Callable, remember: Callable, put_matrix: Callable) -> Callable:
    """The law along a coordinate q.

    locate(want, p, now)                    (status, q, q̇, whatever the others need)
    push(p, now, found, effort, r)          r += effort · ∇q;   found: what `locate` has
    remember(now, found)                    what `locate` begins with in the next step, beside q
    put_matrix(p, now, out, effort, by_q, by_rate)    unless it is made by dual numbers
    """

    def detailed_force(want, p, now, out):  # type: ignore[no-untyped-def]
        """r = Q ∇q"""
        w = out.w
        past = now.h
        status = drive(p.of.free, now, w)
        free, free_rate = w[0] + 0.0, drive_rate(p.of.free, w)
        if status != 0:
            return status
        found = locate(want, p, now)
        status, q, rate = found[0], found[1], found[2]
        if status != 0:
            return status
        deflection = q - free
        if want & COMMIT:
            remember(now, found)
        if _has_failed(p, now):
            if want & COMMIT:
                # the integrator lets its force go to zero over the first step without it
                past.loss = past.strain + 0.5 * past.effort * (q - past.value)
                past.dissipated += past.loss * past.known
                past.value, past.free, past.work, past.known, past.failed = q, free, 0.0, 1.0, 1.0
                past.strain, past.effort = 0.0, 0.0
            if want & OUTPUT:
                _report(p, past, w, deflection, 0.0, 0.0, q, rate, 1.0, past.yielded, past.zeta)
            if want & ENERGY:  # what was in it when it failed is lost with the next step
                put_energies(w, 0.0, 0.0, past.strain, 0.0, 0.0)
            if want & SWITCH:
                w[0] = 0.5 if past.failed == 0.0 else 0.0  # 0.5: another one has taken it along
                past.failed, past.regime, past.effort = 1.0, 1.0, 0.0
            if want & TRANSITION:
                w[0], w[1] = 1.0, 1.0
            return 0
        # the elastic force, which may yield
        status, scale, scale_rate = _given(p.scale, now, w)
        if status != 0:
            return status
        here = deflection - past.yielded
        ask = want | ENERGY if want & COMMIT else want
        status, bare, slope, bare_energy, viscous, by_rate = effort_of(ask, p.of, here, rate, w)
        if status != 0:
            return status
        force = scale * bare
        slope = scale * slope
        here_rate = rate - free_rate
        yielding = False
        above = False
        if p.yields:
            status, low, high, low_rate, high_rate = limits(p, now, w)
            if status != 0:
                return status
            if force > high or force < low:
                yielding = True
                above = force > high
                force = high if above else low
                slope = 0.0 * slope
                if want & (OUTPUT | ENERGY | COMMIT):
                    status, here = deflection_at(p, scale, force, here, w)
                    if status == 0:
                        status, bare, steep, bare_energy, _, _ = effort_of(want | ENERGY, p.of, here, rate, w)
                    if status != 0:
                        return status
                    here_rate = (high_rate if above else low_rate) - scale_rate * bare
                    here_rate = here_rate / (scale * steep) if scale * steep != 0.0 else 0.0 * here_rate
        strain = scale * bare_energy
        # hysteresis
        hysteretic = 0.0 * rate
        zeta = past.zeta + 0.0 * rate
        bent = 0.0 * rate
        lost = 0.0 * rate
        loop = p.hysteresis
        if loop.there:
            zeta, bent, lost = advance(loop, past.zeta, deflection - (past.value - past.free) * past.known)
            hysteretic = loop.force * zeta
            slope += loop.force * bent
            strain += 0.5 * loop.force * loop.deflection * zeta * zeta
        # damping and stops
        status, damping_scale, _ = _given(p.damping_scale, now, w)
        if status != 0:
            return status
        by_deflection = 0.0 * rate
        if p.damping_by_deflection.address != 0:
            status = evaluate(p.damping_by_deflection, deflection, w)
            if status != 0:
                return status
            viscous += w[0] * rate
            by_rate += w[0]
            by_deflection = w[1] * rate
        viscous = damping_scale * viscous
        by_rate = damping_scale * by_rate
        slope += damping_scale * by_deflection
        f, f_slope, energy, v, v_slope, v_rate = pressed(p.upper, q - p.upper.at, rate)
        contact = f
        viscous += v
        slope += f_slope + v_slope
        by_rate += v_rate
        strain += energy
        f, f_slope, energy, v, v_slope, v_rate = pressed(p.lower, p.lower.at - q, -rate)
        contact -= f
        viscous -= v
        slope += f_slope + v_slope
        by_rate += v_rate
        strain += energy
        effort = force + hysteretic + contact + viscous
        margin = _margin(p, deflection, force + hysteretic)
        if want & TRANSITION:
            w[0], w[1] = margin, past.margin
            return 0
        if want & SWITCH:
            w[0] = 0.0
            past.regime = 1.0
            if margin <= TOUCH and not want & ACCELERATION_LEVEL:
                past.failed, past.effort = 1.0, 0.0
                w[0] = 1.0
            return 0
        if want & RESIDUAL:
            push(p, now, found, effort, out.r)
        if want & MATRIX:
            put_matrix(p, now, out, effort, slope, by_rate)
        if want & COMMIT:
            status, work = _work(p, now, q, free, scale, force, bare_energy, hysteretic, yielding, w)
            if status != 0:
                return status
            step = now.c.step
            power = viscous * rate
            before = past.power if past.known != 0.0 else power
            more = deflection - here - past.yielded  # what has yielded in this step
            if not yielding:
                more = 0.0 * more
            side = (1.0 if above else -1.0) if yielding else 0.0
            at_limit = 0.5 * (past.force + force) if side == past.side else force
            past.loss = 0.5 * step * (before + power) + at_limit * more + lost
            begun = past.known  # what led to the begin does not count
            past.value, past.free, past.work, past.known = q, free, work, 1.0
            past.input += work * begun
            past.yielded += more
            past.zeta, past.scale, past.force, past.bare_energy = zeta, scale, force, bare_energy
            past.strain, past.power, past.side, past.effort = strain, power, side, effort
            past.margin = margin
            if margin <= 0.0 and (past.regime == 0.0 or begun == 0.0):
                past.failed = 1.0
                past.loss += strain
                past.strain = 0.0
            past.dissipated += past.loss * begun
        if want & OUTPUT:
            _report(
                p,
                past,
                w,
                deflection,
                effort,
                strain,
                q,
                rate,
                0.0,
                deflection - here if yielding else past.yielded + 0.0 * q,
                zeta,
            )
        if want & ENERGY:
            plastic = force * (rate - free_rate - here_rate) if yielding else 0.0 * rate
            bent_away = hysteretic * (rate - free_rate) * (1.0 - loop.deflection * bent)
            supplied = scale_rate * bare_energy - (force + hysteretic) * free_rate
            put_energies(w, 0.0, 0.0, strain, viscous * rate + plastic + bent_away, supplied)
        return 0

    detailed_force.__name__ = name
    return detailed_force


def _margin(p, deflection, force):
    """How far it is from failing, relative to the limits; below zero it is beyond one."""
    least = 1.0 + 0.0 * deflection
    if p.fails:
        for side in (-1.0, 1.0):
            for kind in range(2):
                value = force if kind == 1 else deflection
                limit = p.largest_force if kind == 1 else p.largest_deflection
                if side < 0.0:
                    limit = p.least_force if kind == 1 else p.least_deflection
                left = side * (limit - value) / (abs(limit) if limit != 0.0 else 1.0)
                if left < least:
                    least = left
    return least


def _has_failed(p, now):
    """Whether it has, by itself or with another one."""
    failed = now.h.failed != 0.0
    for i in range(p.others):
        failed = failed or now.lam[p.first_other + i] > 0.5
    return failed


def _report(p, past, w, deflection, effort, strain, q, rate, failed, yielded, zeta):
    w[0] = deflection
    w[1] = p.sign * effort
    w[2] = strain
    w[3] = q
    w[4] = rate
    w[5] = past.dissipated
    w[6] = past.input
    w[7] = failed
    w[8] = yielded
    w[9] = zeta


def _work(p, now, q, free, scale, force, bare_energy, hysteretic, yielding, w):
    """(status, work) that changes of free value and scale have done in the step; see `flexor.coordinates.force`."""
    past = now.h
    status = 0
    before, scale_before, q_before = past.free, past.scale, past.value
    force_before, bare_before, zeta_before = past.force, past.bare_energy, past.zeta
    if past.known == 0.0:
        before, scale_before, q_before = free, scale, q
        force_before, bare_before, zeta_before = force, bare_energy, 0.0
        earlier = now.t - now.c.step
        if p.of.free.source < 0:
            status = evaluate(p.of.free.call, earlier, w)
            before = w[0]
        if p.scale.source < 0 and p.scale.call.address != 0 and status == 0:
            status = evaluate(p.scale.call, earlier, w)
            scale_before = w[0]
    work = -0.5 * (p.hysteresis.force * zeta_before + hysteretic) * (free - before)
    if (free == before and scale == scale_before) or status != 0:
        return status, work
    if yielding:
        work -= 0.5 * (force_before + force) * (free - before)
        return status, work + 0.5 * (bare_before + bare_energy) * (scale - scale_before)
    for i in range(2):
        at_q = (q if i == 0 else q_before) - past.yielded
        failed, _, _, after, _, _ = effort_of(ENERGY, p.of, at_q - free, 0.0, w)
        status = failed if failed != 0 else status
        failed, _, _, earlier_energy, _, _ = effort_of(ENERGY, p.of, at_q - before, 0.0, w)
        status = failed if failed != 0 else status
        work += 0.5 * (scale * after - scale_before * earlier_energy)
    return status, work


ERRORS_OF_SPRINGS = {
    1: "its ends coincide; the spring has no direction",
    CROSSED: "its yield limits have changed sides: above must not be negative, nor below positive",
    **BEYOND,
    **ERRORS,
}
SIGNALS = (
    ("deflection", "m"), ("force", "N"), ("strain_energy", "J"), ("length", "m"), ("rate", "m/s"),
    ("dissipated", "J"), ("input", "J"), ("failed", ""), ("yield_deflection", "m"), ("hysteresis", ""),
)  # fmt: skip


# -- between two markers ---------------------------------------------------------------------------------------------


def _locate(want, p, now):
    """(status, q, counted on over turns, q̇)"""
    q, rate = value_and_rate(p.m, p, now)
    status = 0
    if turns(p.m):
        expected = now.h.value
        if want & COMMIT and p.single == 1:
            expected += now.c.step * rate  # turns are counted as the joint does
        q = nearest(q, expected)
    elif p.m.kind == LENGTH and q < SHORT:
        status = 1
    elif half_turned(p.m, p, now):
        status = HALF_TURN
    return status, q, rate


def _push(p, now, found, effort, r):
    add_gradient(p.m, p, now, effort, r)


def _nothing(now, found):
    """q is remembered by the law itself."""


detailed_force = law(
    DetailedForce,
    tangent="own",
    history=Past,
    errors=ERRORS_OF_SPRINGS,
    outputs=SIGNALS,
    scratch=OUT_SIZE + 24,
)(spring_law("detailed_force", _locate, _push, _nothing, put_effort_matrix))
breaking_force = replace(detailed_force, transitions=True)
"""The same of a spring that may fail: it tells the time loop when."""
