"""The mesh by which a body of shape functions is drawn, loaded on its faces, and its stress listed: its nodes move as the series tell."""

from __future__ import annotations

import numpy as np

from flexor.bodies.shape_body.cartesian import CartesianSeries
from flexor.bodies.shape_body.cylindrical import CylindricalSeries
from flexor.bodies.shape_body.profile import ProfileStrip
from flexor.materials.material import Material, Orthotropic
from flexor.mesh.extrude import mesh_of
from flexor.mesh.mesh import Mesh
from flexor.mesh.patch import Map, Patch, mesh_patches
from flexor.spatial import Pose

ELEMENT = "hex20"
CORE = 0.42
"""Half side of the square core of a solid cross-section, over its radius."""
TIP = 2e-3
"""Least radius that is drawn, over the largest: elements at the tip of a cone keep a volume."""


def drawn_mesh(series: CartesianSeries | CylindricalSeries, pose: Pose, material: Material) -> Mesh:
    """Quadratic bricks, so many as the orders of the series need to be seen; sets x_min …, or start, end, outer, inner."""
    patches = _block(series) if isinstance(series, CartesianSeries) else _turned(series)
    points, nodes = mesh_patches(patches, ELEMENT)
    sides = {}
    if isinstance(series, CartesianSeries):
        for axis, name in enumerate("xyz"):
            sides[f"{name}_min"] = points[:, axis] + series.half[axis]
            sides[f"{name}_max"] = points[:, axis] - series.half[axis]
    else:
        (inner, outer), (low, high) = series.section.r, series.section.z
        r, z = np.hypot(points[:, 0], points[:, 1]), points[:, 2]
        sides = {"start": z - low, "end": z - high, "outer": r - outer}
        if not series.section.solid:
            sides["inner"] = r - inner
    axes = _material_axes(series, pose, points[nodes].mean(axis=1)) if isinstance(material, Orthotropic) else None
    return mesh_of(pose.apply(points), nodes, ELEMENT, material, sides, orientation=axes)


def _material_axes(series: CartesianSeries | CylindricalSeries, pose: Pose, centers: np.ndarray) -> np.ndarray:
    """(m, 3, 3) of elements: those of the coordinates in their middles."""
    axes = series.axes(centers)
    return np.broadcast_to(pose.R, (len(centers), 3, 3)).copy() if axes is None else pose.R @ axes


def _block(series: CartesianSeries) -> list[Patch]:
    divisions = tuple(map(_divisions, series.most))
    return [Patch(divisions, lambda s: series.half * (2 * s - 1))]


def _divisions(order: int) -> int:
    """Quadratic elements that show a polynomial."""
    return 2 if order <= 2 else order + 2


def _turned(series: CylindricalSeries) -> list[Patch]:
    radial, around, axial = series.most
    side = min(max(6, around + 2), 30)
    low, high = series.section.z
    patches = []
    for strip in series.section.strips:
        along = max(1, round(_divisions(axial) * (strip.high - strip.low) / (high - low)))
        across = max(1, (radial + 1) // 2)
        if max(strip.inner.r) == 0.0 and not strip.inner.bulge:
            patches.append(Patch((side, side, along), _core(strip, series.section.r[1])))
            patches += [
                Patch((across, side, along), _sector(strip, series.section.r[1], k * np.pi / 2 - np.pi / 4))
                for k in range(4)
            ]
        else:
            patches.append(Patch((across, 4 * side, along), _wall(strip, series.section.r[1])))
    return patches


def _radii(strip: ProfileStrip, largest: float, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inner and outer radius and height at shares s of the way up."""
    z = strip.low + s * (strip.high - strip.low)
    outer = np.maximum(strip.outer.at(z), TIP * largest)
    return np.minimum(np.maximum(strip.inner.at(z), TIP / 2 * largest), 0.999 * outer), outer, z


def _wall(strip: ProfileStrip, largest: float) -> Map:
    def position(s: np.ndarray) -> np.ndarray:
        inner, outer, z = _radii(strip, largest, s[..., 2])
        r, phi = inner + s[..., 0] * (outer - inner), 2 * np.pi * s[..., 1]
        return np.stack([r * np.cos(phi), r * np.sin(phi), z], axis=-1)

    return position


def _core(strip: ProfileStrip, largest: float) -> Map:
    def position(s: np.ndarray) -> np.ndarray:
        _, outer, z = _radii(strip, largest, s[..., 2])
        return np.concatenate([CORE * outer[..., None] * (2 * s[..., :2] - 1), z[..., None]], axis=-1)

    return position


def _sector(strip: ProfileStrip, largest: float, start: float) -> Map:
    """Between the core and the surface, a quarter round."""
    c, d = np.cos(start + np.pi / 4), np.sin(start + np.pi / 4)

    def position(s: np.ndarray) -> np.ndarray:
        _, outer, z = _radii(strip, largest, s[..., 2])
        phi, edge = start + s[..., 1] * np.pi / 2, 2 * s[..., 1] - 1
        at_core = CORE * np.stack([c - d * edge, d + c * edge], axis=-1)
        at_surface = np.stack([np.cos(phi), np.sin(phi)], axis=-1)
        plane = outer[..., None] * (at_core + s[..., :1] * (at_surface - at_core))
        return np.concatenate([plane, z[..., None]], axis=-1)

    return position
