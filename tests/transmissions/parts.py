"""Wheels and slides for transmissions."""

from __future__ import annotations

from typing import Any

import flexor as fx


def wheel(name: str, inertia: float, at=(0.0, 0.0, 0.0), axis: Any = "z", on=None, **fields: Any) -> tuple[Any, Any]:
    """A disc of moment of inertia `inertia` about any axis, and its bearing `<name>_pin`."""
    disc = fx.RigidBody(name, 2.0, inertia)
    base = fx.ground if on is None else on
    return disc, fx.Revolute(f"{name}_pin", base.at(*at), disc, axis=axis, **fields)


def slide(name: str, mass: float, at=(0.0, 0.0, 0.0), axis: Any = "x", on=None, **fields: Any) -> tuple[Any, Any]:
    """A body that slides, and its guide `<name>_guide`."""
    block = fx.RigidBody(name, mass, 0.1)
    base = fx.ground if on is None else on
    return block, fx.Prismatic(f"{name}_guide", base.at(*at), block, axis=axis, **fields)
