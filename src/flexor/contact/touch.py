"""What a contact remembers of the end of the last step."""

from __future__ import annotations

from flexor.law.record import Record, number, numbers


class Touch(Record):
    """History of the law; vectors are in the axes of surface a."""

    known = number("1: there was a step, or a search for an equilibrium")
    time = number("when", "s")
    gap = number("g", "m")
    rate = number("ġ", "m/s")
    slope = number("change of ġ by forces in the last step, by its length", "m/s²")
    impact = number("speed at which the surfaces met, or the fastest approach since", "m/s")
    swift = number("the fastest approach of late", "m/s")
    deepest = number("deepest approach so far, −g", "m")
    p = numbers(3, "origin of b's axes", "m")
    R = numbers(9, "b's axes")
    A = numbers(9, "a's axes, in global ones")
    x = numbers(3, "point of contact", "m")
    u = numbers(3, "velocity of b's material there beyond a's", "m/s")
    slid = number("1: it was sliding")
    stretch = numbers(3, "ξ of the asperities", "m")
    turn = numbers(3, "likewise of rolling and spinning", "rad")
    n = numbers(3, "normal, from a to b")
    stiffening = number("how much stiffer it is than at the start, by its curvatures, in parts of that")
    major = number("half axis of the patch: α of a = α N^(1/3), or half the width of a slice", "m/N^⅓ or m")
    minor = number("likewise β of b = β N^(1/3), or b = β √N of a slice", "m/N^⅓ or m/N^½")
    way = numbers(3, "direction of the half axis a")
    found = numbers(3, "what touches there, and its numbers, of surfaces that are searched for it")
    place = numbers(7, "gap, normal and point at that pose")
    pose = numbers(12, "at the first place the pose for which both were found: memory of the last search, whoever asks")
    moved = number(
        "at the first place how far surfaces may have moved since they were looked at for unseen overlaps", "m"
    )
    clear = number("likewise how far they may move before there is one", "m")
    unseen = number("likewise the deepest one so far", "m")
    power = number("power that is lost", "W")
    total = number("at the first place that of all", "W")
    lost = number("likewise what was lost in the last step", "J")
    changed = number("how often the stiffness changed in an equilibrium; likewise")
