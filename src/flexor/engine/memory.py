"""The engine's memory: what it holds, by name. See `flexor.law.record`.

A `Memory` is a table of arrays and kernels; `RunRecord` the numbers of a run; a `TermRecord` describes one law in use, a `FollowerRecord` one node
that follows others, a `Scatter` one block of a term's matrix in the system's.
"""

from __future__ import annotations

from flexor.engine.linear.table import EXCEPTION, Linear
from flexor.engine.linear.table import NOT_FINITE as NOT_FINITE
from flexor.engine.linear.table import OK as OK
from flexor.engine.linear.table import SINGULAR as SINGULAR
from flexor.law.face import Coefficients
from flexor.law.record import (
    Record,
    integer,
    integers,
    integers_at,
    kernel_at,
    number,
    numbers,
    numbers_at,
    record_at,
    tail,
)

# status of kernels, beside those of the linear solver
LAW_FAILED, NOT_CONVERGED, REDUNDANCY_LOST, STEP_TOO_SMALL, CHUNK_DONE, SWITCHES_ENDLESSLY = range(
    EXCEPTION + 1, EXCEPTION + 7
)

# how the generalized-α family weighs old and new forces
PSEUDO_FORM, WEIGHTED_FORM = range(2)

# what an equation is, and how its correction is weighed
TRANSLATION, ROTATION, GENERALISED, MULTIPLIER, READING, PADDING = range(6)


# how a follower moves against its master
BY_JOINT, BY_MODES, BY_CURVED_MODES = range(3)


