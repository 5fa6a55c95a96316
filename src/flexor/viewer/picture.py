"""A body as the page sees it: what is sent once, and what a row holds of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.spatial import Pose, matrix_to_quaternion
from flexor.viewer.rows import Window

PALETTE = ("#6f9bd1", "#d9a35f", "#7fb685", "#c07f9f", "#9a8fcf", "#6fb7b7", "#c9a27e", "#8fa3b5")
"""Colours of bodies that declare none."""
POSE = 7
"""Numbers of a pose: x, y, z [m], quaternion w, x, y, z."""


@dataclass
class Picture:
    """header: the body in the scene's header; offsets in it count from the first number of the body.
    width: numbers in a row.   moving: these at recorded rows (n, width).   still: these (width,) in a pose of the body frame.
    corners: (k, 3) points in the body's axes that span it [m].
    """

    header: dict[str, Any]
    width: int
    moving: Callable[[Window], np.ndarray]
    still: Callable[[Pose], np.ndarray]
    corners: np.ndarray

    def shifted(self, offset: int) -> dict[str, Any]:
        """The header with offsets that count from the begin of a row."""
        found = dict(self.header)
        if self.width and found["pose"] >= 0:
            found["pose"] += offset
        for part, field in (("mesh", "z"), ("beam", "poses"), ("beam", "stress")):
            if found[part] is not None and found[part][field] >= 0:
                found[part] = {**found[part], field: found[part][field] + offset}
        return found


def pose_row(pose: Pose) -> np.ndarray:
    """(7,) of one pose."""
    return np.concatenate([pose.p, matrix_to_quaternion(pose.R)])


def recorded_pose(name: str, window: Window) -> np.ndarray:
    """(n, 7) of a recorded frame."""
    return np.hstack([window.vector(f"{name}.position"), window.vector(f"{name}.orientation", "wxyz")])


def standing(row: np.ndarray) -> Callable[[Window], np.ndarray]:
    """The same numbers at all times, of a body that was not recorded."""
    return lambda window: np.tile(row, (len(window), 1))


def header_of(name: str, kind: str, number: int, **more: Any) -> dict[str, Any]:
    """The fields that every body has."""
    found: dict[str, Any] = {"name": name, "kind": kind, "color": PALETTE[number % len(PALETTE)], "pose": 0}
    found |= {"shapes": [], "mesh": None, "beam": None, "properties": [], "markers": []}
    return found | more
