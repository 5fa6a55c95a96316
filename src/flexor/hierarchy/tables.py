"""The tree solver's memory, filled for a compiled mechanism: bodies, joints, subsystems and where each of them stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexor.engine.memory import FollowerRecord
from flexor.engine.system import System
from flexor.hierarchy.memory import CONSTRAINT, GENERAL, INERTIA, RIGID, Cell, JointRows, Subsystem
from flexor.hierarchy.partition import Grouping, Joined, paired


@dataclass(frozen=True)
class Attached:
    """A node (its number, six coordinates) or a scalar that constraints act on."""

    node: int = -1
    scalar: int = -1

    @property
    def width(self) -> int:
        return 6 if self.node >= 0 else 1


class Cells:
    """Which equations belong to which body: those that inertia couples.

    of_equation: number of the body of each equation, −1 for those of constraints.   members: equations of each body.
    """

    def __init__(self, system: System, kinds: np.ndarray) -> None:
        equations, memory = system.equations, system.memory
        root = list(range(equations.pattern.n))

        def find(i: int) -> int:
            while root[i] != i:
                root[i] = root[root[i]]
                i = root[i]
            return i

        def unite(own: Sequence[int]) -> None:
            for other in own[1:]:
                root[find(other)] = find(own[0])

        starts = []
        for node in memory.node_list:
            eq = int(memory.node_eq[node])
            unite(range(eq, eq + 6))
            starts.append(eq)
        starts += [int(eq) for eq in memory.scalar_eq]
        for number, term in enumerate(system.mechanism.terms):
            if kinds[number] & INERTIA:
                unite(columns_of(system, term.nodes, term.scalars))
        self.of_equation = np.full(equations.pattern.n, -1)
        self.members: list[list[int]] = []
        number_of: dict[int, int] = {}
        widths = [6] * len(memory.node_list) + [1] * len(memory.scalar_eq)
        for start, width in zip(starts, widths, strict=True):
            cell = number_of.setdefault(find(start), len(self.members))
            if cell == len(self.members):
                self.members.append([])
            self.of_equation[start : start + width] = cell
            self.members[cell] += range(start, start + width)

    def name(self, system: System, cell: int) -> str:
        """Names of the bodies that a cell consists of: one, but for those that elimination hangs on one another."""
        m, eq = system.mechanism, system.memory.node_eq
        own = set(self.members[cell])
        nodes = [node.name for i, node in enumerate(m.nodes) if i > 0 and eq[i] in own]
        scalars = [m.scalars[i].name for i, e in enumerate(system.memory.scalar_eq) if int(e) in own]
        return " + ".join(dict.fromkeys(m.owner(name) for name in nodes or scalars))

    def owners(self, system: System) -> list[str]:
        """Of each cell, the name of its first body."""
        m, found = system.mechanism, [""] * len(self.members)
        nodes = zip((node.name for node in m.nodes[1:]), system.memory.node_eq[1 : len(m.nodes)], strict=True)
        scalars = zip((scalar.name for scalar in m.scalars), system.memory.scalar_eq[: len(m.scalars)], strict=True)
        for name, equation in (*nodes, *scalars):
            if equation >= 0 and not found[cell := int(self.of_equation[int(equation)])]:
                found[cell] = m.owner(name)
        return found

    def cell_of(self, system: System, element: Attached) -> int:
        """Body of a node or scalar; −1 on the ground."""
        columns = columns_of(
            system, (element.node,) if element.node >= 0 else (), (element.scalar,) if element.scalar >= 0 else ()
        )
        return int(self.of_equation[columns[0]]) if columns else -1


def columns_of(system: System, nodes: Sequence[int], scalars: Sequence[int]) -> list[int]:
    """Equations of coordinates that nodes and scalars move with."""
    equations = system.equations
    found = [equations.equation(*column) for node in nodes for column in equations._node_columns(node)]
    return found + [int(system.memory.scalar_eq[s]) for s in scalars]


def tree_tables(
    system: System, kinds: np.ndarray, groups: Sequence[Grouping] = (), cells: Cells | None = None
) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Arrays of the tree's memory, and its counts."""
    return _Builder(system, kinds, cells or Cells(system, kinds), groups).build()


