"""Compiled work on histories: turning points, rainflow cycles, damage.   FTG 9.1.1–9.1.3, ASTM E1049-85 5.4.4

Plain Python functions that only index, as laws are: compiled when fatigue is first asked for, kept in the disk cache.
"""

from __future__ import annotations

import math

from flexor.law.dual import exp, log, sqrt
from flexor.law.primitives import at
from flexor.law.record import Record, integer, integers_at, kernel_at, number, numbers_at, record_at

OK, NOT_FINITE, BEYOND_STRENGTH = range(3)
"""What the kernels return."""
LARGEST = 1e300
"""Values beyond are no stresses; nor is what is not a number."""
CLOSED, HALF, NONE = range(3)
"""What becomes of the ranges that no later one closes."""
UNCORRECTED, GOODMAN, GERBER, MORROW, SWT, FKM, MCDIARMID = range(7)
"""Mean-stress corrections (`flexor.fatigue.mean_stress`)."""


class CountingRule(Record):
    """How cycles are counted and what they do."""

    gate = number("oscillations smaller than this are no turning points", "Pa")
    residue = integer("CLOSED: the history repeats itself;  HALF: half a cycle each;  NONE: left out")
    correction = integer("of the mean stress")
    strength = number("that a mean stress may not reach: ultimate, or σf′ of Morrow", "Pa")
    sensitivity = number("of FKM to mean stress, M")
    credit = integer("1: a compressive mean stress is a benefit (Goodman, Morrow)")
    carried = number("mean/amplitude of the tests behind the curve, (1 + R)/(1 − R)")
    shear = integer("1: shear stress, whose sign means nothing: a mean counts by its magnitude")
    segments = integer("of the S-N curve, straight in log S and log N")


class SNLine(Record):
    """From this range up to the next one: 1/N = (S/S₀)ᵐ/N₀."""

    least = number("range at which it begins", "Pa")
    inverse = number("1/S₀", "1/Pa")
    damage = number("1/N₀")
    slope = number("m")
    whole = integer("m if it is a small whole number, which is quicker; else 0")


class Task(Record):
    """What is worked on, and what was found."""

    rows = integer("of values")
    columns = integer("of values")
    down = integer("from a value to the next one of its history: 1, or the number of columns")
    places = integer("1: where cycles begin and turn is asked for")
    found = integer("cycles that were counted")
    bad_column = integer("of the value that will not do")
    bad_row = integer("its row, or the number of its cycle")


class Counting(Record):
    """All arrays and kernels."""

    extract = kernel_at("values (one column) → turning points")
    count = kernel_at("values (one column) → cycles")
    judge = kernel_at("cycles → damage of each")
    damage = kernel_at("values (rows, columns) → damage of each column")
    rule = record_at(CountingRule, "how")
    task = record_at(Task, "what")
    segments = numbers_at("a SNLine each, from the lowest range up")
    values = numbers_at("histories side by side", "Pa")
    turns = numbers_at(
        "turning points of one of them; behind them, those of what was left over, closed to a ring", "Pa"
    )
    places = integers_at("their rows")
    kept = numbers_at("turning points that no cycle has taken yet", "Pa")
    which = integers_at("which of `turns` they are")
    stack = numbers_at("turning points whose cycles are not closed yet", "Pa")
    numbers = integers_at("which of `turns` they are")
    rest = integers_at("which of `turns` are left over")
    ranges = numbers_at("of the cycles", "Pa")
    means = numbers_at("of the cycles", "Pa")
    counts = numbers_at("1, or 0.5 of half a cycle")
    pairs = integers_at("which of `turns` each cycle begins and turns at")
    peaks = numbers_at("largest normal stress on the plane whose shear each column, or each cycle, is of", "Pa")
    damages = numbers_at("Σ count/N of each column, or of each cycle")
    corrected = numbers_at("largest corrected range of each column, or of each cycle", "Pa")
    highest = numbers_at("largest value of each column", "Pa")
    lowest = numbers_at("smallest value of each column", "Pa")


