"""What is written down: rows of signals, and the energies of FTG 9.2."""

from __future__ import annotations

from flexor.engine.assemble import call_term
from flexor.engine.memory import OK, FollowerRecord, Memory, SiteRecord, TermRecord
from flexor.law import COMMIT, ENERGY, OUTPUT, RESIDUAL
from flexor.law.primitives import at, call
from flexor.law.rotation_vector import store_quaternion
from flexor.law.tuples import add, cross, mat, mm, mtv, mv, store, sub, vec

NODE_COLUMNS = 19
ENERGY_COLUMNS = 6
ENERGY_STRIDE = (
    9  # kinetic, potential, strain, dissipated, input; powers lost and put in; loss of the step, power lost before
)
HEAVY = 0.2  # loss of a term in a step, relative to the kinetic energy, that may be too much for the step


def commit(T: Memory):
    """Let the laws with memory take the state of the finished step as their history."""
    run = T.run
    which = T.with_history
    for i in range(run.n_with_history):
        d = TermRecord(T.terms, which[i])
        call_term(T, d, COMMIT, at(T.lam, d.lam))
    return OK


def energies(T: Memory):
    """Energies of every term; losses and input are integrated over time by the trapezoidal rule.   FTG (9.9), (9.12)

    Some laws tell the work of a step themselves, where what they are given may jump.

    STEP_SIZE = 0 starts the integration. Losses that a step is too long for are limited (`_limit_losses`).
    """
    run = T.run
    h = T.run.step_size
    E = T.energy_state
    totals = T.energy_totals
    w = T.buffer_scratch
    kinetic = totals[0]
    stored = totals[0] + totals[1] + totals[2] + totals[3] - totals[4]
    for i in range(ENERGY_COLUMNS):
        totals[i] = 0.0
    for e in range(run.n_terms):
        _energies_of(T, e)
        o = ENERGY_STRIDE * e
        work = TermRecord(T.terms, e).work
        for i in range(3):
            E[o + i] = w[i]
        E[o + 7] = 0.5 * h * (E[o + 5] + w[3])
        E[o + 3] += E[o + 7]
        E[o + 4] += 0.5 * h * (E[o + 6] + w[4]) if work < 0 else T.history[work] if h > 0.0 else 0.0
        E[o + 8] = E[o + 5]
        E[o + 5], E[o + 6] = w[3], w[4]
        for i in range(5):
            totals[i] += E[o + i]
    totals[5] = totals[0] + totals[1] + totals[2] + totals[3] - totals[4]  # FTG (9.15)
    if h > 0.0 and totals[5] > stored:
        _limit_losses(T, HEAVY * 0.5 * (kinetic + totals[0]), totals[5] - stored)
    return OK


def _energies_of(T, e):
    """Kinetic, potential, strain energy, power lost and put in, of a term, in the scratch."""
    w = T.buffer_scratch
    d = TermRecord(T.terms, e)
    for i in range(5):
        w[i] = 0.0  # laws without energies leave it
    call_term(T, d, ENERGY, at(T.lam, d.lam))


def _limit_losses(T, heavy, gained):
    """Take back losses of a step, as far as they make the check-sum rise, where it is too long for what they belong to.

    A damper c on a mass m stops it in m/c. With h c/m > 1 the velocity v₀ at the begin, or one that reverses from step to step,
    would be taken for that of the whole step, and the loss for h c/m times what the mass has. Such losses are known by a
    velocity that changes by more than half of it, P(v − v₀) > ½ (P₀ + P), and by being `heavy` beside the kinetic energy.
    PSEUDO_OLD and S_PSEUDO_OLD keep the velocities meanwhile: they are written anew when the step is accepted.
    """
    run = T.run
    E = T.energy_state
    suspected = False
    for e in range(run.n_terms):
        suspected = suspected or E[ENERGY_STRIDE * e + 7] > heavy
    if not suspected:
        return
    n, m = 6 * run.n_nodes, run.n_scalars
    v, v0, kept = T.v, T.v0, T.pseudo_old
    s, s0, rates = T.s, T.s0, T.s_pseudo_old
    w = T.buffer_scratch
    for i in range(n):
        kept[i] = v[i]
        v[i] -= v0[i]
    for i in range(m):
        rates[i] = s[3 * i + 1]
        s[3 * i + 1] -= s0[3 * i + 1]
    total = 0.0
    for e in range(run.n_terms):
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
        totals = T.energy_totals
        for e in range(run.n_terms):
            o = ENERGY_STRIDE * e
            E[o + 3] -= share * E[o + 7]
        totals[3] -= share * total
        totals[5] -= share * total


