"""What has straight edges in what is hollow: boxes, prisms, triangulated surfaces in bores, funnels, races and slots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flexor.bodies.shape import Cone, Cylinder, Extruded, Revolved
from flexor.contact.approach.hollow.mouth import (
    MOST_EDGES,
    juts,
    mouths_of_contour,
    mouths_of_cylinder,
    on_rims,
)
from flexor.contact.approach.hollow.mouth import on_ends as on_ends_of_slot
from flexor.contact.approach.pair import SurfacePair as Pair
from flexor.contact.approach.pair import joined
from flexor.contact.approach.point import (
    MOST_CORNERS,
    corners_on,
)
from flexor.contact.distance.kinds import DISTANCES
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.contour import ContourSize
from flexor.contact.surfaces.facets import facets_of
from flexor.contact.surfaces.triangles import TrianglesSize


def edges_within(solid: Any, b: Any) -> Pair:
    """What has straight edges in what is hollow: with its corners, and with its edges across the rims of that."""
    distance, size = DISTANCES[type(solid)], TrianglesSize(facets_of(b).words)
    corners = Pair(corners_on(distance), min(int(size.corners), MOST_CORNERS))
    if type(solid) not in MOUTHS:
        return corners
    mouth_of, count = MOUTHS[type(solid)]
    rims, edges = count(solid), min(int(size.edges), MOST_EDGES)
    if not rims:
        return corners
    crossing = on_rims(mouth_of, distance, rims) if mouth_of else on_ends_of_slot(distance)
    return joined(corners, Pair(crossing, 2 * rims * edges))


def _rims_of_contour(solid: Any) -> int:
    """How many sharp edges about its axis a hollow body of revolution has."""
    size = ContourSize(SURFACES[type(solid)].pack(solid).words)
    return sum(bool(juts(size, i)) for i in range(size.count - (0 if size.closed else 1)))


MOUTHS: dict[type, tuple[Callable | None, Callable]] = {
    Cylinder: (mouths_of_cylinder, lambda solid: 2),
    Extruded: (None, lambda solid: 2),
    Cone: (mouths_of_contour, _rims_of_contour),
    Revolved: (mouths_of_contour, _rims_of_contour),
}
"""Of what is hollow its sharp rims about an axis, and how many it has; of a slot its contour at both ends."""
