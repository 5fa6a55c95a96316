"""What is written down: rows of signals, and the energies of FTG 9.2."""

from __future__ import annotations

from flexor.coordinates.driven import DrivenPast
from flexor.engine.assemble import call_term
from flexor.engine.memory import (
    OK,
    FollowerRecord,
    Memory,
    MotionRecord,
    NodeRow,
    SiteRecord,
    TermEnergy,
    TermRecord,
    TotalEnergy,
)
from flexor.law import COMMIT, ENERGY, OUTPUT, RESIDUAL
from flexor.law.face import EnergyAnswer
from flexor.law.primitives import at, call
from flexor.law.rotation_vector import store_quaternion
from flexor.law.tuples import add, cross, dot, mat, mm, mtv, mv, store, sub, vec

NODE_COLUMNS = NodeRow.WORDS
ENERGY_COLUMNS = TotalEnergy.WORDS
ANSWERS = EnergyAnswer.WORDS
HEAVY = 0.2  # loss of a term in a step, relative to the kinetic energy, that may be too much for the step


def commit(T: Memory):
    """Let the laws with memory take the state of the finished step as their history."""
    run = T.run
    which = T.with_history
    n = run.n_with_history if run.count_turns else run.n_with_history - run.n_counting
    for i in range(n):
        d = TermRecord(T.terms, which[i])
        T.buffer_scratch[2] = run.fineness
        call_term(T, d, COMMIT, at(T.lam, d.lam))
    return OK


def energies(T: Memory):
    """Energies of every term; losses and input are integrated over time by the trapezoidal rule.   FTG (9.9), (9.12)

    Some laws tell the work or the loss of a step themselves, where what they are given may jump, or where they yield or break.

    STEP_SIZE = 0 starts the integration. Losses that a step is too long for are limited (`_limit_losses`).
    """
    run = T.run
    h = T.run.step_size
    totals = TotalEnergy(T.energy_totals)
    answer = EnergyAnswer(T.buffer_scratch)
    kinetic, stored = totals.kinetic, _check_sum(totals)
    if run.n_driven > 0:
        _follower_reactions(T)
    for i in range(ENERGY_COLUMNS):
        T.energy_totals[i] = 0.0
    for e in range(run.n_terms):
        if TermRecord(T.terms, e).acts >= 0:
            continue
        _energies_of(T, e)
        own = TermEnergy(T.energy_state, e)
        d = TermRecord(T.terms, e)
        work = d.work
        own.kinetic, own.potential, own.strain = answer.kinetic, answer.potential, answer.strain
        own.loss = 0.5 * h * (own.power_lost + answer.lost) if d.loss < 0 else T.history[d.loss] if h > 0.0 else 0.0
        own.dissipated += own.loss
        own.input += 0.5 * h * (own.power_input + answer.input) if work < 0 else T.history[work] if h > 0.0 else 0.0
        own.power_lost_before = own.power_lost
        own.power_lost, own.power_input = answer.lost, answer.input
        totals.kinetic += own.kinetic
        totals.potential += own.potential
        totals.strain += own.strain
        totals.dissipated += own.dissipated
        totals.input += own.input
    totals.check_sum = _check_sum(totals)
    if h > 0.0 and totals.check_sum > stored:
        _limit_losses(T, HEAVY * 0.5 * (kinetic + totals.kinetic), totals.check_sum - stored)
    return OK


def _check_sum(totals):
    """What is there and what was lost, less what was put in.   FTG (9.15)"""
    return totals.kinetic + totals.potential + totals.strain + totals.dissipated - totals.input


def _energies_of(T, e):
    """Let the law of a term put its EnergyAnswer into the scratch."""
    w = T.buffer_scratch
    d = TermRecord(T.terms, e)
    for i in range(ANSWERS):
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
    suspected = False
    for e in range(run.n_terms):
        suspected = suspected or TermEnergy(T.energy_state, e).loss > heavy
    if not suspected:
        return
    n, m = 6 * run.n_nodes, run.n_scalars
    v, v0, kept = T.v, T.v0, T.pseudo_old
    s, s0, rates = T.s, T.s0, T.s_pseudo_old
    answer = EnergyAnswer(T.buffer_scratch)
    for i in range(n):
        kept[i] = v[i]
        v[i] -= v0[i]
    for i in range(m):
        rates[i] = s[3 * i + 1]
        s[3 * i + 1] -= s0[3 * i + 1]
    total = 0.0
    for e in range(run.n_terms):
        own = TermEnergy(T.energy_state, e)
        if own.loss > heavy:
            _energies_of(T, e)
            if answer.lost > 0.5 * (own.power_lost_before + own.power_lost):
                total += own.loss
            else:
                own.loss = 0.0
        else:
            own.loss = 0.0
    for i in range(n):
        v[i] = kept[i]
    for i in range(m):
        s[3 * i + 1] = rates[i]
    if total > 0.0:
        share = min(1.0, gained / total)
        totals = TotalEnergy(T.energy_totals)
        for e in range(run.n_terms):
            own = TermEnergy(T.energy_state, e)
            own.dissipated -= share * own.loss
        totals.dissipated -= share * total
        totals.check_sum -= share * total


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
        _node_columns(T, nodes[i], NodeRow(at(row, o)), NodeRow(at(previous, o)).orientation, run.recorded > 0)
        o += NODE_COLUMNS
    s = T.s
    scalars = T.record_scalars
    for i in range(run.n_record_scalars):
        for j in range(3):
            row[o + j] = s[3 * scalars[i] + j]
        o += 3
    if run.n_record_followers > 0 or run.n_driven > 0:
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


def _node_columns(T, node, row, before, continuous):
    """Position of the body's origin, orientation, and their first and second rates; before: the orientation in the last row."""
    R = mat(T.R, 9 * node)
    v = at(T.v, 6 * node)
    a = at(T.a, 6 * node)
    arm = mv(R, vec(T.node_origin, 3 * node))
    w, alpha = vec(v, 3), vec(a, 3)
    store(row.position, 0, add(vec(T.x, 3 * node), arm))
    store(row.velocity, 0, add(vec(v, 0), cross(w, arm)))
    store(row.angular_velocity, 0, w)
    store(row.acceleration, 0, add(vec(a, 0), add(cross(alpha, arm), cross(w, cross(w, arm)))))
    store(row.angular_acceleration, 0, alpha)
    q = row.orientation
    store_quaternion(R, q)
    turned = q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3]
    if continuous and turned < 0.0:
        for i in range(4):
            q[i] = -q[i]


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
    if run.n_driven > 0:
        for follower in range(run.n_followers):
            _drive_efforts(T, FollowerRecord(T.followers, follower), at(f, 6 * follower))


def _drive_efforts(T, d, f):
    """Leave with each term that drives a motion what the joint transmits along it: t · f + w · m"""
    J = at(T.gradients, d.gradient)
    for j in range(d.motion_count):
        motion = MotionRecord(at(T.motions, d.motion), j)
        if motion.drive >= 0:
            o = 6 * motion.column
            effort = dot(vec(J, o), vec(f, 0)) + dot(vec(J, o + 3), vec(f, 3))
            DrivenPast(at(T.history, TermRecord(T.terms, motion.drive).h)).effort = effort


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
