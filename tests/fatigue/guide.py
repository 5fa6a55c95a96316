"""The guide's procedure to the letter, on lists: slow, and independent of what is tested.   FTG 9.1.2"""

from __future__ import annotations


def traversed(points):
    """One traversal: full cycles found, and what remains. Lines count as shorter when they are equal, else constant
    amplitudes would never end."""
    points, cycles, i = list(points), [], 0
    while i + 3 < len(points):
        one, two, three, four = points[i : i + 4]
        if abs(three - two) <= min(abs(two - one), abs(four - three)):
            cycles.append((two, three))
            del points[i + 1 : i + 3]  # point 4 becomes point 2, point 1 stays
        else:
            i += 1
    return cycles, points


def turning(points):
    """Points at which the curve turns, the ends included."""
    kept = []
    for point in points:
        if kept and point == kept[-1]:
            continue
        if len(kept) > 1 and (point - kept[-1]) * (kept[-1] - kept[-2]) > 0:
            kept.pop()
        kept.append(point)
    return kept


def exhausted(points):
    """Cycles of each traversal until one finds none, and what remains."""
    found = []
    while True:
        cycles, points = traversed(points)
        if not cycles:
            return found, points
        found.append(cycles)


def guide_rainflow(values):
    """Cycles (from, to) by traversal; the number of points left before closing; the number that do not turn after it."""
    first, rest = exhausted(turning(values))
    left = len(rest)
    if left < 2:
        return first, left, 0
    cut = max(range(left), key=lambda k: abs(rest[k]))
    ring = rest[cut:] + rest[: cut + 1]  # the largest is duplicated; it and all before it go to the end
    smooth = turning(ring)
    second, rest = exhausted(smooth)
    final = [[(rest[k], rest[k + 1])] for k in range(0, len(rest) - 1, 2)]  # three points, the final cycle
    return first + second + final, left, len(ring) - len(smooth)