class RunRecord(Record):
    """Counts, settings, clock and counters of a run."""

    # counts
    n_nodes = integer("nodes, the ground included")
    n_scalars = integer("scalar coordinates")
    n_multipliers = integer("multipliers")
    n_equations = integer("equations, padding included")
    n_terms = integer("laws in use")
    n_followers = integer("nodes that follow others")
    n_relays = integer("how many of them are relays")
    n_driven = integer("motions of followers that are functions of time")
    n_locked = integer("equations that are switched off")
    n_independent = integer("nodes with equations of their own")
    n_own_axes = integer("nodes whose rotation is integrated in their own axes")
    n_with_history = integer("terms with a history")
    n_counting = integer("of them those, the last ones, that do nothing but count turns")
    count_turns = integer("whether these are to count")
    n_transitions = integer("terms with regimes")
    n_limits = integer("terms that may find a step too long")
    n_clocks = integer("clocks")
    n_turning = integer("nodes whose axes turn an old matrix")
    n_states = integer("terms whose readings have derivatives")
    n_blocks = integer("control blocks; with some, all readings have to converge in a step")
    n_record_nodes = integer("nodes that are recorded")
    n_record_scalars = integer("scalars that are recorded")
    n_record_followers = integer("followers whose reactions are recorded")
    n_record_terms = integer("terms whose outputs are recorded")

    # what is asked for
    want = integer("what terms are asked for, bits of `flexor.law`")
    right = integer("1: condense the matrix with `right` instead of `gradients`, when linearising")
    symmetric = integer("1: LDLᵀ on one triangle; 0: LU")
    near = integer("1: the factors at hand are of the acceleration's equations in a state nearby")
    curved = integer("1: `jerk` counts where the state is advanced")
    ahead = number("by how much it is advanced", "s")
    still = integer("1: at rest, motions of followers that are functions of time have no rates")

    # settings
    form = integer("PSEUDO_FORM or WEIGHTED_FORM")
    predict = integer("1: the unknowns of a step start from those of the last two")
    modified = integer("1: the matrix is kept while it serves")
    max_iterations = integer("of Newton in one step")
    adaptive = integer("1: step size by the estimated error")
    use_energy = integer("1: energies are integrated")
    record_every = integer("steps between rows, where the step is fixed")
    end_time = number("where the run ends", "s")
    start_time = number("where it began", "s")
    min_step = number("shortest step", "s")
    max_step = number("longest step", "s")
    output_step = number("time between rows, where the step is adaptive", "s")
    alpha_m = number("generalized-α: weight of the old inertia")
    alpha_f = number("generalized-α: weight of the old forces")
    beta = number("Newmark's β")
    gamma = number("Newmark's γ")
    tol_displacement = number("of corrections, in model sizes")
    tol_velocity = number("likewise", "1/s")
    tol_acceleration = number("relative to the accelerations")
    tol_residual = number("of the scaled residual", "N")
    tol_energy = number("average energy of a correction", "J")
    tol_prediction = number("share of what the prediction of the step missed")
    error_tolerance = number("of one step, in model sizes")
    length_scale = number("size of the model", "m")
    norm_sum_weight = number("sum of the weights of the norm")
    big = number("added to the diagonal of equations that are switched off")
    fineness = number("of impacts: steps by which they are resolved, the usual number by that asked for")
    augmentation = number("penalty of the augmented Lagrangian")
    dropped_tolerance = number("how far redundant constraints may open, in model sizes")

    # clock
    time = number("end of the step", "s")
    time0 = number("begin of the step", "s")
    step_size = number("its length", "s")
    next_step = number("length to try next", "s")
    step_old = number("length of the step before, 0 at the start", "s")
    last_step = number("length of the last step that succeeded", "s")

    # counters and findings
    step_count = integer("steps done")
    steps_max = integer("steps to do in one call of the loop")
    rows_used = integer("rows recorded and not yet taken")
    rows_max = integer("rows that there is room for")
    row_length = integer("columns of a row")
    recorded = integer("rows recorded in all")
    step_rows_used = integer("likewise, of the history of steps")
    step_rows_max = integer("likewise")
    factored = integer("1: the factors may serve")
    factored_step = number("length of the step they were made for", "s")
    iterations = integer("of Newton, in all")
    factorisations = integer("in all")
    cuts = integer("steps cut back, in all")
    rejected = integer("steps repeated for their error")
    shortened = integer("steps repeated since a contact found them too long")
    unresolved = integer("steps that contacts found too long and that could not be shortened")
    unresolved_term = integer("the term that found so last")
    unresolved_time = number("when", "s")
    length_share = number(
        "share of the step that would have served for all contacts; by how much the next one may be longer"
    )
    liveliest = number("the fastest approach of late of surfaces that touch", "m/s")
    transitions = integer("changes of regimes, in all")
    rounds = integer("of decisions on regimes, at this instant")
    chattering = integer("steps in a row that ended early where a regime changed, none of them long")
    trials = integer("of the length of a step that ends where one is due")
    bracket_first = number("length of the first one, which went past it", "s")
    bracket_low = number("length of one that does not reach it", "s")
    bracket_high = number("length of one that goes past it; 0: none is looked for", "s")
    bracket_side = integer("−1, 1: which of both was found last")
    settled_at = number(
        "when velocities agreed with the constraints, and accelerations were their own, the last time", "s"
    )
    margin_low = number("least margin there")
    margin_high = number("likewise")
    astray = integer("how many steps get a matrix of their own the next time an old one fails")
    own_matrices = integer("how many of those are left")
    debt = integer("iterations that the matrix in use has cost beyond two a step")
    served = integer("steps that the matrix in use has served")
    turned = integer("1: it is turned with the nodes")
    life_turned = number("steps that one lasts that is, as far as is known")
    life_fixed = number("steps that one lasts that is not")
    renewal = number("cost of a new matrix with its factors, in iterations with an old one")
    dearness = number("the same beyond that of a cheap one")
    error_term = integer("term whose law failed")
    error_code = integer("its status")
    worst_equation = integer("where the residual is largest")
    norm_acceleration = number("of the accelerations")
    largest_spin = number("of any node, at the end of the last step", "rad/s")
    swept = number("that anything may have turned against anything else since turns were counted", "rad")
    reading_change = number("of the readings in the last correction, relative to them")
    contraction = number("of the corrections, remembered from step to step")
    residual_norm = number("of the last residual")
    error_estimate = number("of the last step, in model sizes")
    dropped_residual = number("largest residual of a constraint that is switched off")


