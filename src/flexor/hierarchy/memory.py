"""Memory of the tree solver: what it holds, by name; beside that of the engine, whose states, laws and rows it uses."""

from __future__ import annotations

from flexor.engine.memory import Memory
from flexor.law.record import Record, integer, integers_at, kernel_at, number, numbers, numbers_at, record_at

# what a term contributes, as bits
INERTIA, CONSTRAINT, READING, ONE_SIDED, LATE = 1, 2, 4, 8, 16
"""LATE: a reading that depends on accelerations or reactions, which are known last."""

# what a cell is
RIGID, GENERAL = range(2)

# status of kernels, beside those of the engine
WITHOUT_INERTIA, STOPPED, CUT_OFF = 101, 102, 103
"""STOPPED: another process has given up.   CUT_OFF: others cannot be reached any more."""

# what processes that share a tree tell each other
HEADER, MATRICES, VECTORS, MOTION, STATE = range(5)
"""Status and a number; D at the borders of their branches; r there; accelerations of bodies that several of them need; all of their own."""


# what threads do at the same time, each in its branches
TERMS, TERMS_AGAIN, FACTOR, FORWARD, BACKWARD = range(5)
"""M, f, G, u; f and u alone; the sweeps."""


class TreeNumbers(Record):
    """Counts and settings."""

    n_subsystems = integer("subsystems, leaves included")
    n_cells = integer("bodies: coordinates that are coupled by inertia")
    n_joints = integer("terms with constraints")
    n_inertia = integer("floats of `M`")
    n_readings = integer("terms that read")
    size = integer("floats of a state: 13 per node, 2 per scalar")
    stages = integer("of the Runge–Kutta method")
    stabilise = integer("1: coordinates and velocities are led back to the constraints after each step")
    tolerance = number("mobility along a constraint that counts as none, as a part of what its bodies would have alone")
    closed = number("how far constraints may stay open in positions", "m, rad")
    opening = number("how far they were open at the end of the last step, before they were led back", "m, rad")
    left = number("and after it", "m, rad")
    open_limit = number("from where on a step counts as failed", "m, rad")
    worst = integer("joint that is open most")
    deficient = integer("constraints found to follow from others, the last time")
    bad_cell = integer("cell without inertia")
    evaluations = integer("of accelerations, in all")
    stage = integer("which derivative is asked for; behind those of the method that at the end of a step")
    lazy = integer("1: nothing depends on the engine's state between rows")
    n_links = integer("links of an articulated tree, the ground included; 0: it is none")
    n_forces = integer("forces on it")
    n_counts = integer("angles of its joints that are remembered")
    written = number("up to when rows were written and energies summed", "s")
    partners = integer("other processes that share the tree")
    n_branch = integer("subsystems of the branches of this process")
    n_order = integer("and with those that all compute, the top")
    n_own_terms = integer("terms that this process evaluates")
    n_own_joints = integer("joints likewise")
    asked = integer("what is told next: HEADER, …")
    status = integer("status that is told")
    value = number("number that is told; then the largest of all")
    helpers = integer("threads beside this one that compute branches")
    task = integer("what they do next: TERMS, …")
    n_own_equations = integer("equations of the bodies of this process or thread")


class Cell(Record):
    """A body: its coordinates, their inertia, and the ports at which constraints hold it."""

    kind = integer("RIGID: one node of six coordinates; GENERAL")
    size = integer("coordinates")
    eqs = integer("first of their equations in `cell_eqs`")
    M = integer("first of its inertia in `M`, size × size")
    ports = integer("number of its first port")
    port_count = integer("how many")
    width = integer("coordinates of all ports")
    V = integer("first of L⁻¹Jᵀ in `V`, size × width; of GENERAL ones")
    D = integer("first of its mobility J M⁻¹ Jᵀ in `D`, width × width")
    r = integer("first of what its ports do alone in `r`")


