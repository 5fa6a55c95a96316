"""What the modes of a body cannot represent under a contact: the part of its yielding under a force that they leave out.

Under a unit force along n at a point of its surface a free body, whose inertia balances the force, yields there by

    c = Σ (n · S_k)²/ω_k²   over all modes that it has,   of which those that were kept are summed up alike

The difference, the residual flexibility, is the same however the body is held, and independent of time below the frequencies of the modes left out. Of a mesh c is
that of the whole finite-element model, by a static solution; of a body of shape functions that of all modes of its series. (Below an edge length of
the mesh, or a wave of the series, neither knows how a force presses itself in: that is for the law of the contact, as Hertz's.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.bodies.shape_body.shape_body import ShapeBody
from flexor.contact.deformable.beginning import Beginning
from flexor.contact.deformable.material_point import PLACE
from flexor.contact.deformable.moving_pair import carried_by_elements, frame_of
from flexor.threads import few_threads

LARGEST = 60_000
"""Degrees of freedom of a mesh that is solved for this whenever a model is checked."""
SAMPLES = 4
"""Places on a skin beside the one that is nearest at the start."""


@dataclass(frozen=True)
class Yielding:
    """Where the modes leave out most: the place [m] in the axes of the body, the compliance of the body there, and what its modes have of it [m/N]."""

    at: tuple[float, float, float]
    whole: float
    modes: float

    @property
    def missing(self) -> float:
        """[m/N]"""
        return max(self.whole - self.modes, 0.0)

    @property
    def share(self) -> float:
        """Of the yielding that the modes have."""
        return self.modes / self.whole if self.whole > 0.0 else 1.0


def local_yielding(body: Any, start: Beginning, largest: int = LARGEST) -> Yielding | None:
    """At the place where the contact starts and a few others; None where it is not known: of a mesh that is too large, or reduced from matrices.

    A full mesh leaves out nothing.
    """
    n = start.X.R.T @ start.normal
    if isinstance(body, ShapeBody):
        return _of_series(body, start, n)
    return None if carried_by_elements(body) else _of_mesh(body, start, n, largest)


def _of_series(body: ShapeBody, start: Beginning, n: np.ndarray) -> Yielding:
    kept = body.reduced
    x = start.nearest[PLACE : PLACE + 3] + kept.mass_properties.com
    whole = kept
    if body.up_to is not None or body.keep is not None:
        whole = body.replace(up_to=None, keep=None).reduced

    def compliance(of: Any) -> float:
        return float(((n @ of.field.displacement(x[None])[0]) ** 2 / np.diag(of.K)).sum())

    return Yielding(_point(x), compliance(whole), compliance(kept))


def _of_mesh(body: Any, start: Beginning, n: np.ndarray, largest: int) -> Yielding | None:
    from flexor.bodies.floating.mean_axes import mean_axes  # loads SciPy

    reduced = body.reduced
    if reduced.mesh is None or reduced.stretch != 1.0 or len(reduced.shapes) > largest:
        return None
    axes, problem = mean_axes(reduced), body.realisation.loaded_mesh.problem
    _, center = frame_of(body)
    surface = start.pair.points + center
    near = int(np.argmin(np.linalg.norm(surface - center - start.nearest[PLACE : PLACE + 3], axis=1)))
    chosen = _spread(surface, near)
    nodes = [int(np.argmin(np.linalg.norm(reduced.nodes - surface[i], axis=1))) for i in chosen]
    F = np.zeros((len(reduced.shapes), len(nodes)))
    for column, node in enumerate(nodes):
        F[reduced.node_dofs[node, :3], column] = n
    with few_threads(problem.n):
        f = problem.T.T @ F
        q = problem.solve_free(problem.balanced(f))
    whole = reduced.stiffening**-1 * np.einsum("ij,ij->j", f, q)
    modes = ((axes.modes.T @ (reduced.shapes.T @ F)) ** 2 / axes.squares[:, None]).sum(axis=0)
    worst = int(np.argmax(whole - modes))
    return Yielding(_point(reduced.nodes[nodes[worst]]), float(whole[worst]), float(modes[worst]))


def _spread(points: np.ndarray, first: int) -> list[int]:
    """A point, and others as far from each other as can be."""
    chosen = [first]
    away = np.linalg.norm(points - points[first], axis=1)
    for _ in range(SAMPLES):
        chosen.append(int(np.argmax(away)))
        away = np.minimum(away, np.linalg.norm(points - points[chosen[-1]], axis=1))
    return list(dict.fromkeys(chosen))


def _point(x: np.ndarray) -> tuple[float, float, float]:
    return float(x[0]), float(x[1]), float(x[2])
