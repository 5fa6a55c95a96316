"""What is written down: rows of signals, and the energies of FTG 9.2."""

from __future__ import annotations

from flexor.engine import slots
from flexor.engine.assemble import call_element
from flexor.law import COMMIT, ENERGY, OUTPUT, RESIDUAL
from flexor.law.primitives import at, call, f64, i64
from flexor.law.rotation_vector import store_quaternion
from flexor.law.tuples import add, cross, mat, mm, mtv, mv, store, sub, vec

NODE_COLUMNS = 19
ENERGY_COLUMNS = 6
ENERGY_STRIDE = (
    9  # kinetic, potential, strain, dissipated, input; powers lost and put in; loss of the step, power lost before
)
HEAVY = 0.2  # loss of an element in a step, relative to the kinetic energy, that may be too much for the step


def commit(T):
    """Let the laws with memory take the state of the finished step as their history."""
    I = i64(T, slots.INTS)
    which = i64(T, slots.HISTORY_ELEMENTS)
    for i in range(I[slots.N_HISTORY_ELEMENTS]):
        d = at(i64(T, slots.ELEMENTS), which[i] * slots.ELEMENT_STRIDE)
        call_element(T, d, COMMIT, at(f64(T, slots.LAM), d[slots.E_LAM]))
    return slots.OK


def energies(T):
    """Energies of every element; losses and input are integrated over time by the trapezoidal rule.   FTG (9.9), (9.12)

    STEP_SIZE = 0 starts the integration. Losses that a step is too long for are limited (`_limit_losses`).
    """
    I = i64(T, slots.INTS)
    h = f64(T, slots.FLOATS)[slots.STEP_SIZE]
    E = f64(T, slots.ENERGY_STATE)
    totals = f64(T, slots.ENERGY_TOTALS)
    w = f64(T, slots.BUFFER_SCRATCH)
    kinetic = totals[0]
    stored = totals[0] + totals[1] + totals[2] + totals[3] - totals[4]
    for i in range(ENERGY_COLUMNS):
        totals[i] = 0.0
    for e in range(I[slots.N_ELEMENTS]):
        _energies_of(T, e)
        o = ENERGY_STRIDE * e
        for i in range(3):
            E[o + i] = w[i]
        E[o + 7] = 0.5 * h * (E[o + 5] + w[3])
        E[o + 3] += E[o + 7]
        E[o + 4] += 0.5 * h * (E[o + 6] + w[4])
        E[o + 8] = E[o + 5]
        E[o + 5], E[o + 6] = w[3], w[4]
        for i in range(5):
            totals[i] += E[o + i]
    totals[5] = totals[0] + totals[1] + totals[2] + totals[3] - totals[4]  # FTG (9.15)
    if h > 0.0 and totals[5] > stored:
        _limit_losses(T, HEAVY * 0.5 * (kinetic + totals[0]), totals[5] - stored)
    return slots.OK


def _energies_of(T, e):
    """Kinetic, potential, strain energy, power lost and put in, of an element, in the scratch."""
    w = f64(T, slots.BUFFER_SCRATCH)
    d = at(i64(T, slots.ELEMENTS), e * slots.ELEMENT_STRIDE)
    for i in range(5):
        w[i] = 0.0  # laws without energies leave it
    call_element(T, d, ENERGY, at(f64(T, slots.LAM), d[slots.E_LAM]))


def _limit_losses(T, heavy, gained):
    """Take back losses of a step, as far as they make the check-sum rise, where it is too long for what they belong to.

    A damper c on a mass m stops it in m/c. With h c/m > 1 the velocity v₀ at the begin, or one that reverses from step to step,
    would be taken for that of the whole step, and the loss for h c/m times what the mass has. Such losses are known by a
    velocity that changes by more than half of it, P(v − v₀) > ½ (P₀ + P), and by being `heavy` beside the kinetic energy.
    PSEUDO_OLD and S_PSEUDO_OLD keep the velocities meanwhile: they are written anew when the step is accepted.
    """
    I = i64(T, slots.INTS)
    E = f64(T, slots.ENERGY_STATE)
    suspected = False
    for e in range(I[slots.N_ELEMENTS]):
        suspected = suspected or E[ENERGY_STRIDE * e + 7] > heavy
    if not suspected:
        return
    n, m = 6 * I[slots.N_NODES], I[slots.N_SCALARS]
    v, v0, kept = f64(T, slots.VEL), f64(T, slots.VEL0), f64(T, slots.PSEUDO_OLD)
    s, s0, rates = f64(T, slots.S), f64(T, slots.S0), f64(T, slots.S_PSEUDO_OLD)
    w = f64(T, slots.BUFFER_SCRATCH)
    for i in range(n):
        kept[i] = v[i]
        v[i] -= v0[i]
    for i in range(m):
        rates[i] = s[3 * i + 1]
        s[3 * i + 1] -= s0[3 * i + 1]
    total = 0.0
    for e in range(I[slots.N_ELEMENTS]):
        o = ENERGY_STRIDE * e
        if E[o + 7] > heavy:
            _energies_of(T, e)
            if w[3] > 0.5 * (E[o + 8] + E[o + 5]):
                total += E[o + 7]
            else:
                E[o + 7] = 0.0
        else:
            E[o + 7] = 0.0
    for i in range(n):
        v[i] = kept[i]
    for i in range(m):
        s[3 * i + 1] = rates[i]
    if total > 0.0:
        share = min(1.0, gained / total)
        totals = f64(T, slots.ENERGY_TOTALS)
        for e in range(I[slots.N_ELEMENTS]):
            o = ENERGY_STRIDE * e
            E[o + 3] -= share * E[o + 7]
        totals[3] -= share * total
        totals[5] -= share * total


