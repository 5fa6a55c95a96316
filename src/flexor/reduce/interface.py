"""Where joints attach to a flexible body: nodes of the mesh that form a connection node of six degrees of freedom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from flexor.declaration import Declaration, Point
from flexor.errors import ModelError
from flexor.mesh.mesh import Mesh
from flexor.mesh.select import NodeSet, OnCylinder, OnSphere, Selection
from flexor.spatial import direction


class Interface(Declaration):
    """Nodes tied to one connection node, where joints, loads and springs attach.

    A rigid tie makes the nodes a rigid surface (RBE2, a strutted flange); an average lets them deform freely and
    spreads the load over their area (RBE3).
    """

    by_area: ClassVar[bool] = True
    """Whether an average is taken over the surface that the nodes span."""

    positional: ClassVar[tuple[str, ...]] = ("nodes",)
    type: Literal["interface"] = "interface"
    nodes: Selection = Field(description="The nodes: a selection, the name of a node set, or node numbers.")
    at: Point | None = Field(
        None, description="Position of the connection node [m]; the middle of the nodes, on the axis of a cylinder."
    )
    tie: Literal["rigid", "average"] = Field("rigid", description="How the nodes follow the connection node.")

    @model_serializer(mode="wrap")
    def _short(self, write: SerializerFunctionWrapHandler) -> object:
        """`x_max`, or the selection alone, where nothing else is told; else a table with the nodes among it."""
        data = write(self)
        nodes = self.nodes.name if isinstance(self.nodes, NodeSet) else data["nodes"]
        if self.at is None and self.tie == "rigid":
            return nodes
        return {**data, "nodes": nodes}

    def center(self, mesh: Mesh, nodes: np.ndarray) -> np.ndarray:
        """Where the connection node is [m]."""
        if self.at is not None:
            return np.array(self.at, dtype=float)
        points = mesh.points[nodes]
        middle = (points.min(axis=0) + points.max(axis=0)) / 2 if len(nodes) > 1 else points[0]
        if isinstance(self.nodes, OnSphere):
            return np.array(self.nodes.at)
        if isinstance(self.nodes, OnCylinder):
            a, origin = direction(self.nodes.axis), np.array(self.nodes.at)
            along = (points - origin) @ a
            return origin + 0.5 * (along.min() + along.max()) * a
        return middle


class Neighbourhood(Interface):
    """The nodes of the elements around a marker: they fill a volume and count alike."""

    by_area: ClassVar[bool] = False


Interfaces = Mapping[str, Interface | Selection | str | int | Sequence[int] | np.ndarray]
"""What a user writes by name: selections, names of node sets, node numbers, or interfaces."""


def interfaces_of(given: Interfaces | None, mesh: Mesh) -> dict[str, Interface]:
    """Interfaces by name from what a user wrote: selections, names of node sets, node numbers, or interfaces.

    Without any, those that the mesh marks as retained (ASET).
    """
    if given is None:
        nodes = dict.fromkeys(node for node, _ in mesh.retained)
        return {
            f"node {mesh.node_ids[n]}": Interface({"type": "numbered", "ids": [int(mesh.node_ids[n])]}) for n in nodes
        }
    return {str(name): as_interface(str(name), what) for name, what in given.items()}


def as_interface(name: str, what: object) -> Interface:
    """An interface from what a user wrote."""
    if isinstance(what, Interface):
        return what
    try:
        return Interface(**what) if isinstance(what, Mapping) and "nodes" in what else Interface(what)
    except ModelError as error:
        raise ModelError([replace(p, where=f"interface '{name}'") for p in error.problems]) from None
