"""What the explicit solver cannot do, told by the name of the item and with the remedy."""

from __future__ import annotations

import numpy as np

from flexor.bodies.rigid_body import Inertial, moment_matrix, rigid_body
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.law import Term

REMEDY = "leave solver out: the implicit solver does it"


def inert_terms(system: System) -> list[Term]:
    """The terms of its rigid bodies and particles; ModelError names all that is no free body or no force."""
    m = system.mechanism
    bodies = [term for term in m.terms if term.law is rigid_body]
    problems: list[tuple[str, str, str]] = []
    owners = {term.nodes[0]: term for term in bodies}
    for i, node in enumerate(m.nodes[1:], start=1):
        if i not in owners:
            problems.append(
                (
                    m.owner(node.name) if node.name else "a node",
                    "it is no rigid body or point mass",
                    "only these have an inertia of their own each",
                )
            )
    problems += [
        (
            m.owner(scalar.name),
            "it has coordinates of its own",
            "bodies that deform and controllers are not integrated so",
        )
        for scalar in m.scalars
    ]
    problems += [
        (follower.joint or "a joint", "it binds bodies", "steps are made body by body, which leaves no constraints")
        for follower in m.followers
    ]
    for term in m.terms:
        if term.readings:
            problems.append(
                (
                    term.name,
                    "it reads, or has states of its own",
                    "they are solved together with the mechanism in every implicit step",
                )
            )
        elif term.n_multipliers:
            problems.append((term.name, "it binds bodies", "steps are made body by body, which leaves no constraints"))
        elif term.law.limits_step:
            why = "steps are shortened for pairs that are found while the run goes on"
            problems.append(
                (term.name, "it is a contact of two surfaces", why + "; write contacts: surfaces: [a], walls: [b]")
            )
        elif term.law.transitions or term.clocks:
            problems.append(
                (term.name, "it switches within a step", "its regimes end where explicit steps cannot look")
            )
    for number, term in owners.items():
        assert term.parameters is not None
        body = Inertial(term.parameters.words)
        inertia = tuple(body.inertia)
        if body.mass <= 0 or (not body.point and min(np.linalg.eigvalsh(moment_matrix(inertia))) <= 0):
            problems.append(
                (
                    term.name,
                    "it has no inertia in some direction",
                    "its acceleration would be without bound; give it mass and inertia, or make it a point_mass",
                )
            )
        if set(m.nodes[number].locked) - {3, 4, 5} or (m.nodes[number].locked and not body.point):
            problems.append(
                (
                    term.name,
                    "some of its motions are locked",
                    "steps are made body by body, which leaves no constraints",
                )
            )
    if problems:
        raise ModelError(
            [Problem(f"solver explicit: '{name}'", what, why, REMEDY) for name, what, why in dict.fromkeys(problems)]
        )
    return bodies


def refuse_inertia(names: list[str]) -> None:
    """Forces that depend on accelerations."""
    if names:
        why = "accelerations follow from the forces on each body alone"
        raise ModelError(
            [Problem(f"solver explicit: '{name}'", "it depends on accelerations", why, REMEDY) for name in names]
        )
