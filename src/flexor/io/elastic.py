"""Materials from the constants that files hold, in SI."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from flexor.errors import ModelError
from flexor.io.draft import Place
from flexor.io.file_text import wrong
from flexor.materials import Isotropic, Orthotropic

T = TypeVar("T")
_SYMMETRIC = 1e-6  # relative size below which a coupling term counts as rounding


def made(make: Callable[..., T], where: str, place: Place, **values: object) -> T:
    """make(**values), what it refuses told with file and line."""
    try:
        result = make(**values)
        if isinstance(result, Orthotropic):
            result.stiffness()  # constants that are not physical are refused here
        return result
    except ModelError as error:
        what = "; ".join(problem.what + (f", {problem.why}" if problem.why else "") for problem in error.problems)
        raise wrong(*place, what or str(error), fix="correct the values in the file", where=where) from None
    except (ValueError, ArithmeticError, np.linalg.LinAlgError) as error:
        raise wrong(*place, str(error), fix="correct the values in the file", where=where) from None


def lamina(
    E1: float, E2: float, nu12: float, G12: float, G13: float, G23: float, density: float, where: str, place: Place
) -> Orthotropic:
    """A ply in plane stress. What it leaves open (E₃, ν₁₃, ν₂₃) has no influence there: E₂, 0, 0."""
    values = {"young": (E1, E2, E2), "poisson": (nu12, 0.0, 0.0), "shear": (G12, G23, G13), "density": density}
    return made(Orthotropic, where, place, **values)


def orthotropic(D: np.ndarray, density: float, where: str, place: Place) -> Isotropic | Orthotropic | None:
    """The material of a 6×6 matrix [Pa] in the order xx, yy, zz, xy, yz, zx; None if it couples what an orthotropic
    material keeps apart."""
    size = np.abs(D).max()
    coupled = D.copy()
    coupled[:3, :3] = 0.0
    np.fill_diagonal(coupled, 0.0)
    if not size > 0 or not np.isfinite(D).all() or np.abs(coupled).max() > _SYMMETRIC * size:
        return None
    try:
        S = np.linalg.inv(D[:3, :3])
    except np.linalg.LinAlgError:
        return None
    young = 1 / np.diag(S)  # S = [[1/E₁, −ν₁₂/E₁, −ν₁₃/E₁], …]
    poisson = -np.array([S[0, 1] * young[0], S[1, 2] * young[1], S[0, 2] * young[0]])
    shear = D[[3, 4, 5], [3, 4, 5]]
    E, nu = young[0], poisson[0]
    alike = np.allclose(young, E, rtol=_SYMMETRIC) and np.allclose(poisson, nu, rtol=0, atol=_SYMMETRIC)
    if alike and np.allclose(shear, E / (2 * (1 + nu)), rtol=1e-5):
        return made(Isotropic, where, place, young=E, poisson=nu, density=density)
    values: dict[str, Sequence[float] | float] = {"young": tuple(young.tolist()), "poisson": tuple(poisson.tolist())}
    return made(Orthotropic, where, place, shear=tuple(shear.tolist()), density=density, **values)
