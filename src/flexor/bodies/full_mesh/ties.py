"""Ties of a whole mesh in large motion: links that follow rigidly, links that average, and what cannot be had."""

from __future__ import annotations

import numpy as np

from flexor.bodies.attachment import Refuse
from flexor.bodies.follower import Follower
from flexor.bodies.marker import Site
from flexor.elements.assembly.dofs import element_widths
from flexor.mesh.mesh import AverageLink, Mesh, RigidLink

ALL = (0, 1, 2, 3, 4, 5)
_FIX = "use formulation: superelement"


def rigid_links(mesh: Mesh) -> tuple[RigidLink, ...]:
    """Interfaces, rigid links and rigid bars of the mesh."""
    bars = tuple(
        RigidLink(bar.nodes[bar.dependent.index(())], (bar.nodes[bar.dependent.index(ALL)],), id=bar.id)
        for bar in mesh.rigid_bars
        if () in bar.dependent and ALL in bar.dependent
    )
    return (*mesh.rigid_links, *bars)


def rigid_tie(node: int, master: int, arm: np.ndarray) -> Follower:
    """A node that follows its master rigidly, at `arm` from it in the body's axes."""
    return Follower("", node, master, Site(master, arm, np.eye(3)), Site(node, np.zeros(3), np.eye(3)), (), ())


def average_around(mesh: Mesh, width: np.ndarray, at: np.ndarray) -> list[int]:
    """Nodes whose motion a point follows: the nearest one if it turns, else those of the elements that meet there."""
    distances = np.linalg.norm(mesh.points - at, axis=1)
    distances[element_widths(mesh) == 0] = np.inf
    nearest = int(np.argmin(distances))
    if width[nearest] == 6:
        return [nearest]
    touching = [block.nodes[np.any(block.nodes == nearest, axis=1)].ravel() for block in mesh.blocks]
    return np.unique(np.concatenate(touching)).tolist()


def refuse_ties(mesh: Mesh, refuse: Refuse) -> None:
    """Refuse links that hold some directions only, or that would hold a node twice."""
    owner: dict[int, int] = {}
    turning = element_widths(mesh) == 6
    links = rigid_links(mesh)
    for link in links:
        for node in link.dependents:
            missing = [c for c in ALL if c not in link.components and (c < 3 or turning[node])]
            if missing:
                why = f"node {mesh.node_ids[node]} would follow in some directions only"
                raise refuse(f"rigid link {link.id} leaves directions free", why, _FIX)
            if owner.setdefault(node, link.id) != link.id:
                why = f"links {owner[node]} and {link.id} both hold it"
                raise refuse(f"node {mesh.node_ids[node]} follows two links", why, "merge them")
    if len(mesh.rigid_links) + len(mesh.rigid_bars) != len(links):
        why = "nodes of a full mesh can only follow rigidly"
        raise refuse("its mesh has rigid bars (RBAR) that leave directions free", why, _FIX)
    for average in mesh.average_links:
        _refuse_average(mesh, average, owner, refuse)


def average_weights(link: AverageLink) -> tuple[np.ndarray, np.ndarray | None]:
    """(k,) weights of the averaged nodes, and (k, 3) levers if they average over a surface."""
    weights = np.array(link.weights, dtype=float) if len(link.weights) else np.ones(len(link.independents))
    return weights, np.array(link.levers, dtype=float) if len(link.levers) else None


def _refuse_average(mesh: Mesh, link: AverageLink, owner: dict[int, int], refuse: Refuse) -> None:
    name = f"average link {link.id} (RBE3)"
    if set(link.components) != set(ALL):
        why = f"node {mesh.node_ids[link.node]} would follow in some directions only"
        raise refuse(f"{name} leaves directions free", why, _FIX)
    if set(link.independent_components) != {0, 1, 2}:
        why = "in large motion a node follows the positions of others"
        raise refuse(f"{name} averages rotations or single directions", why, _FIX)
    if link.node in owner:
        why = f"link {owner[link.node]} holds it too"
        raise refuse(f"node {mesh.node_ids[link.node]} follows two links", why, "leave one of them out")
    w, levers = average_weights(link)
    X = mesh.points[list(link.independents)]
    X = X - w @ X / w.sum()
    second = (w[:, None] * X if levers is None else levers).T @ X  # ∫ x xᵀ dA
    s = np.linalg.eigvalsh(second + second.T)
    if len(X) < 3 or s[1] <= 1e-12 * s[2]:
        raise refuse(f"{name} has nodes on one line", "they leave a rotation free", "average over a surface")