class TermRecord(Record):
    """One law in use: which coordinates it touches, where its parameters and its rows are."""

    law = integer("number of the law")
    nodes = integer("how many nodes")
    scalars = integer("how many scalars")
    multipliers = integer("how many multipliers, those that it reads of others included")
    n = integers(3, "these three, as its law reads them", over="nodes")
    node_list = integer("first of its nodes in `term_nodes`")
    scalar_list = integer("first of its scalars in `term_scalars`")
    k = integer("first of its integer parameters")
    p = integer("first of its float parameters")
    h = integer("first of its history, or of that which it borrows")
    acts = integer("−1, or where in `history` the number stands of who is asked, of those that borrow it")
    number = integer("its own number")
    own = integer("how many of the multipliers are its own")
    lam = integer("first of those")
    lam_eq = integer("equation of that one")
    read_list = integer("first of the others in `term_reads`")
    size = integer("rows of its residual")
    outputs = integer("how many signals it gives")
    work = integer("−1, or where in `history` the work is that it put in during the last step")
    loss = integer("−1, or where in `history` the energy is that it lost in the last step")
    scatter = integer("first of its blocks in `scatter`")
    scatter_count = integer("how many")
    contiguous = integer("1: its nodes follow each other in memory")
    points = integer("1: its law reads nothing of them but positions and linear velocities")
    string = integer(
        "−1, or where in `string_parameters` those of the terms stand that are asked together, of which it is the first"
    )
    condense = integer("−1, or where each of its rows stands in the condensed matrix: first in `condense_map`")
    condense_size = integer("rows of the condensed matrix")
    condense_eq = integer("first of their equations in `condense_eq`")


class FollowerRecord(Record):
    """A node that follows a master through the motions of a joint, or the modes of a body."""

    node = integer("the node")
    master = integer("the node that it follows")
    master_follower = integer(
        "number of the master among the followers; −1: it has equations of its own, or is the ground"
    )
    manner = integer("BY_JOINT; BY_MODES: a point of a floating body; BY_CURVED_MODES: likewise, in second order too")
    motion = integer("first of its motions in `motions`")
    motion_count = integer("how many, driven ones included")
    base = integer("columns of what moves the master, the first ones")
    site = integer("where its SiteRecord begins in `sites`")
    gradient = integer("first of its columns in `gradients`, 6 numbers each")
    size = integer("how many columns")
    leading = integer("6 if the columns begin with the motions of a node, else 0")
    own_eq = integer("−1, or the first equation of its node, of a relay")
    column_eq = integer("first of the equations of its columns in `relay_columns`, of a relay")
    scatter = integer("first of its blocks in `scatter`")
    scatter_count = integer("how many")


class MotionRecord(Record):
    """One coordinate by which a follower moves."""

    turns = integer("1: a rotation of its joint; 0: a translation, or a mode")
    axis = integer("which axis of the joint frame, of a joint")
    scalar = integer("the scalar; of a driven motion its number among `driven`")
    drive = integer("−1, or the term that gives it as a function of time")
    column = integer("its column among the follower's; those of driven motions stand behind all others")


class SiteRecord(Record):
    """Where a follower and its master hold each other: a marker on each, and what modes do there."""

    p_M = numbers(3, "marker on the master, in its axes", "m")
    R_M = numbers(9, "axes of it")
    p_S = numbers(3, "marker on the follower, in its axes", "m")
    R_S = numbers(9, "axes of it")
    shapes = tail("displacement S and rotation Ψ by each mode, 6 each")
    curvature = tail("N: the same in second order by each pair of modes, 6 each")


class Scatter(Record):
    """A block of a term's matrix and where it is added to the system's."""

    row = integer("first row in the term's matrix")
    column = integer("first column")
    rows = integer("how many rows")
    columns = integer("how many columns")
    offset = integer("where it begins in the values of the system's matrix")
    stride = integer("from row to row there")
    mode = integer("how it is read: AVERAGED, TRANSPOSED, SCALE_ROWS, SCALE_COLUMNS")