class Port(Record):
    """A node or scalar of a cell at which constraints hold it."""

    eq = integer("first equation, of a coordinate of its own; else −1")
    width = integer("6, of a scalar 1")
    at = integer("its first coordinate among those of the cell's ports")
    follower = integer("number of the follower that it is, else −1")
    place = integer("its first coordinate in the cell, or where its columns' places begin in `places`")


class Subsystem(Record):
    """A leaf, of one cell, or two subsystems that constraints join.   VK 4.2, 4.3"""

    left = integer("subsystem; of a leaf −1")
    right = integer("likewise")
    cell = integer("of a leaf its cell, else −1")
    level = integer("0: a leaf")
    bare = integer(
        "1: a leaf without constraints of its own, all of whose ports stay at the border: D and r are those of its cell"
    )
    joints = integer("number of its first joint")
    joint_count = integer("how many terms")
    rows = integer("rows of these: c")
    inner = integer("coordinates at the borders of its children: n")
    border = integer("coordinates at its own border: m")
    places = integer("where these stand among the inner ones: first in `borders`")
    D = integer("first of D in `D`, m × m")
    r = integer("first of r in `r`, m")
    tau = integer("first of τ in `tau`, m")
    Z = integer("first of S in `Z`, c × m")
    inverse = integer("first of (G D Gᵀ)⁺ in `inverses`, c × c")
    u = integer("first of its rows in `u` and `g`")


class JointRows(Record):
    """A term with constraints, in the subsystem where its bodies first meet."""

    term = integer("number of the term")
    rows = integer("its rows")
    first = integer("first of these in the subsystem")
    G = integer("first of its gradient in `G`, rows × width")
    width = integer("columns of that, the ground left out")
    blocks = integer("number of its first block")
    block_count = integer("how many")
    bound = integer("how many of its rows bind positions, too")
    u = integer("first of its rows in `u` and `g`")


class JointBlock(Record):
    """Columns of a joint's gradient that belong to one node or scalar."""

    source = integer("first column in the matrix of the law")
    width = integer("6, of a scalar 1")
    G = integer("first column in the gradient")
    right = integer("1: it stands at the border of the right child")
    at = integer("first coordinate there")
    inner = integer("first coordinate among those of both children")
    alone = integer("first of what it does alone on the diagonal, in `alone`")


# how a link of an articulated tree moves against the one before
TURN, SLIDE, BALL, STUCK = range(4)


class Link(Record):
    """A link of an articulated tree: a body, or a step between the motions of a joint, without mass."""

    parent = integer("link that carries it")
    kind = integer("TURN, SLIDE: about or along its z axis; BALL; STUCK: not at all")
    state = integer("first of its coordinates in the state")
    node = integer("node of its body, −1 between motions of a joint")
    joint = integer("joint that ends with it, or −1")
    block = integer("which block of that joint's gradient is this body's")


class LinkGiven(Record):
    """What is given of a link, in its own axes about its origin."""

    R = numbers(9, "its axes in those of its parent, before it moves")
    p = numbers(3, "its origin there", "m")
    mass = number("mass", "kg")
    c = numbers(3, "centre of mass", "m")
    J = numbers(6, "moments of inertia about its origin: xx, xy, xz, yy, yz, zz", "kg m²")
    R_N = numbers(9, "axes of the node")
    p_N = numbers(3, "the node", "m")


class LinkMotion(Record):
    """What is computed of a link, in global axes about its origin."""

    R = numbers(9, "its axes")
    w = numbers(3, "angular velocity", "rad/s")
    d = numbers(3, "from the parent's origin to its own", "m")
    c_a = numbers(3, "angular acceleration that velocities ask for", "rad/s²")
    c_l = numbers(3, "likewise of its origin", "m/s²")
    A = numbers(6, "articulated inertia: moment by angular acceleration, symmetric", "kg m²")
    B = numbers(9, "moment by acceleration", "kg m")
    C = numbers(6, "force by acceleration, symmetric", "kg")
    n = numbers(3, "moment that is there without acceleration", "N m")
    f = numbers(3, "likewise the force", "N")
    U_n = numbers(9, "moment by the joint's acceleration; of a BALL A⁻¹B")
    U_f = numbers(3, "force by it; of a BALL A⁻¹u")
    over = number("1/D")
    u = number("what drives the joint", "N or N m")
    alpha = numbers(3, "angular acceleration", "rad/s²")
    a = numbers(3, "proper acceleration of its origin", "m/s²")
    x = numbers(3, "its origin", "m")
    v = numbers(3, "velocity of it", "m/s")