def turning_points(T: Counting, column):
    """Turning points of a column, its first and last value among them. How many; 0 if it never moves, −1 if it is spoilt.

    Written with numbers instead of branches: which way a stress goes next cannot be foretold, and a wrong guess costs.
    """
    task, turns, places = T.task, T.turns, T.places
    n, down = task.rows, task.down
    x = at(T.values, column * n if down == 1 else column)
    begin = 0
    while begin < n - 1 and x[(begin + 1) * down] == x[0]:
        begin += 1
    turns[0], places[0] = x[0], begin
    good, found, up = 1 if abs(x[0]) < LARGEST else 0, 1, 0
    if begin < n - 1:
        v = x[(begin + 1) * down]
        up = 1 if v > x[0] else 0
        for i in range(begin + 1, n - 1):
            w = x[(i + 1) * down]
            goes_up = (1 if w > v else 0) | (up & (1 if w >= v else 0))
            turns[found] = v
            places[found] = i
            found += up ^ goes_up
            up = goes_up
            good &= 1 if abs(v) < LARGEST else 0
            v = w
        good &= 1 if abs(v) < LARGEST else 0
        turns[found], places[found] = v, n - 1
        found += 1
    if good == 0:
        task.bad_column, task.bad_row = column, 0
        while abs(x[task.bad_row * down]) < LARGEST:
            task.bad_row += 1
        return -1
    return found if found > 1 else 0


def passed(T: Counting, first, points):
    """Of the turning points from number `first` on, keep those from which it goes back by the gate or more.   FTG 9.1.1"""
    turns, places, gate = at(T.turns, first), at(T.places, first), T.rule.gate
    if gate <= 0.0 or points == 0:
        return points
    high = low = 0
    k = 1
    while k < points and turns[high] - turns[low] < gate:
        high = k if turns[k] > turns[high] else high
        low = k if turns[k] < turns[low] else low
        k += 1
    if turns[high] - turns[low] < gate:
        return 0
    way = 1.0 if high > low else -1.0
    begin, top = min(low, high), max(low, high)
    value, place = turns[top], places[top]
    turns[0], places[0] = turns[begin], places[begin]
    found = 1
    while k < points:
        ahead = way * (turns[k] - value)
        if ahead <= -gate:
            turns[found], places[found] = value, place
            found += 1
            way = -way
        if ahead > 0.0 or ahead <= -gate:
            value, place = turns[k], places[k]
        k += 1
    turns[found], places[found] = value, place
    return found + 1


def sweep(T: Counting, x, points, found):
    """One look at all points x, turning points or `kept`, which keeps them: ranges that are smaller than those before and after them are full cycles, and their points go.

    Returns how many points are left, and how many cycles there are. Numbers instead of branches, as in `turning_points`.
    """
    kept, which, ranges, means, pairs = T.kept, T.which, T.ranges, T.means, T.pairs
    if points < 4:
        for i in range(points):
            kept[i] = x[i]
        return points, found
    left, closed, places_asked = 1, 0, T.task.places == 1
    before = abs(x[1] - x[0])
    kept[0] = x[0]
    for i in range(1, points - 2):
        b, c = x[i], x[i + 1]
        here = abs(c - b)
        closes = (1 if here < before else 0) & (1 if here <= abs(x[i + 2] - c) else 0)
        ranges[found] = here
        means[found] = 0.5 * (b + c)
        if places_asked:
            pairs[2 * found] = which[i]
            pairs[2 * found + 1] = which[i + 1]
        found += closes
        kept[left] = b
        which[left] = which[i]
        left += 1 - (closes | closed)
        closed, before = closes, here
    kept[left], which[left] = x[points - 2], which[points - 2]
    left += 1 - closed
    kept[left], which[left] = x[points - 1], which[points - 1]
    return left + 1, found