def record(T: Memory):
    """Append one row: time, nodes, scalars, reactions of eliminated joints, outputs of terms, energies."""
    run = T.run
    row = at(T.rows, run.rows_used * run.row_length)
    last = run.rows_used - 1 if run.rows_used > 0 else run.rows_max  # kept behind the others
    previous = at(T.rows, last * run.row_length)
    row[0] = run.time
    o = 1
    nodes = T.record_nodes
    for i in range(run.n_record_nodes):
        _node_columns(T, nodes[i], at(row, o), at(previous, o), run.recorded > 0)
        o += NODE_COLUMNS
    s = T.s
    scalars = T.record_scalars
    for i in range(run.n_record_scalars):
        for j in range(3):
            row[o + j] = s[3 * scalars[i] + j]
        o += 3
    if run.n_record_followers > 0:
        _follower_reactions(T)
        which = T.record_followers
        for i in range(run.n_record_followers):
            _reaction_columns(T, which[i], at(row, o))
            o += 6
    w = T.buffer_scratch
    terms = T.record_terms
    for i in range(run.n_record_terms):
        d = TermRecord(T.terms, terms[i])
        call_term(T, d, OUTPUT, at(T.lam, d.lam))
        for j in range(d.outputs):
            row[o + j] = w[j]
        o += d.outputs
    if run.use_energy:
        totals = T.energy_totals
        for j in range(ENERGY_COLUMNS):
            row[o + j] = totals[j]
    run.rows_used += 1
    run.recorded += 1
    return OK


def _node_columns(T, node, row, previous, continuous):
    """Position of the body's origin, orientation, and their first and second rates."""
    R = mat(T.R, 9 * node)
    v = at(T.v, 6 * node)
    a = at(T.a, 6 * node)
    arm = mv(R, vec(T.node_origin, 3 * node))
    w, alpha = vec(v, 3), vec(a, 3)
    store(row, 0, add(vec(T.x, 3 * node), arm))
    store(row, 7, add(vec(v, 0), cross(w, arm)))
    store(row, 10, w)
    store(row, 13, add(vec(a, 0), add(cross(alpha, arm), cross(w, cross(w, arm)))))
    store(row, 16, alpha)
    store_quaternion(R, at(row, 3))
    turned = row[3] * previous[3] + row[4] * previous[4] + row[5] * previous[5] + row[6] * previous[6]
    if continuous and turned < 0.0:
        for i in range(4):
            row[3 + i] = -row[3 + i]


def _follower_reactions(T):
    """Force and moment that each eliminated joint transmits to its follower, about the follower node.

    The residual at the follower node is what the joint must supply; a follower that is itself a master also carries its
    followers.
    """
    run = T.run
    run.want = RESIDUAL
    call(T.assemble, T)
    f = T.follower_force
    x = T.x
    for i in range(run.n_followers):
        follower = run.n_followers - 1 - i
        d = FollowerRecord(T.followers, follower)
        master = d.master_follower
        if master >= 0:
            m = FollowerRecord(T.followers, master)
            arm = sub(vec(x, 3 * d.node), vec(x, 3 * m.node))
            force = vec(f, 6 * follower)
            store(f, 6 * master, add(vec(f, 6 * master), force))
            store(f, 6 * master + 3, add(vec(f, 6 * master + 3), add(vec(f, 6 * follower + 3), cross(arm, force))))


def _reaction_columns(T, follower, row):
    """Reaction on B at its marker, in the joint frame on A."""
    d = FollowerRecord(T.followers, follower)
    site = SiteRecord(at(T.sites, d.site))
    f = T.follower_force
    R_s = mat(T.R, 9 * d.node)
    A = mm(mat(T.R, 9 * d.master), mat(site.R_M, 0))
    arm = mv(R_s, vec(site.p_S, 0))
    force = vec(f, 6 * follower)
    store(row, 0, mtv(A, force))
    store(row, 3, mtv(A, sub(vec(f, 6 * follower + 3), cross(arm, force))))
