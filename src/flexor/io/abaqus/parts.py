"""Files with *PART, *INSTANCE and *ASSEMBLY: one instance is taken as the mesh, placed as the file says."""

from __future__ import annotations

import math

import numpy as np

from flexor.io.abaqus.deck import reals
from flexor.io.abaqus.keywords import Keyword
from flexor.io.file_text import wrong
from flexor.spatial import Pose

_FRAME = ("PART", "END PART", "ASSEMBLY", "END ASSEMBLY", "INSTANCE", "END INSTANCE")


def flatten(keywords: list[Keyword]) -> tuple[list[Keyword], Keyword | None]:
    """Keywords without the frame of parts and assembly, each told its scope, and the instance if there is one."""
    flat: list[Keyword] = []
    instances: list[Keyword] = []
    parts: list[Keyword] = []
    open_frames: list[Keyword] = []
    for keyword in keywords:
        if keyword.name not in _FRAME:
            inside = {each.name for each in open_frames}
            keyword.scope = "part" if inside & {"PART", "INSTANCE"} else "assembly" if inside else ""
            flat.append(keyword)
        elif keyword.name.startswith("END "):
            if not open_frames or open_frames[-1].name != keyword.name[4:]:
                raise wrong(*keyword.place, f"*{keyword.name} without its *{keyword.name[4:]}", fix="check the nesting")
            open_frames.pop()
        else:
            open_frames.append(keyword)
            (instances if keyword.name == "INSTANCE" else parts if keyword.name == "PART" else []).append(keyword)
    if open_frames:
        name = open_frames[-1].name
        why, fix = f"*END {name} is missing", "the file may be cut off: export it again"
        raise wrong(*open_frames[-1].place, f"*{name} is not closed", why, fix)
    if len(instances) > 1 or len(parts) > 1:
        second = (instances if len(instances) > 1 else parts)[1]
        what = f"the file is an assembly of {max(len(instances), len(parts))} parts"
        why = "one mesh makes one body"
        fix = "export one part alone, or a flat file (in Abaqus/CAE: noPartsInputFile=ON)"
        raise wrong(*second.place, what, why, fix)
    return flat, instances[0] if instances else None


def placement(instance: Keyword, length: float) -> Pose:
    """Where *INSTANCE puts its part: shifted by the first data line, then turned about the axis a → b of the second."""
    pose = Pose()
    for i, (place, fields) in enumerate(instance.rows()):
        values = reals(fields, place, "*INSTANCE", 3 if i == 0 else 7)
        if i == 0:
            pose = Pose(np.array(values[:3]) * length)
        elif i == 1:
            a, b = np.array(values[:3]) * length, np.array(values[3:6]) * length
            if np.linalg.norm(b - a) == 0.0:
                raise wrong(*place, "the two points of the rotation axis coincide", fix="give two different points")
            pose = Pose.turn(math.radians(values[6]), b - a, a) @ pose
        else:
            raise wrong(*place, "*INSTANCE has more than two data lines", fix="shift, then axis and angle")
    return pose