class TermEnergy(Record):
    """Energies of one term, and what their integration goes on from."""

    kinetic = number("kinetic energy", "J")
    potential = number("potential energy", "J")
    strain = number("strain energy", "J")
    dissipated = number("lost since the begin", "J")
    input = number("put in since the begin", "J")
    power_lost = number("at the end of the last step", "W")
    power_input = number("likewise", "W")
    loss = number("in the last step", "J")
    power_lost_before = number("at its begin", "W")


class TotalEnergy(Record):
    """Energies of the whole mechanism, the columns of a row in this order."""

    kinetic = number("kinetic energy", "J")
    potential = number("potential energy", "J")
    strain = number("strain energy", "J")
    dissipated = number("lost since the begin", "J")
    input = number("put in since the begin", "J")
    check_sum = number("what is there and what was lost, less what was put in: constant", "J")


class NodeRow(Record):
    """Columns of a node in a row: motion of the origin of its body."""

    position = numbers(3, "of the origin", "m")
    orientation = numbers(4, "quaternion w, x, y, z of the axes")
    velocity = numbers(3, "of the origin", "m/s")
    angular_velocity = numbers(3, "in global axes", "rad/s")
    acceleration = numbers(3, "of the origin", "m/s²")
    angular_acceleration = numbers(3, "in global axes", "rad/s²")


class StepRow(Record):
    """What is told of a finished step."""

    time = number("its end", "s")
    step_size = number("its length", "s")
    iterations = number("of Newton")
    refactorisations = number("of the matrix")
    cut_backs = number("before it succeeded")
    transitions = number("changes of regimes at its end")