class _Builder:
    def __init__(self, system: System, kinds: np.ndarray, cells: Cells, groups: Sequence[Grouping]) -> None:
        self.system, self.kinds, self.cells, self.groups = system, kinds, cells, groups
        self.terms = [i for i, kind in enumerate(kinds) if kind & CONSTRAINT]
        self.elements = [self._elements(i) for i in self.terms]
        self.bodies = [[cells.cell_of(system, element) for element in elements] for elements in self.elements]

    def _elements(self, number: int) -> list[Attached]:
        term = self.system.mechanism.terms[number]
        return [Attached(node=n) for n in term.nodes] + [Attached(scalar=s) for s in term.scalars]

    def build(self) -> tuple[dict[str, np.ndarray], dict[str, int]]:
        n = len(self.cells.members)
        pairs = paired(n, [[b for b in bodies if b >= 0] for bodies in self.bodies], self.groups)
        home = [
            max(bodies) for bodies in self.bodies
        ]  # of a joint: its only body, or where the last of its bodies meet
        for i, pair in enumerate(pairs):
            for number in pair.joints:
                home[number] = n + i
        order = _children_first(n, pairs)
        place = {s: i for i, s in enumerate(order)}
        self._fill_cells()
        subsystems = np.zeros(len(order) * Subsystem.WORDS, dtype=np.int64)
        joints = np.zeros(len(self.terms) * JointRows.WORDS, dtype=np.int64)
        blocks: list[int] = []
        borders: list[int] = []
        at = {"D": self.n_mobility, "r": self.n_ports, "tau": 0, "Z": 0, "inverse": 0, "u": 0, "G": 0}
        of_home: dict[int, list[int]] = {}
        for q, where in enumerate(home):
            of_home.setdefault(where, []).append(q)
        closing = _closing(self.elements, self.bodies, home, place)
        n_joints = n_blocks = 0
        joint_of = np.full(len(self.kinds), -1, dtype=np.int64)
        layouts: list[list[Attached]] = []  # elements at the border of each subsystem, in order
        work = 64
        levels: list[int] = []
        for i, number in enumerate(order):
            s = Subsystem(subsystems, i)
            if number < n:
                s.left = s.right = -1
                s.cell = number
                sides = [self.port_elements[number], []]
                levels.append(0)
            else:
                pair = pairs[number - n]
                s.left, s.right, s.cell = place[pair.left], place[pair.right], -1
                sides = [layouts[s.left], layouts[s.right]]
                levels.append(max(levels[s.left], levels[s.right]) + 1)
            s.level = levels[-1]
            inner: dict[Attached, tuple[int, int, int]] = {}
            total = 0
            for side, members in enumerate(sides):
                own = 0
                for element in members:
                    inner[element] = side, own, total
                    own += element.width
                    total += element.width
            s.inner = total
            s.joints, s.u = n_joints, at["u"]
            rows = 0
            for q in of_home.get(number, ()):
                joint = JointRows(joints, n_joints)
                term = self.terms[q]
                joint_of[term] = n_joints
                one = self.system.mechanism.terms[term]
                joint.term, joint.rows, joint.first = term, one.n_multipliers, rows
                joint.bound = one.n_multipliers - one.nonholonomic
                joint.G, joint.blocks, joint.u = at["G"], n_blocks, at["u"] + rows
                column = source = 0
                for element, body in zip(self.elements[q], self.bodies[q], strict=True):
                    if body >= 0:
                        side, own, whole = inner[element]
                        blocks += [source, element.width, column, side, own, whole, self.alone[element]]
                        column += element.width
                        n_blocks += 1
                        joint.block_count += 1
                    source += element.width
                joint.width = column
                at["G"] += column * one.n_multipliers
                rows += one.n_multipliers
                n_joints += 1
            s.joint_count, s.rows = len(of_home.get(number, ())), rows
            stays = [element for members in sides for element in members if closing[element] > i]
            layouts.append(stays)
            s.places = len(borders)
            for element in stays:
                first = inner[element][2]
                borders += range(first, first + element.width)
            m = s.border = sum(element.width for element in stays)
            s.D, s.r, s.tau, s.Z, s.inverse = (at[name] for name in ("D", "r", "tau", "Z", "inverse"))
            s.bare = int(number < n and rows == 0 and m == total)
            if s.bare:
                cell = Cell(self.cell_arrays["cells"], number)
                s.D, s.r = cell.D, cell.r
            else:
                at["D"] += m * m
                at["r"] += m
            at["tau"] += m
            at["Z"] += rows * m
            at["inverse"] += rows * rows
            at["u"] += rows
            work = max(
                work,
                total * rows + 4 * rows * rows + 4 * rows,
                total + len(self.cells.members[number]) if number < n else 0,
            )
        arrays: dict[str, np.ndarray] = {
            **self.cell_arrays,
            "subsystems": subsystems,
            "joints": joints,
            "joint_of": joint_of,
            "blocks": _integers(blocks),
            "borders": _integers(borders),
            "term_kind": self.kinds.astype(np.int64),
            "G": np.zeros(at["G"] + 1),
            "D": np.zeros(at["D"] + 1),
            "r": np.zeros(at["r"] + 1),
            "tau": np.zeros(at["tau"] + 1),
            "Z": np.zeros(at["Z"] + 1),
            "inverses": np.zeros(at["inverse"] + 1),
            "u": np.zeros(at["u"] + 1),
            "g": np.zeros(at["u"] + 1),
            "work": np.zeros(work + 8),
            "force": np.zeros(self.system.equations.pattern.n),
            "answer": np.zeros(self.system.equations.pattern.n),
        }
        return arrays, {
            "n_subsystems": len(order),
            "n_cells": n,
            "n_joints": n_joints,
            "n_inertia": len(self.cell_arrays["M"]),
        }

    def _fill_cells(self) -> None:
        """Records of bodies and of the nodes and scalars at which joints hold them."""
        system, cells = self.system, self.cells
        n_eq = system.equations.pattern.n
        records = np.zeros(len(cells.members) * Cell.WORDS, dtype=np.int64)
        used: list[dict[Attached, None]] = [{} for _ in cells.members]
        for elements, bodies in zip(self.elements, self.bodies, strict=True):
            for element, body in zip(elements, bodies, strict=True):
                if body >= 0:
                    used[body][element] = None
        place_of, row_of = np.zeros(n_eq, dtype=np.int64), np.zeros(n_eq, dtype=np.int64)
        ports: list[int] = []
        places: list[int] = []
        eqs: list[int] = []
        self.port_elements: list[list[Attached]] = []
        self.alone: dict[Attached, int] = {}
        n_M = n_V = n_D = n_r = n_ports = 0
        for i, members in enumerate(cells.members):
            c = Cell(records, i)
            size = len(members)
            for j, eq in enumerate(members):
                place_of[eq], row_of[eq] = j, n_M + j * size
            elements = list(used[i])
            own_node = size == 6 and all(e.node >= 0 and system.memory.node_eq[e.node] == members[0] for e in elements)
            c.kind = RIGID if own_node and members[5] == members[0] + 5 else GENERAL
            c.size, c.eqs, c.M = size, len(eqs), n_M
            c.ports, c.port_count = n_ports, len(elements)
            width = 0
            for element in elements:
                ports += self._port(element, width, place_of, places)
                self.alone[element] = n_r + width
                width += element.width
                n_ports += 1
            c.width, c.V, c.D, c.r = width, n_V, n_D, n_r
            self.port_elements.append(elements)
            eqs += members
            n_M += size * size
            n_V += size * width if c.kind == GENERAL else 0
            n_D += width * width
            n_r += width
        self.n_ports, self.n_mobility = n_r, n_D
        self.cell_arrays = {
            "cells": records,
            "ports": _integers(ports),
            "places": _integers(places),
            "cell_eqs": _integers(eqs),
            "cell_of": cells.of_equation.astype(np.int64),
            "place_of": place_of,
            "row_of": row_of,
            "M": np.zeros(n_M),
            "V": np.zeros(n_V + 1),
            "alone": np.zeros(n_r + 1),
        }

    def _port(self, element: Attached, at: int, place_of: np.ndarray, places: list[int]) -> list[int]:
        memory = self.system.memory
        if element.node < 0:
            eq = int(memory.scalar_eq[element.scalar])
            return [eq, 1, at, -1, int(place_of[eq])]
        eq = int(memory.node_eq[element.node])
        if eq >= 0:
            return [eq, 6, at, -1, int(place_of[eq])]
        number = int(memory.node_follower[element.node])
        follower = FollowerRecord(memory.followers, number)
        first = len(places)
        columns = self.system.equations.follower_columns[number]
        assert len(columns) == follower.size
        places += [int(place_of[self.system.equations.equation(*column)]) for column in columns]
        return [-1, 6, at, number, first]


def _children_first(n: int, pairs: Sequence[Joined]) -> list[int]:
    """Numbers of subsystems such that what is joined stands close together, children before parents."""
    if not n:
        return []
    order: list[int] = []
    stack = [n + len(pairs) - 1]
    while stack:
        number = stack.pop()
        order.append(number)
        if number >= n:
            pair = pairs[number - n]
            stack += [pair.left, pair.right]
    return order[::-1]


def _closing(
    elements: list[list[Attached]], bodies: list[list[int]], home: list[int], place: dict[int, int]
) -> dict[Attached, int]:
    """Of each node and scalar that joints hold: the last subsystem in which one does."""
    last: dict[Attached, int] = {}
    for own, body, where in zip(elements, bodies, home, strict=True):
        for element, b in zip(own, body, strict=True):
            if b >= 0:
                last[element] = max(last.get(element, -1), place[where])
    return last


def _integers(values: list[int]) -> np.ndarray:
    return np.array(values or [0], dtype=np.int64)
