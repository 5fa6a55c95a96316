"""Memory of the explicit solver: what it holds, by name; beside that of the engine, whose states, laws and rows it uses."""

from __future__ import annotations

from flexor.contact.broad.cells import CellTable
from flexor.contact.laws.friction import SurfaceFriction
from flexor.contact.laws.normal import Stiffness
from flexor.engine.memory import Memory
from flexor.law.record import Record, integer, integers_at, kernel_at, nested, number, numbers, numbers_at, record_at

# status of kernels, beside those of the engine
NEEDS_ROOM = 111
"""There are more pairs than there is room for: `needed_pairs` tells how many."""

# what is asked of the pairs
FORCES, SIFTING = range(2)
"""Their forces; which of them are farther apart than the margin."""

# how a body turns
NOT_AT_ALL, ALIKE, BY_AXES = range(3)
"""A particle; with the same inertia about all axes; with three principal moments."""


class ExplicitNumbers(Record):
    """Counts and settings."""

    n_bodies = integer("bodies")
    n_surfaces = integer("surfaces, walls included")
    n_groups = integer("kinds of pairs")
    n_families = integer("kinds of surfaces")
    n_pairs = integer("pairs that are near each other")
    n_forces = integer("terms that are evaluated through their laws")
    n_tallies = integer("items that add up what their pairs do")
    most_pairs = integer("pairs that there is room for")
    needed_pairs = integer("pairs that room is needed for")
    asked = integer("FORCES or SIFTING")
    searches = integer("of pairs, so far")
    tests = integer("of two boxes against each other in all of them")
    mends = integer("steps since rounding was removed from the rotations")
    lazy = integer("1: energies are asked for where rows are written only")
    margin = number("distance within which surfaces are near", "m")
    share = number("part of the longest stable step that is taken, by stiffness")
    dt = number("length of the step at whose end forces are evaluated; 0 at the start", "s")
    fastest = number("fastest point of any surface", "m/s")
    pull = number("largest acceleration of any body", "m/s²")
    strayed = number("farthest that any surface has moved since pairs were searched", "m")
    limit = number("longest step, by what touches now", "s")
    soon = number("longest step, by what is about to touch, by friction, and by what turns", "s")
    damped = integer("steps that damping or friction made much shorter than stiffness asks for")
    resolved = number("longest step, by stiffness alone", "s")
    briefest = integer("number of the body that asks for the shortest step")
    shortened = integer("steps that contacts shortened")
    written = number("up to when energies were summed", "s")
    shown = number("when the engine was given the state", "s")
    shown_count = integer("steps of the grid done then")


class Inert(Record):
    """A body."""

    node = integer("its node")
    manner = integer("NOT_AT_ALL, ALIKE or BY_AXES")
    mass = number("m", "kg")
    moments = numbers(3, "J about the principal axes", "kg m²")
    axes = numbers(9, "principal axes in those of the body, as columns")
    lightness = number("1/m", "1/kg")
    nimbleness = number("1/J of the smallest one; 0 of a particle", "1/(kg m²)")
    base_stiffness = number("bound of ω² by forces other than contacts", "1/s²")
    base_damping = number("likewise of d/m", "1/s")


class SurfaceRecord(Record):
    """A surface."""

    node = integer("its node; 0: the ground")
    body = integer("number of its body, −1: the ground")
    family = integer("its kind")
    round = integer("1: a sphere about its node")
    moves = integer("1: it is on a body")
    sweeps = integer("1: it has no end, too: as it turns, places of it move the faster the farther they are")
    size = integer("first of its numbers in `sizes`")
    p = numbers(3, "origin of its axes on the node", "m")
    R = numbers(9, "its axes there")
    half = numbers(3, "half sides of the box around it, in its axes", "m")
    bound = number("radius about its origin of all that may touch; 1e150: none", "m")
    reach = number("distance from the node of its farthest point", "m")
    curvature = number("of a sphere 1/r, negative of a hollow one; 0 of a plane", "1/m")


class PairGroup(Record):
    """A kind of pairs: two kinds of surfaces of one item."""

    first = integer("number of its first pair")
    count = integer("how many there are")
    places = integer("at how many places two of them may touch")
    grips = integer("first word of its grips")
    size_a = integer("first of the numbers of surface a, where they depend on what it touches; −1: its own")
    size_b = integer("likewise of surface b")
    tally = integer("where in the engine's history its item adds up what its pairs do")
    slack = number("overlap that may be unseen; 0: nothing is looked at", "m")
    count_a = integer("pieces of the edges of a, see `flexor.contact.unseen`")
    edges_a = integer("first of their numbers in `sizes`")
    count_b = integer("likewise of b")
    edges_b = integer("likewise")
    curved = integer("1: K is that of surfaces with relative curvatures of 1/m; it goes with 1/√κ")
    stiffness = nested(Stiffness, "normal force")
    rubbing = nested(SurfaceFriction, "friction")


class Grip(Record):
    """What a pair remembers at one of its places; vectors in the axes of its first surface."""

    known = number("1: it has been looked at")
    impact = number("speed at which the surfaces met", "m/s")
    stretch = numbers(3, "ξ of the asperities", "m")
    turn = numbers(3, "likewise of rolling and spinning", "rad")


GRIP_WORDS = Grip.WORDS


class ExplicitMemory(Record):
    """All arrays and kernels."""

    engine = record_at(Memory, "the engine's")
    numbers = record_at(ExplicitNumbers, "counts and settings")
    cells = record_at(CellTable, "search of overlapping boxes")
    bodies = integers_at("an Inert each")
    surfaces = integers_at("a SurfaceRecord each")
    groups = integers_at("a PairGroup each")
    group_of = integers_at("kind of a pair by those of two surfaces, −1: they do not touch")
    turned = integers_at("1: the second of them is surface a of the pair")
    sizes = numbers_at("numbers of all surfaces")
    force = numbers_at("force and moment on each node, 6 each [N, N m]")
    half_velocity = numbers_at("velocity amid the step, 3 per body [m/s]")
    momentum = numbers_at("angular momentum at the end of the step, 3 per body [kg m²/s]")
    half_momentum = numbers_at("likewise amid the step")
    stiffness = numbers_at("bound of ω² per body, the ground last [1/s²]")
    firmness = numbers_at("what stability asks for beyond it, likewise [1/s²]")
    damping = numbers_at("bound of d/m per body, the ground last [1/s]")
    place = numbers_at("origin of each surface, 3 each [m]")
    axes = numbers_at("axes of each surface, 9 each")
    sought = numbers_at("origin of each surface when pairs were searched, 3 each [m]")
    swung = numbers_at("how far each surface may have turned since then [m]")
    pair_a = integers_at("surface a of each pair")
    pair_b = integers_at("surface b of each pair")
    old_a = integers_at("those of the last search")
    old_b = integers_at("those of the last search")
    order = integers_at("room for sorting pairs")
    counts = integers_at("room for counting them")
    old_first = integers_at("first pair of each group in the last search, and how many; two each")
    old_places = integers_at("first word of its grips then")
    grips = numbers_at("a Grip for each place of each pair")
    old_grips = numbers_at("those of the last search")
    forces = integers_at("numbers of the terms that are evaluated through their laws")
    tallies = integers_at("where in the engine's history items add up")
    pairs = kernel_at("pair by pair, what is asked")
    begin = kernel_at("forces of the present state")
    loop = kernel_at("several steps")
    search = kernel_at("pairs that are near")