def full_cycles(T: Counting, first, points, found):
    """Full cycles among the turning points from number `first` on, added to those found; and how many points are left over.

    A range that is no larger than those before and after it is a full cycle, and its two points go.   FTG 9.1.2
    Sweeps find most of them. The rest on a stack: x₁, x₂ are the newest points, Y their range; below them ranges only get larger, so
    Y ≤ X = |x₃ − x₂| is all there is to ask. Infinite points at the bottom answer for points that are not there; a range Y that
    begins with the first point has none before it, and if X is larger that point is left over.
    """
    kept, which, stack, numbers, rest = T.kept, T.which, T.stack, T.numbers, T.rest
    ranges, means, pairs = T.ranges, T.means, T.pairs
    for i in range(points):
        which[i] = first + i
    before = points
    points, found = sweep(T, at(T.turns, first), points, found)
    while 4 * points < 3 * before:  # as long as a sweep pays
        before = points
        points, found = sweep(T, kept, points, found)
    stack[0], numbers[0] = math.inf, which[0]
    depth, left = 1, 0
    x1, x2, Y = math.inf, kept[0], math.inf
    k1 = k2 = which[0]
    for i in range(1, points):
        x3 = kept[i]
        X = abs(x3 - x2)
        while X >= Y:
            if depth == 2:
                if X == Y:
                    break
                rest[left] = k1
                left += 1
                depth = 1
                x1, Y = math.inf, math.inf
            else:
                ranges[found] = Y
                means[found] = 0.5 * (x1 + x2)
                pairs[2 * found], pairs[2 * found + 1] = k1, k2
                found += 1
                depth -= 2
                x1, x2 = stack[depth], stack[depth + 1]
                k1, k2 = numbers[depth], numbers[depth + 1]
                Y, X = abs(x2 - x1), abs(x3 - x2)
        stack[depth], numbers[depth] = x1, k1
        depth += 1
        x1, k1, x2, k2, Y = x2, k2, x3, which[i], X
    for i in range(2, depth):
        rest[left] = numbers[i]
        left += 1
    rest[left], rest[left + 1] = k1, k2
    return found, left + 2


def ring(T: Counting, points, left):
    """What is left over, cut open at its largest magnitude and closed there again, behind the turning points; how many.

    Points at which the ring does not turn are passed over.   FTG 9.1.2
    """
    turns, places, rest = T.turns, T.places, T.rest
    cut = 0
    for i in range(left):
        cut = i if abs(turns[rest[i]]) > abs(turns[rest[cut]]) else cut
    found = 0
    for i in range(left + 1):
        k = rest[(cut + i) % left]
        v, j = turns[k], points + found
        if found > 0 and v == turns[j - 1]:
            continue
        if found > 1 and (v > turns[j - 1]) == (turns[j - 1] > turns[j - 2]):
            j -= 1
            found -= 1
        turns[j], places[j] = v, places[k]
        found += 1
    return found


def counted(T: Counting, column):
    """Rainflow cycles of a column; returns how many, −1 if it is spoilt."""
    points = turning_points(T, column)
    if points < 0:
        return -1
    turns = T.turns
    high = low = turns[0]
    for k in range(points):
        v = turns[k]
        high = v if v > high else high
        low = v if v < low else low
    T.highest[column], T.lowest[column] = high, low
    points = passed(T, 0, points)
    if points < 2:
        return 0
    found, left = full_cycles(T, 0, points, 0)
    if T.rule.residue == CLOSED:
        round_about = passed(T, points, ring(T, points, left))
        if round_about > 2:
            found, left = full_cycles(T, points, round_about, found)
    for k in range(found):
        T.counts[k] = 1.0
    if T.rule.residue == NONE:
        return found
    share = 2 if T.rule.residue == CLOSED else 1  # of a ring there and back is left, perhaps more than once
    for i in range(0, left - 1, share):
        a, b = T.turns[T.rest[i]], T.turns[T.rest[i + 1]]
        T.ranges[found], T.means[found], T.counts[found] = abs(b - a), 0.5 * (a + b), 0.5 * share
        T.pairs[2 * found], T.pairs[2 * found + 1] = T.rest[i], T.rest[i + 1]
        found += 1
    return found


