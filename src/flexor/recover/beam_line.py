"""Section forces along a beam (`fx.Beam`), over time, from the signals of its elements; both formulations.

An element reports them in its middle. From there they follow from equilibrium, as if nothing loaded an element between its nodes:

    σ' = ad_εᵀ σ,   σ(s) = exp(s ad_εᵀ) σ,   ε = ε₀ + S σ        (21.2) of the theory manual

with the strain ε of the middle. Inertia and weight act at the nodes of the elements, where forces therefore jump. Where nothing else
is attached a jump is the line load q (and couple m) that belongs to the node, q = −[F]/½(ℓ₋ + ℓ₊); between such nodes it is linear.
With it the forces are continuous, at a distance z from the middle of an element of length ℓ:

    F += −∫₀ᶻ q dz,   M += e_x × q (½ z² − ℓ²/24) − m z

On beams with line loads (`LineLoad`) come instead the section forces that an element would have with its ends held: the loads report
them at its start, middle and end, and between these they are taken as parabolas. There inertia and weight jump at the nodes, and under
a weight q the moment lacks up to q ℓ²/12.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from flexor.bodies.beam.beam import Beam
from flexor.bodies.beam.exact_term import helix
from flexor.bodies.marker import MarkerRef
from flexor.declaration import Item
from flexor.errors import ModelError, Problem
from flexor.forces.line_load import STATIONS
from flexor.mistakes import suggestion
from flexor.recover.beams import FORCES, UNITS
from flexor.recover.from_signals import Signals
from flexor.recover.history import Series
from flexor.units import Quantity, si

SIGNALS = ("axial_force", "shear_force_y", "shear_force_z", "torque", "bending_moment_y", "bending_moment_z")


@dataclass(frozen=True, eq=False)
class LineForces:
    """N, Qy, Qz, T, My, Mz [N, N m] in section axes, x along the beam: what the part beyond exerts on the part before.

    time: (T,) [s].   stations: (n + 1,) arc lengths of the nodes [m].   middle: (T, n, 6) in the middle of the elements.
    strain: (n, 6) of the stress-free elements.   compliance: (n, 6, 6) of their sections.
    line_load: (T, n, 2, 6) load and couple per length of inertia and weight at both ends of the elements [N/m, N], in section axes.
    held: (T, n, 3, 6) of line loads on elements whose ends are held, at start, middle and end; None if there are no such loads.
    """

    name: str
    time: np.ndarray
    stations: np.ndarray
    middle: np.ndarray
    strain: np.ndarray
    compliance: np.ndarray
    line_load: np.ndarray
    held: np.ndarray | None = None

    def __repr__(self) -> str:
        length = f"{self.stations[-1]:.5g} m in {len(self.strain)} elements"
        return f"section forces of beam '{self.name}': {length}, {len(self.time)} times"

    def __str__(self) -> str:
        """Smallest and largest of each force in the middle of the elements."""
        middle = self.middle if self.held is None else self.middle + self.held[:, :, 1]
        rows = zip(FORCES, UNITS, middle.min(axis=(0, 1)), middle.max(axis=(0, 1)), strict=True)
        return "\n".join([repr(self), *(f"  {name:3} {low:.5g} … {high:.5g} {unit}" for name, unit, low, high in rows)])

    def at(self, s: Quantity) -> Series:
        """(T, 6) over time at the arc length s ("120 mm" or metres) from the start; at a node those of the element before."""
        place = float(si(s, "length"))
        end = float(self.stations[-1])
        if not -1e-9 * end <= place <= (1 + 1e-9) * end:
            what = f"it has no section at {place:g} m"
            raise ModelError(Problem(f"beam '{self.name}'", what, f"its length is {end:g} m", "choose one between"))
        e = int(np.clip(np.searchsorted(self.stations, place - 1e-9 * end, side="right") - 1, 0, len(self.strain) - 1))
        from_middle = place - 0.5 * (self.stations[e] + self.stations[e + 1])
        values = self._carried(self.middle[:, e], e, from_middle) + self._between(slice(None), e, from_middle)
        return Series(values, self.time, f"{self.name}.section forces at {place:g} m", "N, N m")

    def force(self, name: str, s: Quantity) -> Series:
        """(T,) one of N, Qy, Qz, T, My, Mz over time at the arc length s."""
        if name not in FORCES:
            fix = suggestion(name, FORCES, "there are")
            raise ModelError(Problem(f"beam '{self.name}'", f"there is no section force '{name}'", "", fix))
        k = FORCES.index(name)
        found = self.at(s)
        return Series(found.values[:, k], self.time, found.name.replace("section forces", name), UNITS[k])

    def along(self, row: int = -1) -> tuple[np.ndarray, np.ndarray]:
        """Arc lengths (2 n,) of both ends of every element and the forces there (2 n, 6), at one of the recorded times."""
        return np.repeat(self.stations, 2)[1:-1], self._ends(row).reshape(-1, 6)

    def ends(self) -> np.ndarray:
        """(T, n, 2, 6) at both ends of every element, over time."""
        return np.moveaxis(self._ends(slice(None)), 2, 0)

    def _ends(self, rows: int | slice) -> np.ndarray:
        """(n, 2, …, 6)"""
        values = [
            [self._carried(self.middle[rows, e], e, z) + self._between(rows, e, z) for z in (-half, half)]
            for e, half in enumerate(np.diff(self.stations) / 2)
        ]
        return np.array(values)

    def _between(self, row: int | slice, e: int, distance: float) -> np.ndarray:
        """What loads along the element add at a distance from its middle."""
        return np.asarray(self._loaded(row, e, distance) + self._of_loads(row, e, distance))

    def _of_loads(self, row: int | slice, e: int, distance: float) -> np.ndarray | float:
        """Of line loads on an element with its ends held."""
        if self.held is None:
            return 0.0
        u = 2 * distance / (self.stations[e + 1] - self.stations[e])
        shares = np.array([u * (u - 1) / 2, 1 - u * u, u * (u + 1) / 2])
        return np.asarray(np.tensordot(self.held[row, e], shares, axes=(-2, 0)))

    def _carried(self, sigma: np.ndarray, e: int, distance: float) -> np.ndarray:
        return _carried(sigma, self.strain[e], self.compliance[e], distance)

    def _loaded(self, rows: int | slice, e: int, distance: float) -> np.ndarray:
        """What the line load adds at a distance from the middle of an element."""
        near, far = self.line_load[rows, e, 0], self.line_load[rows, e, 1]
        length = float(self.stations[e + 1] - self.stations[e])
        mean, slope = 0.5 * (near + far), (far - near) / length
        force = -(mean * distance + 0.5 * slope * distance**2)[..., :3]
        bent = (0.5 * distance**2 - length**2 / 24) * np.cross([1.0, 0.0, 0.0], mean[..., :3])
        return np.concatenate([force, bent - mean[..., 3:] * distance], axis=-1)


def _carried(sigma: np.ndarray, strain: np.ndarray, compliance: np.ndarray, distance: float) -> np.ndarray:
    """exp(s ad_εᵀ) σ by its series; N' = −κ × N,  M' = −κ × M − γ × N"""
    strain = strain + sigma @ compliance
    gamma, kappa = strain[..., :3], strain[..., 3:]
    term = result = sigma
    for n in range(1, 12):
        force, moment = term[..., :3], term[..., 3:]
        rate = [-np.cross(kappa, force), -np.cross(kappa, moment) - np.cross(gamma, force)]
        term = distance / n * np.concatenate(rate, axis=-1)
        result = result + term
    return result


def _line_load(
    middle: np.ndarray,
    strain: np.ndarray,
    compliance: np.ndarray,
    axes: np.ndarray,
    stations: np.ndarray,
    held: Collection[int],
) -> np.ndarray:
    """(T, n, 2, 6) from the jumps at nodes that nothing holds or loads; linear between them and beyond."""
    count = middle.shape[1]
    lengths = np.diff(stations)
    free = [i for i in range(1, count) if i not in held]
    if not free:
        return np.zeros((len(middle), count, 2, 6))
    turn = [[np.kron(np.eye(2), axes[e, side]) for side in (0, 1)] for e in range(count)]  # section axes to body axes
    known = np.zeros((len(free), len(middle), 6))
    for k, i in enumerate(free):
        before = _carried(middle[:, i - 1], strain[i - 1], compliance[i - 1], 0.5 * lengths[i - 1])
        behind = _carried(middle[:, i], strain[i], compliance[i], -0.5 * lengths[i])
        jump = behind @ turn[i][0].T - before @ turn[i - 1][1].T
        known[k] = -jump / (0.5 * (lengths[i - 1] + lengths[i]))
    at = stations[free]
    load = np.empty((len(middle), count, 2, 6))
    for i, s in enumerate(stations):
        k = int(np.clip(np.searchsorted(at, s) - 1, 0, max(len(free) - 2, 0)))
        part = (s - at[k]) / (at[k + 1] - at[k]) if len(free) > 1 else 0.0
        value = known[k] + part * (known[min(k + 1, len(free) - 1)] - known[k])
        for e, side in ((i - 1, 1), (i, 0)):
            if 0 <= e < count:
                load[:, e, side] = value @ turn[e][side]
    return load


def held_nodes(beam: Beam, items: Iterable[Item]) -> set[int]:
    """Nodes of a beam that items attach to; all of them where an item is placed by a global point."""
    found = set()
    for item in items:
        for key in type(item).model_fields:
            value = getattr(item, key)
            for ref in value if isinstance(value, tuple) else (value,):
                if not isinstance(ref, MarkerRef) or ref.body != beam.name:
                    continue
                if getattr(item, "at", None) is not None:
                    return set(range(beam.divisions + 1))
                at = ref.at if ref.marker is None else beam.marker(ref.marker).at
                found.add(beam.carrier(ref.marker, np.zeros(3) if at is None else np.array(at, dtype=float))[0])
    return found


def line_forces(beam: Beam, signals: Signals, held: Collection[int] | None = None) -> LineForces:
    """Of a beam, from a Run or from name → values over time ("time" among them).

    held: nodes that joints, loads or springs attach to, where forces jump by what these exert; if unknown, forces are constant
        between two nodes.
    """
    columns = []
    for i in range(beam.divisions):
        for signal in SIGNALS:
            name = f"{beam.name}.element {i + 1}.{signal}"
            if name not in signals:
                what = f"the signal '{name}' was not recorded"
                raise ModelError(Problem(f"beam '{beam.name}'", what, "", f"record the beam '{beam.name}'"))
            columns.append(np.atleast_1d(np.asarray(signals[name], dtype=float)))
    middle = np.stack(columns, axis=1).reshape(-1, beam.divisions, 6)
    x, S, s = beam.geometry
    strain = []
    for e in range(beam.divisions):
        u, psi = helix(x[e : e + 2], S[e])
        strain.append(np.concatenate([S[e, 0].T @ u, S[e, 0].T @ psi]) / np.linalg.norm(u))
    time = np.atleast_1d(np.asarray(signals["time"], dtype=float)) if "time" in signals else np.zeros(len(middle))
    compliance = np.array([section.compliance for section in beam.properties])
    nodes = range(beam.divisions + 1) if held is None else held
    of_loads = _held(beam, signals, len(middle))
    if of_loads is not None:  # jumps at the nodes are those of the loads, too
        nodes = range(beam.divisions + 1)
    load = _line_load(middle, np.array(strain), compliance, S, s, nodes)
    return LineForces(beam.name, time, s, middle, np.array(strain), compliance, load, of_loads)


def _held(beam: Beam, signals: Signals, count: int) -> np.ndarray | None:
    """(T, n, 3, 6) of all line loads on a beam."""
    numbers = {f".{beam.name}.element {i + 1}.{STATIONS[0]}_{SIGNALS[0]}": i for i in range(beam.divisions)}
    found = [(name, tail) for name in signals if (tail := name[name.rfind(f".{beam.name}.element ") :]) in numbers]
    if not found:
        return None
    held = np.zeros((count, beam.divisions, len(STATIONS), len(SIGNALS)))
    for name, tail in found:
        owner = name.rpartition(".")[0]
        for i, station in enumerate(STATIONS):
            for k, signal in enumerate(SIGNALS):
                held[:, numbers[tail], i, k] += np.atleast_1d(signals[f"{owner}.{station}_{signal}"])
    return held
