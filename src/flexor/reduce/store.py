"""A reduced body in one HDF5 file: arrays with names and units, declarations as JSON, no code.

The file is sealed (`flexor.io.seal`): a copy that lost or changed a byte is refused before HDF5 sees it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from pydantic import TypeAdapter

from flexor.declaration import Declaration
from flexor.io.sealed_hdf5 import SealedFormat
from flexor.materials.material import Material
from flexor.mesh.mesh import AverageLink, Block, Mesh, NodalMass, RigidBar, RigidLink
from flexor.mesh.note import Note
from flexor.mesh.section import Section
from flexor.reduce.damping import Damping
from flexor.reduce.invariants import Invariants
from flexor.reduce.proof import Validation
from flexor.reduce.reduced import ReducedBody

STORE = SealedFormat("reduced body", "flexor reduced body", 5, "reduce the mesh again")
_ARRAYS = {
    "points": "positions of the connection nodes [m]",
    "K": "reduced stiffness; connection nodes x y z θx θy θz first, then generalised coordinates [N/m, N, N m]",
    "M": "reduced mass [kg, kg m, kg m²]",
    "at_connections": "motion of the connection nodes of unit coordinates",
    "gravity": "load of unit accelerations along x, y, z [kg, kg m]",
    "nodes": "positions of all nodes [m]",
    "node_ids": "numbers of the nodes",
    "node_dofs": "row of 'shapes' for x y z θx θy θz of each node, -1 where there is none",
    "shapes": "displacements and rotations of all nodes of unit coordinates",
}


_COUPLINGS: dict[str, Callable[..., RigidLink | RigidBar | AverageLink | NodalMass]] = {
    "rigid_links": RigidLink,
    "rigid_bars": RigidBar,
    "average_links": AverageLink,
    "masses": NodalMass,
}


def save(body: ReducedBody, file: str | Path) -> None:
    """Write a body to a file; one of an earlier body is replaced once the new one is complete, others are refused."""
    STORE.write(file, lambda h5: _write(h5, body))


def load(file: str | Path) -> ReducedBody:
    """The body in a file; FileError if it is not one, or not whole."""
    return STORE.read(file, _read)


def _write(h5: h5py.File, body: ReducedBody) -> None:
    h5.attrs.update({"name": body.name, "method": body.method})
    h5.attrs["interfaces"] = json.dumps(body.interfaces, ensure_ascii=False)
    h5.attrs["why"] = json.dumps(body.why, ensure_ascii=False)
    h5.attrs["damping"] = body.damping.model_dump_json()
    h5.attrs["options"] = json.dumps(dict(body.options))
    h5.attrs["stretch"], h5.attrs["stiffening"] = body.stretch, body.stiffening
    if body.validation is not None:
        told = {f.name: getattr(body.validation, f.name) for f in fields(Validation)}
        h5.attrs["validation"] = json.dumps(told, ensure_ascii=False)
    if body.viscous is not None:
        h5.create_dataset("viscous", data=body.viscous).attrs["meaning"] = "damping beside 'damping' [N s/m, …]"
    for name, meaning in _ARRAYS.items():
        h5.create_dataset(name, data=getattr(body, name)).attrs["meaning"] = meaning
    group = h5.create_group("invariants")
    group.attrs["meaning"] = "integrals over the body about the origin, see flexor.reduce.Invariants"
    for f in fields(Invariants):
        group.create_dataset(f.name, data=getattr(body.invariants, f.name))
    if body.mesh is not None:
        _write_mesh(h5.create_group("mesh"), body.mesh)


def _read(h5: h5py.File) -> ReducedBody:
    told = json.loads(h5.attrs.get("validation", "{}"))
    told = {name: _frozen(value) for name, value in told.items()}
    return ReducedBody(
        name=str(h5.attrs["name"]),
        interfaces=tuple(json.loads(h5.attrs["interfaces"])),
        method=str(h5.attrs["method"]),
        why=tuple(json.loads(h5.attrs["why"])),
        damping=TypeAdapter(Damping).validate_json(h5.attrs["damping"]),
        options=json.loads(h5.attrs["options"]),
        stretch=float(h5.attrs["stretch"]),
        stiffening=float(h5.attrs["stiffening"]),
        validation=Validation(**told) if told else None,
        invariants=Invariants(**{f.name: _value(h5["invariants"][f.name]) for f in fields(Invariants)}),
        mesh=_read_mesh(h5["mesh"], h5["nodes"][()], h5["node_ids"][()], h5.attrs["stretch"]) if "mesh" in h5 else None,
        viscous=h5["viscous"][()] if "viscous" in h5 else None,
        **{name: h5[name][()] for name in _ARRAYS},
    )


def _value(dataset: h5py.Dataset) -> Any:
    return dataset[()] if dataset.shape else float(dataset[()])


def _write_mesh(group: h5py.Group, mesh: Mesh) -> None:
    """Elements, materials, sections and node sets; positions are those of the body's nodes."""
    group.attrs["title"] = mesh.title
    group.attrs["materials"] = _declarations(mesh.materials)
    group.attrs["sections"] = _declarations(mesh.sections)
    for i, block in enumerate(mesh.blocks):
        part = group.create_group(f"blocks/{i}")
        part.attrs["element"] = block.element
        for name in ("material", "section"):
            if getattr(block, name) is not None:
                part.attrs[name] = getattr(block, name)
        part.create_dataset("nodes", data=block.nodes)
        part.create_dataset("ids", data=block.ids)
        if block.orientation is not None:
            part.create_dataset("orientation", data=block.orientation)
        for name, value in block.data.items():
            part.create_dataset(f"data/{name}", data=np.asarray(value))
    couplings: dict[str, list] = {name: [asdict(each) for each in getattr(mesh, name)] for name in _COUPLINGS}
    couplings["fixed"] = [list(each) for each in mesh.fixed]
    notes = [[str(n), getattr(n, "severity", "left out"), getattr(n, "concerns", "mesh")] for n in mesh.notes]
    group.create_dataset("notes", data=json.dumps(notes, ensure_ascii=False))
    for name, faces in mesh.surfaces.items():
        for each in faces:
            group.require_group(f"surfaces/{name.replace('/', '∕')}").create_dataset(str(each.shape[1]), data=each)
    group.create_dataset("couplings", data=json.dumps(couplings, default=np.ndarray.tolist))
    for name, nodes in mesh.node_sets.items():
        group.require_group("node_sets").create_dataset(name.replace("/", "∕"), data=nodes)