def corrected_amplitude(a, m, peak, rule: CountingRule):
    """Amplitude that does at the stress ratio of the tests what amplitude a does about the mean m; −1 beyond the strength.

    First at R = −1, s; then at the ratio of the tests, whose mean is c times their amplitude.
    peak: largest normal stress on the plane, where a is twice the amplitude of its shear stress.
    """
    c, kind = rule.carried, rule.correction
    if kind == UNCORRECTED:
        return a
    if kind == MCDIARMID:  # t = τ/(1 − σ_n/2Rm);  a rod under tension has t = ½ a/√(1 − σ_max/2Rm) on its worst plane
        if peak >= 2.0 * rule.strength:
            return -1.0
        t = 0.5 * a / (1.0 - 0.5 * peak / rule.strength) if peak > 0.0 else 0.5 * a
        w = 0.5 * t * (1.0 + c) / rule.strength
        return 2.0 * t * (sqrt(1.0 + w * w) - w)
    m = abs(m) if rule.shear == 1 else m
    if kind == SWT:  # s = √(σ_max a),  σ_max = m + a
        peak = m + a
        return sqrt(peak * a / (1.0 + c)) if peak > 0.0 else 0.0
    if kind == FKM:  # four fields of R, straight lines of slope M, M, M/3, 0 in the Haigh diagram
        M = rule.sensitivity
        return _fkm(a, m, M) / _fkm(1.0, c, M)
    if m >= rule.strength:
        return -1.0
    q = m / rule.strength
    if kind == GERBER:  # s = a/(1 − (m/Rm)²);  back:  a/(1 − (c a/Rm)²) = s
        s = a / (1.0 - q * q) if q > 0.0 else a
        w = c * s / rule.strength
        return s * 2.0 / (1.0 + sqrt(1.0 + 4.0 * w * w)) if c > 0.0 else s
    s = a / (1.0 - q) if q > 0.0 or rule.credit == 1 else a  # Goodman; Morrow with σf′
    return s / (1.0 + c * s / rule.strength) if c > 0.0 or rule.credit == 1 else s


def _fkm(a, m, M):
    """Amplitude at R = −1.   FKM guideline, fields I to IV"""
    if m <= -a:  # R > 1
        return a * (1.0 - M)
    if m <= a:  # R ≤ 0
        return a + M * m
    if m < 3.0 * a:  # R < ½
        return (1.0 + M) * (a + M / 3.0 * m) / (1.0 + M / 3.0)
    return a * 3.0 * (1.0 + M) * (1.0 + M) / (3.0 + M)


def damage_of_range(S, segments, last):
    """1/N of a cycle of range S; none below the curve's lowest range."""
    k = last
    while k > 0 and SNLine(segments, k).least > S:
        k -= 1
    segment = SNLine(segments, k)
    if not segment.least <= S or S <= 0.0:
        return 0.0
    x = S * segment.inverse
    return segment.damage * (_power(x, segment.whole) if segment.whole > 0 else exp(segment.slope * log(x)))


def _power(x, m):
    """xᵐ, m = 1, 2, …"""
    y = 1.0
    while m > 0:
        y = y * x if m & 1 else y
        x *= x
        m >>= 1
    return y


def count(T: Counting):
    """Kernel: cycles of one history."""
    T.task.places = 1
    T.task.found = counted(T, 0)
    return NOT_FINITE if T.task.found < 0 else OK


def extract(T: Counting):
    """Kernel: turning points of one history."""
    points = turning_points(T, 0)
    T.task.found = passed(T, 0, points) if points > 0 else 0
    return NOT_FINITE if points < 0 else OK


def judge(T: Counting):
    """Kernel: damage and corrected range of each cycle."""
    for k in range(T.task.found):
        a = corrected_amplitude(0.5 * T.ranges[k], T.means[k], T.peaks[k], T.rule)
        if a < 0.0:
            T.task.bad_column, T.task.bad_row = 0, k
            return BEYOND_STRENGTH
        T.corrected[k] = 2.0 * a
        T.damages[k] = T.counts[k] * damage_of_range(2.0 * a, T.segments, T.rule.segments - 1)
    return OK


def damage(T: Counting):
    """Kernel: damage, extremes and largest corrected range of each column."""
    task, rule, segments = T.task, T.rule, T.segments
    ranges, means, counts = T.ranges, T.means, T.counts
    last, corrects, least = rule.segments - 1, rule.correction != UNCORRECTED, SNLine(segments, 0).least
    task.places = 0
    for j in range(task.columns):
        found = counted(T, j)
        if found < 0:
            return NOT_FINITE
        total, largest, peak = 0.0, 0.0, T.peaks[j]
        for k in range(found):
            S = ranges[k]
            if corrects:
                S = 2.0 * corrected_amplitude(0.5 * S, means[k], peak, rule)
                if S < 0.0:
                    task.bad_column = j
                    return BEYOND_STRENGTH
            largest = S if largest < S else largest
            if least <= S:
                total += counts[k] * damage_of_range(S, segments, last)
        T.damages[j], T.corrected[j] = total, largest
    return OK
