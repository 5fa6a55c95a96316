"""A body of revolution b with a curved profile on a plane: where its profile bulges lowest, and its corners.

The lowest point lies in the meridian that goes down, where the profile (ρ, z) has the least height  h = m ρ + c z  (`flexor.contact.approach.profiles.lowest`),  with the
heights m and c of the unit vectors away from the axis and along it. By quarters of a turn from there the three other meridians: they hold a body that stands level.
Corners, ends of the profile and places where a line becomes curved are rings (`flexor.contact.approach.rings.ring`).
"""

from __future__ import annotations

from flexor.contact.approach.pair import far
from flexor.contact.approach.profiles.lowest import lowest, lowest_of_lobe, rolls_past
from flexor.contact.approach.rings.ring import LEVEL, from_plane
from flexor.coordinates.curve import Piece, point_and_tangent
from flexor.law.dual import sqrt
from flexor.law.primitives import called
from flexor.law.tuples import add, column, scale


def profile_on_plane(a, b, p, R, k):
    """The lowest points of four meridians, then four points of each ring, then of the meridian that goes down those of its lobes; far where another place tells"""
    lobe = k - 4 - 4 * b.corners
    quarter = 0 if lobe >= 0 else k & 3
    c, s, m, along = _meridian(R, quarter)
    piece, at, bulges = lowest_of_lobe(b, m, along, lobe) if lobe >= 0 else lowest(b, m, along)
    if k > 3 and lobe < 0:
        ring = (k >> 2) - 1
        if bulges and rolls_past(b, m, along, int(b.begins[ring]), piece, 1.0):
            return far(p, R)
        return from_plane(b, p, R, b.rings[3 * ring], b.rings[3 * ring + 1], 0.0, quarter)
    if not bulges:
        return far(p, R)
    rho, z, _, _ = point_and_tangent(Piece(b.pieces, piece), at)
    y = add(p, add(add(scale(rho * c, column(R, 0)), scale(rho * s, column(R, 1))), scale(z, column(R, 2))))
    zero = 0.0 * y[2]
    return y[2], (zero, zero, 1.0 + zero), (y[0], y[1], 0.5 * y[2])


@called
def _meridian(R, quarter):
    """(cos φ, sin φ, m, c) of the meridian that goes down; by quarters of a turn from there the others"""
    down_1, down_2 = -R[6], -R[7]
    square = down_1 * down_1 + down_2 * down_2
    zero = 0.0 * (square + R[8])
    c, s, m = 1.0 + zero, zero, zero
    if square > LEVEL * LEVEL:
        sine = sqrt(square)
        c, s, m = down_1 / sine, down_2 / sine, zero - sine
    if quarter == 1:
        c, s, m = -s, c, zero
    if quarter == 2:
        c, s, m = -c, -s, -m
    if quarter == 3:
        c, s, m = s, -c, zero
    return c, s, m, R[8] + zero
