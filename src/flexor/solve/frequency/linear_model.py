"""Linear models of mechanisms, about a state: ẋ = A x + B u, y = C x + D u."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import linalg

from flexor.errors import FileError, FlexorError, Problem
from flexor.files import as_path
from flexor.io.replaceable import write_file
from flexor.solve.frequency.response import FrequencyResponse, checked_frequencies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flexor.units import Quantity

ARRAYS = ("A", "B", "C", "D")
WORDS = ("states", "inputs", "outputs", "input_units", "output_units")


@dataclass(frozen=True)
class LinearModel:
    """ẋ = A x + B u, y = C x + D u: u and y are what inputs and outputs are more than in the state about which it is.

    A [1/s]: (states, states).   B: (states, inputs).   C: (outputs, states).   D: (outputs, inputs).
    states: modes with their frequencies, their rates, what has damping but no inertia (states of control blocks among it), and integrals of inputs
        that prescribe speeds or accelerations.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    input_units: tuple[str, ...]
    output_units: tuple[str, ...]
    state: dict[str, Any] | None = field(default=None, repr=False, compare=False)
    """The position about which it is, for further analyses (`start`)."""

    def __len__(self) -> int:
        return len(self.A)

    @property
    def poles(self) -> np.ndarray:
        """Eigenvalues of A [rad/s], in ascending size."""
        values = np.linalg.eigvals(self.A)
        return values[np.lexsort((values.imag, np.round(np.abs(values), 9)))]

    def frequency_response(self, frequencies: Sequence[Quantity] | np.ndarray) -> FrequencyResponse:
        """C (iω − A)⁻¹ B + D at these frequencies [Hz]."""
        hertz = checked_frequencies("state space", frequencies)
        values = np.empty((len(hertz), *self.D.shape), dtype=complex)
        balanced, scale = linalg.matrix_balance(self.A, permute=False) if len(self) else (self.A, self.A)
        T, Q = linalg.schur(balanced, output="complex") if len(self) else (self.A, self.A)
        left = self.C @ scale @ Q
        right = Q.conj().T @ np.linalg.solve(scale, self.B) if len(self) else self.B
        for i, f in enumerate(hertz):
            try:
                x = linalg.solve_triangular(2j * np.pi * f * np.eye(len(self)) - T, right)
            except linalg.LinAlgError:
                fix = "leave this frequency out"
                raise FlexorError(
                    Problem("state space", f"at {f:g} Hz there is no response", "it has a pole there", fix)
                ) from None
            values[i] = left @ x + self.D
        return FrequencyResponse(
            frequencies=hertz,
            values=values,
            outputs=self.outputs,
            inputs=self.inputs,
            output_units=self.output_units,
            input_units=self.input_units,
            amplitudes=np.ones(len(self.inputs), dtype=complex),
            method=f"state space of {len(self)} states",
        )

    def to_npz(self, file: str | Path) -> Path:
        """Write A, B, C, D and the names to a NumPy archive."""
        named = {name: np.asarray(getattr(self, name)) for name in ARRAYS}
        words = {name: np.asarray(getattr(self, name), dtype=str) for name in WORDS}
        archive = BytesIO()
        np.savez(archive, allow_pickle=False, **named, **words)
        return write_file(file, archive.getvalue(), "archive of a response")

    @staticmethod
    def from_npz(file: str | Path) -> LinearModel:
        """What `to_npz` has written."""
        path = as_path(file, "state space")
        try:
            with np.load(path, allow_pickle=False) as kept:
                arrays = {name: kept[name] for name in ARRAYS}
                words = {name: tuple(map(str, kept[name])) for name in WORDS}
        except (OSError, ValueError, KeyError) as error:
            why = str(error).splitlines()[0]
            raise FileError(Problem(f"state space {file}", "cannot be read", why, "check the path")) from None
        return LinearModel(**arrays, **words)  # type: ignore[arg-type]

    def to_control(self) -> Any:
        """As `control.StateSpace` of python-control (extra `control`), with the names of states, inputs and outputs."""
        try:
            import control
        except ImportError:
            fix = "install it with:  pip install 'flexor[control]'"
            raise FlexorError(Problem("python-control", "is not installed", "", fix)) from None
        names = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        labels = {
            kind: [name.replace(".", "_") for name in each] for kind, each in names.items()
        }  # a dot means a system there
        return control.ss(self.A, self.B, self.C, self.D, **labels)

    def __str__(self) -> str:
        poles = self.poles
        least = float(poles.real.max()) if len(poles) else 0.0
        top = max(float(np.abs(poles).max(initial=0.0)), 1e-300)
        said = "unstable" if least > 1e-9 * top else "not damped throughout" if least > -1e-9 * top else "stable"
        said = f"{len(self)} states, {said}: largest real part of a pole {least:.4g} 1/s"
        lines = [f"state space, {said if len(self) else 'no states: outputs follow inputs at once'}"]
        for way, names, units in (("in: ", self.inputs, self.input_units), ("out:", self.outputs, self.output_units)):
            lines += [f"  {way} {name}{f' [{unit}]' if unit else ''}" for name, unit in zip(names, units, strict=True)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)
