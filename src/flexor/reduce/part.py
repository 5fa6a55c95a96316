"""The reduced body of a declared flexible body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexor.bodies.flexible_body import IN_MEMORY
from flexor.reduce.reduced import ReducedBody
from flexor.reduce.reduction import reduce_mesh

if TYPE_CHECKING:
    from flexor.bodies.flexible_body import FlexibleBody


def reduced_part(body: FlexibleBody) -> ReducedBody:
    """Read, reduce (or take from the cache) and scale what the declaration asks for."""
    if IN_MEMORY in (body.mesh, body.reduced_body):
        why, fix = "a file cannot carry it", "write the mesh to a file and name that, or use the model in Python"
        raise body.refuse("its mesh was an object in memory", why, fix)
    if body.reduced_body is not None:
        found = body.reduced_body if isinstance(body.reduced_body, ReducedBody) else ReducedBody.load(body.reduced_body)
    else:
        assert body.mesh is not None
        found = reduce_mesh(
            body.mesh,
            body.interfaces or None,
            body.reduction,
            name=body.name,
            material=body.material,
            damping=body.damping,
            units=body.units,
            ignore_supports=body.ignore_supports,
        )
    if body.stiffness_scale != 1.0 or body.mass_scale != 1.0:
        found = found.scaled(stiffness=body.stiffness_scale, density=body.mass_scale)
    return found
