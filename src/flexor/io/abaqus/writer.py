"""A mesh as an Abaqus or CalculiX input file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from flexor.elements import by_name
from flexor.io.element_names import in_their_order
from flexor.io.replaceable import write_file
from flexor.materials import Isotropic, Orthotropic
from flexor.mesh.mesh import Block, Mesh, refuse_swapped
from flexor.mesh.section import BoxProfile, Circle, GeneralSection, IProfile, Laminate, Rectangle, ShellSection, Tube

_TYPES = {"hex8": "C3D8I"}  # ours has incompatible modes too


def write_inp(path: str | Path, mesh: Mesh, *, steps: str = "", types: dict[str, str] | None = None) -> tuple[str, ...]:
    """Write a mesh (SI) as .inp; returns what could not be written, which also stands in comments of the file.

    steps: text put at the end, e.g. "*STEP\\n*FREQUENCY\\n10\\n*END STEP".   types: element type by Flexor's name, e.g.
    {"hex8": "C3D8R"}; by default the first of the element's own, C3D8I for hex8.
    """
    refuse_swapped("write_inp", path, mesh)
    out = _Writer(mesh, {**_TYPES, **(types or {})})
    rows = [*out.nodes(), *out.sets(), *out.materials()]
    for number, block in enumerate(mesh.blocks, start=1):
        rows += out.block(block, number)
    rows += [*out.masses(), *out.links(), *out.supports()]
    for what, held in (("loads", mesh.loads), ("surfaces", mesh.surfaces)):
        if held:
            out.left_out.append(f"{len(held)} {what}")
    left_out = tuple(dict.fromkeys(out.left_out))
    comments = [f"** left out: {each}" for each in left_out]
    text = "\n".join(
        ["** written by Flexor", "*HEADING", mesh.title or "mesh", *comments, *rows, steps.strip()]
    ).rstrip()
    write_file(path, text + "\n", "Abaqus input file")
    return left_out


class _Writer:
    def __init__(self, mesh: Mesh, types: dict[str, str]) -> None:
        self.mesh, self.types = mesh, types
        self.left_out: list[str] = []
        self.next_node = int(mesh.node_ids.max(initial=0)) + 1
        self.next_element = max((int(b.ids.max(initial=0)) for b in mesh.blocks), default=0) + 1

    def nodes(self) -> list[str]:
        rows = zip(self.mesh.node_ids.tolist(), self.mesh.points.tolist())
        return ["*NODE, NSET=ALL_NODES", *(f"{n}, {x!r}, {y!r}, {z!r}" for n, (x, y, z) in rows)]

    def sets(self) -> list[str]:
        rows: list[str] = []
        for name, members in self.mesh.node_sets.items():
            if len(members):
                rows += [f"*NSET, NSET={_name(name)}", *_list(self.mesh.node_ids[members].tolist())]
        return rows

    def materials(self) -> list[str]:
        rows: list[str] = []
        for name, m in self.mesh.materials.items():
            if isinstance(m, Isotropic):
                constants = ["*ELASTIC", f"{m.young!r}, {m.poisson!r}"]
            elif isinstance(m, Orthotropic):
                (E1, E2, E3), (n12, n23, n13), (G12, G23, G13) = m.young, m.poisson, m.shear
                values = (E1, E2, E3, n12, n13, n23, G12, G13)
                constants = ["*ELASTIC, TYPE=ENGINEERING CONSTANTS", ", ".join(map(repr, values)), repr(G23)]
            else:
                self.left_out.append(f"material {name!r}")
                continue
            damping = [f"*DAMPING, BETA={m.damping!r}"] if m.damping else []
            rows += [f"*MATERIAL, NAME={_name(name)}", *constants, "*DENSITY", repr(m.density), *damping]
        return rows

    def block(self, block: Block, number: int) -> list[str]:
        kind = by_name[block.element]
        name = self.types.get(block.element) or next(iter(kind.abaqus), None)
        if name is None or block.element in ("spring", "rotational_spring"):
            self.left_out.append(f"{len(block.ids)} elements of kind {block.element}")
            return []
        nodes = self.mesh.node_ids[in_their_order(block.nodes, kind.abaqus_order)]
        elset = f"BLOCK{number}"
        rows = [f"*ELEMENT, TYPE={name}, ELSET={elset}"]
        for element, own in zip(block.ids.tolist(), nodes.tolist()):
            rows += _list([element, *own])
        return rows + self._element_sets(block, elset) + self.section(block, elset)

    def _element_sets(self, block: Block, elset: str) -> list[str]:
        rows: list[str] = []
        for name, members in self.mesh.element_sets.items():
            inside = np.intersect1d(members, block.ids)
            if len(inside) == len(block.ids):
                rows += [f"*ELSET, ELSET={_name(name)}", elset]
            elif len(inside):
                rows += [f"*ELSET, ELSET={_name(name)}", *_list(inside.tolist())]
        return rows

    def section(self, block: Block, elset: str) -> list[str]:
        section = self.mesh.sections.get(block.section or "")
        if block.material is None:
            self.left_out.append(f"material of block {elset}, which has none")
            return []
        if set(block.data) - {"offsets"} or (block.element == "beam2" and "offsets" in block.data):
            self.left_out.append(f"{', '.join(sorted(block.data))} of {block.element} elements")
        if isinstance(section, ShellSection | Laminate):
            return self._shell(block, elset, section)
        if section is not None:
            return self._beam(block, elset, section)
        turned, option = self._orientation(block, elset)
        return [*turned, f"*SOLID SECTION, ELSET={elset}, MATERIAL={_name(block.material)}{option}"]

    def _orientation(self, block: Block, elset: str) -> tuple[list[str], str]:
        """One *ORIENTATION if all elements of the block share it."""
        R = block.orientation
        if R is None or not len(R):
            return [], ""
        if not np.allclose(R, R[0], atol=1e-9):
            self.left_out.append(f"orientations that differ within {elset}")
            return [], ""
        points = ", ".join(f"{v!r}" for v in R[0][:, :2].T.ravel().tolist())
        return [f"*ORIENTATION, NAME=AXES_{elset}", points], f", ORIENTATION=AXES_{elset}"

    def _shell(self, block: Block, elset: str, section: ShellSection | Laminate) -> list[str]:
        if section.area_mass:
            self.left_out.append("mass of shells beside their material's")
        if isinstance(section, ShellSection):
            offset = f", OFFSET={-section.offset / section.thickness!r}" if section.offset else ""
            return [
                f"*SHELL SECTION, ELSET={elset}, MATERIAL={_name(block.material or '')}{offset}",
                repr(section.thickness),
            ]
        turned, option = self._orientation(block, elset)
        total = sum(ply.thickness for ply in section.plies)
        offset = f", OFFSET={-section.offset / total!r}" if section.offset else ""
        names = {id(m): n for n, m in self.mesh.materials.items()}
        rows = []
        for ply in section.plies:
            name = names.get(id(ply.material)) or next(
                (n for n, m in self.mesh.materials.items() if m == ply.material), None
            )
            if name is None:
                self.left_out.append(f"laminate of {elset}, whose ply materials have no names")
                return []
            rows.append(f"{ply.thickness!r}, 3, {_name(name)}, {math.degrees(ply.angle)!r}")
        return [*turned, f"*SHELL SECTION, ELSET={elset}, COMPOSITE{option}{offset}", *rows]

    def _beam(self, block: Block, elset: str, section: object) -> list[str]:
        """One *BEAM SECTION per direction of the first axis."""
        sizes = _beam_sizes(section)
        if sizes is None or block.orientation is None:
            self.left_out.append(f"beam section of {elset}")
            return []
        shape, values = sizes
        rows: list[str] = []
        directions, which = np.unique(np.round(block.orientation[:, :, 1], 12), axis=0, return_inverse=True)
        for i, n1 in enumerate(directions.tolist()):
            own = f"{elset}_{i + 1}"
            rows += [f"*ELSET, ELSET={own}", *_list(block.ids[which.ravel() == i].tolist())]
            axis = ", ".join(repr(v) for v in n1)
            line = ", ".join(repr(v) for v in values)
            if shape == "GENERAL":
                m = self.mesh.materials[block.material or ""]
                moduli = f"{m.young!r}, {m.shear!r}" if isinstance(m, Isotropic) else f"{m.young[0]!r}, {m.shear[0]!r}"
                head = f"*BEAM GENERAL SECTION, SECTION=GENERAL, ELSET={own}, DENSITY={m.density!r}"
                rows += [head, line, axis, moduli]
            else:
                rows += [
                    f"*BEAM SECTION, SECTION={shape}, ELSET={own}, MATERIAL={_name(block.material or '')}",
                    line,
                    axis,
                ]
        return rows

    def masses(self) -> list[str]:
        rows: list[str] = []
        for mass in self.mesh.masses:
            m = mass.matrix[0, 0]
            if not np.allclose(mass.matrix, np.diag([m, m, m, 0, 0, 0])):
                self.left_out.append(f"inertia and offset of the mass at node {self.mesh.node_ids[mass.node]}")
            elset = f"MASS{self.next_element}"
            node = self.mesh.node_ids[mass.node]
            rows += [
                f"*ELEMENT, TYPE=MASS, ELSET={elset}",
                f"{self.next_element}, {node}",
                f"*MASS, ELSET={elset}",
                repr(float(m)),
            ]
            self.next_element += 1
        return rows

    def links(self) -> list[str]:
        rows: list[str] = []
        for i, link in enumerate(self.mesh.rigid_links, start=1):
            if not {0, 1, 2} <= set(link.components):
                self.left_out.append("rigid links that leave translations free")
                continue
            x, y, z = self.mesh.points[link.node].tolist()
            rows += [f"*NODE, NSET=TURN{i}", f"{self.next_node}, {x!r}, {y!r}, {z!r}", f"*NSET, NSET=LINK{i}"]
            rows += _list(self.mesh.node_ids[list(link.dependents)].tolist())
            reference = self.mesh.node_ids[link.node]
            rows.append(f"*RIGID BODY, NSET=LINK{i}, REF NODE={reference}, ROT NODE={self.next_node}")
            self.next_node += 1
        for kind, count in (("rigid bars", len(self.mesh.rigid_bars)), ("average links", len(self.mesh.average_links))):
            if count:
                self.left_out.append(f"{count} {kind}")
        return rows

    def supports(self) -> list[str]:
        rows = [f"{self.mesh.node_ids[node]}, {c + 1}, {c + 1}" for node, held in self.mesh.fixed for c in held]
        return ["*BOUNDARY", *rows] if rows else []


def _beam_sizes(section: object) -> tuple[str, Sequence[float]] | None:
    if isinstance(section, Rectangle):
        return "RECT", (section.width, section.height)
    if isinstance(section, Circle):
        return "CIRC", (section.radius,)
    if isinstance(section, Tube):
        return "PIPE", (section.radius, section.thickness)
    if isinstance(section, BoxProfile):
        return "BOX", (section.width, section.height, *(section.thickness,) * 4)
    if isinstance(section, IProfile):
        b, h, t = section.width, section.height, section.flange
        return "I", (h / 2, h, b, b, t, t, section.web)
    if isinstance(section, GeneralSection):
        return "GENERAL", (section.area, section.Iy, section.Iyz, section.Iz, section.J)
    return None


def _name(name: str) -> str:
    """A name that both programs take: letters, digits and underscores, a letter first."""
    plain = re.sub(r"\W", "_", name, flags=re.ASCII)
    return plain if plain[:1].isalpha() else f"N_{plain}"


def _list(numbers: Iterable[int]) -> list[str]:
    """Lines of at most 16 numbers; all but the last end with a comma."""
    members = [str(n) for n in numbers]
    rows = [", ".join(members[i : i + 16]) for i in range(0, len(members), 16)]
    return [row + "," for row in rows[:-1]] + rows[-1:]