class TreeMemory(Record):
    """All arrays and kernels of the tree solver."""

    engine = record_at(Memory, "the engine's memory")
    numbers = record_at(TreeNumbers, "counts and settings")
    cells = integers_at("a Cell each")
    ports = integers_at("a Port each")
    subsystems = integers_at("a Subsystem each, children first")
    joints = integers_at("a JointRows each")
    blocks = integers_at("a JointBlock each")
    borders = integers_at("places of border coordinates among inner ones")
    places = integers_at("places of followers' columns in their cells")
    cell_eqs = integers_at("equations of cells")
    cell_of = integers_at("cell of each equation, −1 for others")
    place_of = integers_at("place of each equation in its cell")
    row_of = integers_at("where the row of each equation begins in `M`")
    joint_of = integers_at("joint of each term, −1 for others")
    lender = integers_at("term of each multiplier and reading")
    readings = integers_at("terms that read, each after those that it reads")
    order = integers_at("subsystems of this process's branches, then those of the top, children first")
    own_terms = integers_at("terms that it evaluates")
    own_joints = integers_at("joints likewise")
    own_equations = integers_at("equations of its bodies")
    term_kind = integers_at("INERTIA, CONSTRAINT, READING as bits, of each term")

    M = numbers_at("inertia of cells, then its factor or inverse")
    V = numbers_at("L⁻¹ Jᵀ of cells")
    alone = numbers_at("its diagonals")
    force = numbers_at("f in equation order")
    answer = numbers_at("accelerations, or changes of velocities or coordinates, in equation order")
    G = numbers_at("gradients of constraints")
    u = numbers_at("what is left of the constraints")
    g = numbers_at("λ that no border force causes, then λ")
    D = numbers_at("mobility of cells, and at borders of subsystems")
    r = numbers_at("acceleration there without border forces")
    tau = numbers_at("border forces")
    Z = numbers_at("λ by border forces")
    inverses = numbers_at("pseudo-inverses")
    work = numbers_at("scratch")

    links = integers_at("a Link each, parents first; the ground is the first")
    given = numbers_at("a LinkGiven each")
    motion = numbers_at("a LinkMotion each")
    forces = integers_at("terms that act on an articulated tree")
    counts = integers_at("angles that joints remember: place in the state, in the engine's history, sign")

    y = numbers_at("state of a stage: position, quaternion, velocity of nodes; scalars and rates")
    y0 = numbers_at("at the begin of the step")
    y1 = numbers_at("at its end, not led back")
    k = numbers_at("derivatives of all stages")
    weights = numbers_at("by what errors of the state are measured")
    is_rate = integers_at("1: by that and the length of the step")
    tableau = numbers_at("c, A row by row, b, error weights, dense output")

    evaluate = kernel_at("M, f, G, u of all terms")
    accelerate = kernel_at("accelerations and multipliers of the engine's state")
    factor = kernel_at("forward sweep of matrices")
    solve = kernel_at("forward sweep of vectors, top, backward sweep")
    probe = kernel_at("what each term contributes")
    rates = kernel_at("derivative of the state y, number STAGE")
    settle = kernel_at("y led back to the constraints, and its derivative")
    present = kernel_at("the engine's state is that of y, reactions and all")
    begin = kernel_at("the first derivative, of the engine's state")
    loop = kernel_at("many steps")
    part = kernel_at("TASK in the branches at hand")
    fork = kernel_at("let all threads do TASK, and wait for them")
    exchange = kernel_at("tell the other processes what is ASKED, and hear it from them")