def _read_mesh(group: h5py.Group, nodes: np.ndarray, ids: np.ndarray, stretch: float) -> Mesh:
    blocks = []
    for i in range(len(group.get("blocks", ()))):
        part = group[f"blocks/{i}"]
        blocks.append(
            Block(
                element=str(part.attrs["element"]),
                nodes=part["nodes"][()],
                ids=part["ids"][()],
                material=part.attrs.get("material"),
                section=part.attrs.get("section"),
                orientation=part["orientation"][()] if "orientation" in part else None,
                data={name: value[()] for name, value in part["data"].items()} if "data" in part else {},
            )
        )
    couplings = json.loads(group["couplings"][()])
    links: dict[str, Any] = {
        name: tuple(kind(**_tuples(each)) for each in couplings[name]) for name, kind in _COUPLINGS.items()
    }
    return Mesh(
        **links,
        fixed=tuple((int(node), tuple(components)) for node, components in couplings["fixed"]),
        points=nodes / stretch,
        node_ids=ids,
        blocks=tuple(blocks),
        materials=TypeAdapter(dict[str, Material]).validate_json(group.attrs["materials"]),
        sections=TypeAdapter(dict[str, Section]).validate_json(group.attrs["sections"]),
        node_sets={name.replace("∕", "/"): value[()] for name, value in group.get("node_sets", {}).items()},
        surfaces={
            name.replace("∕", "/"): tuple(faces[()] for faces in part.values())
            for name, part in group.get("surfaces", {}).items()
        },
        title=str(group.attrs["title"]),
        notes=tuple(Note(*each) for each in json.loads(group["notes"][()] if "notes" in group else "[]")),
    )


def _tuples(given: Mapping[str, object]) -> dict[str, object]:
    """Lists as tuples, a matrix as an array."""
    return {name: np.array(value) if name == "matrix" else _frozen(value) for name, value in given.items()}


def _frozen(value: object) -> object:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value


def _declarations(table: Mapping[str, Declaration]) -> str:
    return json.dumps({str(name): thing.model_dump(mode="json") for name, thing in table.items()})
