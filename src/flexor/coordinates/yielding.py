"""Yield: where the limits of an elastic force are, and at which deflection it reaches one.   FTG (5.6)–(5.8)"""

from __future__ import annotations

from flexor.coordinates.characteristic import effort_of
from flexor.functions.call import drive, drive_rate

HALVINGS = 60
CROSSED = 2
"""Status of limits that have changed sides."""


def limits(p, now, w):
    """(status, least and largest elastic force, their rates in time)"""
    status = drive(p.yield_below, now, w)
    low, low_rate = w[0] + 0.0, drive_rate(p.yield_below, w)
    if status == 0:
        status = drive(p.yield_above, now, w)
    high, high_rate = w[0] + 0.0, drive_rate(p.yield_above, w)
    if status == 0 and (low > 0.0 or high < 0.0):
        status = CROSSED
    return status, low, high, low_rate, high_rate


def deflection_at(p, scale, force, start, w):
    """(status, deflection nearest to `start` where the elastic force has come back to `force`): Newton's method, kept in a bracket"""
    status, f, slope, _, _, _ = effort_of(0, p.of, start, 0.0, w)
    excess = scale * f - force
    way = 1.0 if excess > 0.0 else -1.0
    far = start + 0.0
    near = start + 0.0
    width = abs(excess / (scale * slope)) if scale * slope > 0.0 else abs(start) + 1e-12
    for _ in range(HALVINGS):  # find the other side
        near = start - way * width
        failed, f, _, _, _, _ = effort_of(0, p.of, near, 0.0, w)
        status = failed if failed != 0 else status
        if way * (scale * f - force) <= 0.0:
            break
        width *= 2.0
    x = near + 0.0
    for _ in range(HALVINGS):
        failed, f, slope, _, _, _ = effort_of(0, p.of, x, 0.0, w)
        status = failed if failed != 0 else status
        excess = scale * f - force
        if way * excess > 0.0:
            far = x
        else:
            near = x
        if abs(excess) <= 1e-14 * abs(force) or abs(far - near) <= 1e-15 * abs(start):
            break
        x = x - excess / (scale * slope) if scale * slope > 0.0 else 0.5 * (near + far)
        if way * (x - near) < 0.0 or way * (far - x) < 0.0:
            x = 0.5 * (near + far)
    if scale * slope > 0.0:
        x = x - excess / (scale * slope)
    return status, x