def record(T):
    """Append one row: time, nodes, scalars, reactions of eliminated joints, outputs of elements, energies."""
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    row = at(f64(T, slots.ROWS), I[slots.ROWS_USED] * I[slots.ROW_LENGTH])
    last = I[slots.ROWS_USED] - 1 if I[slots.ROWS_USED] > 0 else I[slots.ROWS_MAX]  # kept behind the others
    previous = at(f64(T, slots.ROWS), last * I[slots.ROW_LENGTH])
    row[0] = F[slots.TIME]
    o = 1
    nodes = i64(T, slots.RECORD_NODES)
    for i in range(I[slots.N_RECORD_NODES]):
        _node_columns(T, nodes[i], at(row, o), at(previous, o), I[slots.RECORDED] > 0)
        o += NODE_COLUMNS
    s = f64(T, slots.S)
    scalars = i64(T, slots.RECORD_SCALARS)
    for i in range(I[slots.N_RECORD_SCALARS]):
        for j in range(3):
            row[o + j] = s[3 * scalars[i] + j]
        o += 3
    if I[slots.N_RECORD_SLAVES] > 0:
        _slave_reactions(T)
        which = i64(T, slots.RECORD_SLAVES)
        for i in range(I[slots.N_RECORD_SLAVES]):
            _reaction_columns(T, which[i], at(row, o))
            o += 6
    w = f64(T, slots.BUFFER_SCRATCH)
    elements = i64(T, slots.RECORD_ELEMENTS)
    for i in range(I[slots.N_RECORD_ELEMENTS]):
        d = at(i64(T, slots.ELEMENTS), elements[i] * slots.ELEMENT_STRIDE)
        call_element(T, d, OUTPUT, at(f64(T, slots.LAM), d[slots.E_LAM]))
        for j in range(d[slots.E_OUTPUTS]):
            row[o + j] = w[j]
        o += d[slots.E_OUTPUTS]
    if I[slots.USE_ENERGY]:
        totals = f64(T, slots.ENERGY_TOTALS)
        for j in range(ENERGY_COLUMNS):
            row[o + j] = totals[j]
    I[slots.ROWS_USED] += 1
    I[slots.RECORDED] += 1
    return slots.OK


def _node_columns(T, node, row, previous, continuous):
    """Position of the body's origin, orientation, and their first and second rates."""
    R = mat(f64(T, slots.ROT), 9 * node)
    v = at(f64(T, slots.VEL), 6 * node)
    a = at(f64(T, slots.ACC), 6 * node)
    arm = mv(R, vec(f64(T, slots.NODE_ORIGIN), 3 * node))
    w, alpha = vec(v, 3), vec(a, 3)
    store(row, 0, add(vec(f64(T, slots.X), 3 * node), arm))
    store(row, 7, add(vec(v, 0), cross(w, arm)))
    store(row, 10, w)
    store(row, 13, add(vec(a, 0), add(cross(alpha, arm), cross(w, cross(w, arm)))))
    store(row, 16, alpha)
    store_quaternion(R, at(row, 3))
    turned = row[3] * previous[3] + row[4] * previous[4] + row[5] * previous[5] + row[6] * previous[6]
    if continuous and turned < 0.0:
        for i in range(4):
            row[3 + i] = -row[3 + i]


def _slave_reactions(T):
    """Force and moment that each eliminated joint transmits to its slave, about the slave node.

    The residual at the slave node is what the joint must supply; a slave that is itself a master also carries its
    slaves.
    """
    I = i64(T, slots.INTS)
    I[slots.WANT] = RESIDUAL
    call(T, slots.K_ASSEMBLE)
    f = f64(T, slots.SLAVE_FORCE)
    x = f64(T, slots.X)
    for i in range(I[slots.N_SLAVES]):
        slave = I[slots.N_SLAVES] - 1 - i
        d = at(i64(T, slots.SLAVES), slave * slots.SLAVE_STRIDE)
        master = d[slots.L_MASTER_SLAVE]
        if master >= 0:
            m = at(i64(T, slots.SLAVES), master * slots.SLAVE_STRIDE)
            arm = sub(vec(x, 3 * d[slots.L_NODE]), vec(x, 3 * m[slots.L_NODE]))
            force = vec(f, 6 * slave)
            store(f, 6 * master, add(vec(f, 6 * master), force))
            store(f, 6 * master + 3, add(vec(f, 6 * master + 3), add(vec(f, 6 * slave + 3), cross(arm, force))))


def _reaction_columns(T, slave, row):
    """Reaction on B at its marker, in the joint frame on A."""
    d = at(i64(T, slots.SLAVES), slave * slots.SLAVE_STRIDE)
    site = at(f64(T, slots.SLAVE_SITES), d[slots.L_SITE])
    f = f64(T, slots.SLAVE_FORCE)
    R_s = mat(f64(T, slots.ROT), 9 * d[slots.L_NODE])
    A = mm(mat(f64(T, slots.ROT), 9 * d[slots.L_MASTER]), mat(site, 3))
    arm = mv(R_s, vec(site, 12))
    force = vec(f, 6 * slave)
    store(row, 0, mtv(A, force))
    store(row, 3, mtv(A, sub(vec(f, 6 * slave + 3), cross(arm, force))))
