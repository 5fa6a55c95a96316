"""From a mesh to a reduced body with its proof: what a user calls."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexor.errors import ModelError, Problem, SolveError
from flexor.io.read_mesh import read_mesh
from flexor.materials.material import Material
from flexor.mesh.made_of import made_of
from flexor.mesh.mesh import Mesh
from flexor.mesh.note import warn_of
from flexor.mesh.section import Section
from flexor.reduce import cache
from flexor.reduce.damping import Damping, Rayleigh
from flexor.reduce.free_body import FreeBody
from flexor.reduce.interface import Interfaces, interfaces_of
from flexor.reduce.methods import CraigBampton, Method
from flexor.reduce.of_mesh import from_mesh
from flexor.reduce.proof import validate
from flexor.reduce.reduced import ReducedBody, project
from flexor.threads import few_threads

TOLERANCE = 0.01
"""Largest relative frequency error of what a proof trusts, unless the method was given another one."""
Listener = Callable[[str, float], None]
"""Told what is done now, and how far the whole work is, 0 … 1."""


def reduce_mesh(
    mesh: Mesh | str | Path,
    interfaces: Interfaces | None = None,
    method: Method | None = None,
    *,
    name: str = "",
    material: Material | str | None = None,
    section: Section | None = None,
    damping: Damping | None = None,
    units: str = "SI",
    ignore_supports: bool = False,
    ignore_loads: bool = False,
    lumped: bool = False,
    options: Mapping[str, object] | None = None,
    check: bool = True,
    use_cache: bool = True,
    progress: Listener | None = None,
) -> ReducedBody:
    """A mesh, or a mesh file, as a body in a few coordinates; refused with the cause if it cannot be right.

    interfaces: name → where joints attach: a selection, the name of a node set, node numbers, or an Interface;
        without any, the nodes that the file marks for it (ASET).
    method: CraigBampton(modes=20) unless given.   name: of the body; that of the file.
    material: of all elements, instead of what the mesh says;  section: of all shells or beams likewise.
    damping: Rayleigh or ModalDamping; else the stiffness-proportional damping of the material.
    units: of the file, see read_mesh.   ignore_supports: leave out supports of the mesh.
    ignore_loads: leave out loads of the mesh without a word; else a warning says that they do not act on the body.
    lumped, options: lumped masses, options of elements.
    check: compare with the full model (`body.validation`) and refuse a body that fails.
    use_cache: take the body from the user's cache folder if the same was reduced before.
    """
    path = Path(mesh) if isinstance(mesh, str | Path) else None
    if path is not None:
        if progress is not None:
            progress("reading the mesh", 0.0)
        mesh = read_mesh(path, units=units)
    assert isinstance(mesh, Mesh)
    mesh = made_of(replace(mesh, loads=()) if ignore_loads else mesh, material, section)
    body = reduce_quietly(
        mesh,
        interfaces,
        method or CraigBampton(modes=20),
        name=name or (path.stem if path else mesh.title or "body"),
        damping=damping,
        ignore_supports=ignore_supports,
        lumped=lumped,
        options=options,
        check=check,
        use_cache=use_cache,
        progress=progress,
    )
    if body.mesh is not None and not ignore_loads:
        warn_of(body.mesh.notes, str(path) if path else f"body '{body.name}'", "loads")
    return body


def reduce_quietly(
    mesh: Mesh,
    interfaces: Interfaces | None,
    method: Method,
    *,
    name: str,
    damping: Damping | None = None,
    ignore_supports: bool = False,
    lumped: bool = False,
    options: Mapping[str, object] | None = None,
    check: bool = True,
    use_cache: bool = True,
    progress: Listener | None = None,
) -> ReducedBody:
    """As `reduce_mesh`, for those who tell the notes of the body's mesh in their own way."""
    tell = progress or (lambda what, fraction: None)
    named = interfaces_of(interfaces, mesh)
    key = cache.content_hash(mesh, named, method, name, damping, ignore_supports, lumped, dict(options or {}), check)
    if use_cache and (body := cache.kept(key)) is not None:
        tell("taken from the cache", 1.0)
        tell_short(body, method)
        return body
    tell("assembling", 0.05)
    with few_threads():  # matrices of elements are small
        problem = from_mesh(mesh, named, ignore_supports=ignore_supports, lumped=lumped, options=options)
    body = reduce_problem(
        problem, method, name=name, damping=damping or _material_damping(mesh), check=check, progress=progress
    )
    if use_cache:
        cache.keep(key, body)
    tell_short(body, method)
    return body


class ShortOfFrequency(UserWarning):
    """A reduced body is not right up to the frequency that was asked for."""


def tell_short(body: ReducedBody, method: Method) -> None:
    """Warn of a body that is not right up to the frequency that its method was asked for."""
    up_to, proof = getattr(method, "up_to", None), body.validation
    if up_to is None or proof is None or proof.first_wrong is None or proof.first_wrong >= up_to:
        return
    asked = (
        f"it was asked to be right up to {up_to:.5g} Hz, but its mode at {proof.first_wrong:.5g} Hz is off by more than"
    )
    fix = "raise up_to, lower the tolerance, or give more modes"
    warnings.warn(f"body '{body.name}': {asked} {100 * proof.tolerance:.2g} %; {fix}", ShortOfFrequency, stacklevel=3)


def reduce_problem(
    problem: FreeBody,
    method: Method,
    *,
    name: str = "body",
    damping: Damping | None = None,
    check: bool = True,
    progress: Listener | None = None,
) -> ReducedBody:
    """A free body, from a mesh or from matrices, in the coordinates of a method."""
    with few_threads(problem.n):
        try:
            return _reduced(problem, method, name, damping, check, progress or (lambda what, fraction: None))
        except np.linalg.LinAlgError as error:
            raise SolveError(
                f"the body '{name}' cannot be reduced: {error}",
                causes=[
                    "a motion of a connection node moves no mass",
                    "a mechanism in the mesh: hinges, pins, springs",
                ],
            ) from None


def _reduced(
    problem: FreeBody, method: Method, name: str, damping: Damping | None, check: bool, tell: Listener
) -> ReducedBody:
    tell("factorising", 0.2)
    _ = problem.held.factors
    tell("static shapes", 0.4)
    _ = problem.static
    tell("modes", 0.5)
    H, why = method.basis(problem)
    tell("projecting", 0.7)
    about = {"method": method.model_dump_json(), "why": why, "damping": damping or Rayleigh()}
    body = project(problem, H, name, **about)
    if check:
        tell("comparing with the full model", 0.8)
        found = validate(problem, H, body, tolerance=getattr(method, "tolerance", TOLERANCE))
        found.refuse(name)
        body = replace(body, validation=found)
    tell("done", 1.0)
    return body


def _material_damping(mesh: Mesh) -> Rayleigh:
    """Stiffness-proportional damping of the materials in use, which must agree."""
    used = {block.material for block in mesh.blocks if block.material is not None}
    betas = {float(getattr(mesh.materials[m], "damping", 0.0)) for m in used if m in mesh.materials}
    if len(betas) > 1:
        what = f"its materials have different damping: {', '.join(f'{b:g} s' for b in sorted(betas))}"
        raise ModelError(Problem("mesh", what, "a reduced body has one", "pass damping=Rayleigh(alpha, beta)"))
    return Rayleigh(beta=betas.pop() if betas else 0.0)