class Memory(Record):
    """All arrays and kernels of the engine."""

    run = record_at(RunRecord, "counts, settings, clock, counters")
    linear = record_at(Linear, "the linear solver")

    # what the mechanism consists of
    laws = integers_at("addresses of the laws")
    strings = integers_at("addresses of those for several terms side by side, 0 if there is none")
    string_parameters = numbers_at("float parameters of terms that are asked together")
    terms = integers_at("a TermRecord each")
    term_reads = integers_at("multipliers of other terms that terms read")
    term_nodes = integers_at("nodes of all terms")
    term_scalars = integers_at("scalars of all terms")
    k_parameters = integers_at("integer parameters of all terms")
    p_parameters = numbers_at("float parameters of all terms")
    history = numbers_at("history of all terms")
    with_history = integers_at("terms that have one")
    with_transitions = integers_at("terms with regimes")
    with_limits = integers_at("terms that may find a step too long")
    with_states = integers_at("terms whose readings have derivatives")
    clocks = numbers_at("period and first tick of each clock", "s")
    followers = integers_at("a FollowerRecord each, masters first")
    motions = integers_at("motions of followers, a MotionRecord each")
    relays = integers_at("followers whose nodes have equations of their own, masters first")
    relay_columns = integers_at("equations of the columns of each")
    sites = numbers_at("markers and shapes of followers, a SiteRecord each")

    # equations
    node_eq = integers_at("first equation of each node; −1: it has none")
    node_follower = integers_at("number of each node among the followers; −1: it follows none")
    scalar_eq = integers_at("equation of each scalar")
    node_list = integers_at("independent nodes")
    turning = integers_at("independent nodes whose axes turn an old matrix (`flexor.engine.turned`)")
    own_axes = integers_at("those whose rotation is integrated in their own axes")
    scatter = integers_at("a Scatter each")
    condense_map = integers_at("places of rows in condensed matrices")
    condense_eq = integers_at("their equations")
    locked_eq = integers_at("equations that are switched off")
    locked_value = integers_at("their diagonals in the values of the matrix")
    locked_size = numbers_at("what their residuals are measured by")
    norm_kind = integers_at("what each equation is: TRANSLATION … PADDING")
    norm_weight = numbers_at("weight of each correction in the norm")

    # state at the end of the step and (0) at its begin
    x = numbers_at("positions of nodes", "m")
    R = numbers_at("orientations of nodes, row by row")
    v = numbers_at("velocities: linear, angular, global axes", "m/s, rad/s")
    a = numbers_at("accelerations", "m/s², rad/s²")
    proper = numbers_at("accelerations less gravity", "m/s², rad/s²")
    s = numbers_at("scalars: value, rate, second rate")
    lam = numbers_at("multipliers")
    x0 = numbers_at("at the begin", "m")
    R0 = numbers_at("at the begin")
    v0 = numbers_at("at the begin", "m/s, rad/s")
    a0 = numbers_at("at the begin", "m/s², rad/s²")
    s0 = numbers_at("at the begin")
    lam0 = numbers_at("at the begin")
    lam_old = numbers_at("a step before")
    pseudo = numbers_at("the unknowns A of nodes", "m/s², rad/s²")
    pseudo0 = numbers_at("at the begin", "m/s², rad/s²")
    pseudo_old = numbers_at("a step before", "m/s², rad/s²")
    s_pseudo = numbers_at("the unknowns of scalars")
    s_pseudo0 = numbers_at("at the begin")
    s_pseudo_old = numbers_at("a step before")
    node_origin = numbers_at("from each node to the origin of its body, in its axes", "m")

    # work
    residual = numbers_at("of the system")
    increment = numbers_at("right-hand side, then correction")
    R_matrix = numbers_at("orientations of nodes when the matrix in use was made")
    jerk = numbers_at("third derivatives of nodes, at the start", "m/s³, rad/s³")
    s_jerk = numbers_at("likewise, of scalars")
    force_bias = numbers_at("old forces in the new residual, weighted form")
    coefficients = record_at(Coefficients, "the laws' c")
    gradients = numbers_at("velocity of followers per rate of their coordinates, 6 per column")
    drives = integers_at("terms that drive motions of followers")
    driven = numbers_at("value, rate and second rate of what they drive")
    buffer_drive = numbers_at("scratch of their functions")
    right = numbers_at("another such gradient, when linearising")
    follower_force = numbers_at("residual at followers", "N, N m")
    buffer_x = numbers_at("nodes of one term, gathered")
    buffer_R = numbers_at("likewise")
    buffer_v = numbers_at("likewise")
    buffer_a = numbers_at("likewise")
    buffer_s = numbers_at("its scalars")
    buffer_lam = numbers_at("its multipliers, augmented")
    buffer_reads = numbers_at("its multipliers with those that it reads of others")
    buffer_residual = numbers_at("its residual")
    buffer_matrix = numbers_at("its matrix")
    buffer_scratch = numbers_at("its scratch")
    buffer_half = numbers_at("its matrix, columns condensed")
    buffer_condensed = numbers_at("and rows")

    # what is written down
    record_nodes = integers_at("nodes that are recorded")
    record_scalars = integers_at("scalars that are recorded")
    record_followers = integers_at("followers whose reactions are recorded")
    record_terms = integers_at("terms whose outputs are recorded")
    rows = numbers_at("recorded rows, and the last one taken behind them")
    step_rows = numbers_at("history of steps, a StepRow each")
    energy_state = numbers_at("a TermEnergy each", "J, W")
    energy_totals = numbers_at("a TotalEnergy, sums over terms", "J")

    # kernels
    follow = kernel_at("pose and motion of followers")
    guess = kernel_at("readings of a term before Newton's iteration")
    assemble = kernel_at("residual and matrix")
    state = kernel_at("state from the unknowns")
    accelerate = kernel_at("accelerations and multipliers of a state")
    advance = kernel_at("the state a little later on its motion")
    step = kernel_at("one step")
    commit = kernel_at("histories")
    switch = kernel_at("regimes decided anew")
    begin_anew = kernel_at("and the accelerations that they have")
    energies = kernel_at("energies")
    write = kernel_at("one row")
    weigh = kernel_at("old forces, weighted form")
    loop = kernel_at("many steps")
