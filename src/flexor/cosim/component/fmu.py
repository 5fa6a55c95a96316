"""Any FMI 2 or 3 co-simulation FMU as a component, through FMPy: force in, motion out, by a mapping file.

    fmu: damper.fmu
    interfaces:
      rod:                              # 1-D
        dimensions: 1
        force: F                        # input of the FMU; the line's force on it [N]
        position: s                     # outputs [m], [m/s]
        velocity: v
      hub:                              # 3-D: three variables each, of the orientation nine, row by row
        force: [Fx, Fy, Fz]
        position: [x, y, z]
        velocity: [vx, vy, vz]
    parameters: {m: 2.5}

Over a step the FMU gets a constant force, the mean of those at its ends. f = w(t) − Z v at the end depends on what the FMU answers: one that
can go back to a saved state is asked until both agree, which is the trapezoidal rule; of another one the answer is foreseen with `mass`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import yaml
from pydantic import Field, ValidationError

from flexor.cosim.tlm.end import UNTURNED, PointMotion
from flexor.cosim.tlm.plugin import PluginInterface, TLMPlugin
from flexor.declaration import Declaration, Mass, Time
from flexor.errors import FileError, ModelError, Problem, SolveError
from flexor.files import as_path, read_bytes
from flexor.mistakes import problems_of, suggestion
from flexor.warning import warn

Names = tuple[str, ...] | str
ROUNDS, AGREED = 20, 1e-12


class LaggingForce(UserWarning):
    """An FMU cannot go back in time, and its mass is not told: the line's force lags behind its motion."""


class FmuInterface(Declaration):
    """Variables of an FMU at one interface point."""

    dimensions: Literal[1, 3] = Field(3, description="1, or 3: in space.")
    force: Names = Field(description="Inputs: force of the line on the FMU [N].")
    position: Names = Field(description="Outputs: position [m].")
    velocity: Names = Field(description="Outputs: velocity [m/s].")
    torque: Names = Field((), description="Inputs: torque of the line [N m], if it turns.")
    orientation: Names = Field((), description="Outputs: nine, row by row, interface axes → global.")
    angular_velocity: Names = Field((), description="Outputs: angular velocity [rad/s].")
    mass: Mass | None = Field(None, description="Mass there [kg], for an FMU that cannot go back in time.", gt=0)


class FmuMapping(Declaration):
    """An FMU as a component."""

    noun: ClassVar[str] = "FMU mapping"
    fmu: str = Field(description="File of the FMU, as seen from the folder of the mapping.")
    interfaces: dict[str, FmuInterface] = Field(
        description="PluginInterface points by the names that the meta-model uses."
    )
    parameters: dict[str, float] = Field(default_factory=dict, description="Start values of variables.")
    step: Time | None = Field(None, description="Communication step [s]; the longest possible if left out.", gt=0)


def load(path: str | Path) -> FmuMapping:
    """The mapping in a file."""
    path = as_path(path, "FMU mapping")
    try:
        data = yaml.safe_load(read_bytes(path).decode())
        return FmuMapping.model_validate(data)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise FileError(Problem(str(path), "is no YAML", str(error).splitlines()[0])) from None
    except ValidationError as error:
        raise ModelError(problems_of(error, f"FMU mapping {path}", FmuMapping)) from None


def is_mapping(path: Path) -> bool:
    """Whether a file is the mapping of an FMU, not a Flexor model."""
    try:
        data = yaml.safe_load(read_bytes(path).decode())
    except (FileError, yaml.YAMLError, UnicodeDecodeError):
        return False
    return isinstance(data, dict) and "fmu" in data


class Slave:
    """An FMU of either version behind the same few calls."""

    def __init__(self, path: Path, start: float, stop: float, parameters: dict[str, float]) -> None:
        fmpy = _fmpy()
        try:
            self.description = fmpy.read_model_description(str(path))
        except Exception as error:
            raise FileError(
                Problem(f"FMU {path}", "cannot be read", str(error), "give an .fmu file of FMI 2 or 3")
            ) from None
        md = self.description
        if md.coSimulation is None:
            what, fix = "it has no co-simulation interface", "export it for co-simulation, with its solver inside"
            raise ModelError(Problem(f"FMU {path}", what, "a model exchange FMU cannot make steps", fix))
        self.three = md.fmiVersion.startswith("3")
        self.path = path
        self.variables = {variable.name: variable for variable in md.modelVariables}
        self.rewinds = bool(md.coSimulation.canGetAndSetFMUstate)
        self._folder = fmpy.extract(str(path))
        self.fmu = fmpy.simulation.instantiate_fmu(self._folder, md, "CoSimulation", require_functions=False)
        if not self.three:
            self.fmu.setupExperiment(startTime=start, stopTime=stop)
        if parameters:
            self.put([self.number(name) for name in parameters], list(parameters.values()))
        if self.three:
            self.fmu.enterInitializationMode(startTime=start, stopTime=stop)
        else:
            self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()

    def number(self, name: str) -> int:
        """Reference of a variable."""
        if name not in self.variables:
            fix = suggestion(name, self.variables, "it has")
            raise ModelError(Problem(f"FMU {self.path}", f"it has no variable '{name}'", "", fix))
        return int(self.variables[name].valueReference)

    def put(self, numbers: list[int], values: list[float]) -> None:
        (self.fmu.setFloat64 if self.three else self.fmu.setReal)(numbers, values)

    def get(self, numbers: list[int]) -> list[float]:
        return list((self.fmu.getFloat64 if self.three else self.fmu.getReal)(numbers))

    def step(self, t: float, h: float) -> None:
        self.fmu.doStep(currentCommunicationPoint=t, communicationStepSize=h)

    def save(self) -> Any:
        return self.fmu.getFMUState() if self.three else self.fmu.getFMUstate()

    def restore(self, state: Any) -> None:
        (self.fmu.setFMUState if self.three else self.fmu.setFMUstate)(state)

    def free(self, state: Any) -> None:
        (self.fmu.freeFMUState if self.three else self.fmu.freeFMUstate)(state)

    def close(self) -> None:
        self.fmu.terminate()
        self.fmu.freeInstance()
        shutil.rmtree(self._folder, ignore_errors=True)


class FmuEnd:
    """An interface of the FMU and its line."""

    def __init__(self, name: str, given: FmuInterface, interface: PluginInterface, slave: Slave) -> None:
        self.interface, self.dimensions = interface, given.dimensions
        counts = {"force": 1, "position": 1, "velocity": 1} if given.dimensions == 1 else {
            "force": 3, "position": 3, "velocity": 3, "torque": 3, "orientation": 9, "angular_velocity": 3}  # fmt: skip
        found: dict[str, list[int]] = {}
        for field in ("force", "position", "velocity", "torque", "orientation", "angular_velocity"):
            names = getattr(given, field)
            names = (names,) if isinstance(names, str) else names
            if len(names) not in (
                (counts[field],) if field in ("force", "position", "velocity") else (0, counts.get(field, 0))
            ):
                what = f"interface '{name}': {field} has {len(names)} variables"
                raise ModelError(Problem("FMU mapping", what, "", f"give {counts.get(field, 0)}"))
            found[field] = [slave.number(each) for each in names]
        self.inputs = found["force"] + found["torque"]
        self.outputs = found
        self.turns = bool(found["torque"] and found["angular_velocity"])
        self.mass = given.mass
        k = 1 if given.dimensions == 1 else 3
        self.gained, self.mean = np.zeros(k), np.zeros(k)  # of the last step

    def motion(self, slave: Slave) -> PointMotion:
        o = self.outputs
        x, v = slave.get(o["position"]), slave.get(o["velocity"])
        R = slave.get(o["orientation"]) if o["orientation"] else UNTURNED
        omega = slave.get(o["angular_velocity"]) if o["angular_velocity"] else (0.0, 0.0, 0.0)
        return PointMotion(x, v, R, omega)

    def force(self, plugin: TLMPlugin, t: float, motion: PointMotion) -> np.ndarray:
        return np.array(plugin.force(self.interface, t, motion)[: len(self.inputs)])


def component(mapping: FmuMapping, folder: str | Path = ".") -> Callable[[TLMPlugin], None]:
    """An FMU as a component of a co-simulation; folder: where its file is sought."""

    def simulate(plugin: TLMPlugin) -> None:
        slave = Slave(Path(folder) / mapping.fmu, plugin.start, plugin.stop, mapping.parameters)
        try:
            _simulate(plugin, mapping, slave)
        finally:
            slave.close()

    return simulate


def _simulate(plugin: TLMPlugin, mapping: FmuMapping, slave: Slave) -> None:
    ends = [FmuEnd(n, given, plugin.register(n, given.dimensions), slave) for n, given in mapping.interfaces.items()]
    ends = [end for end in ends if end.interface.connected]
    if not slave.rewinds and any(end.mass is None for end in ends):
        most = mapping.step or plugin.largest_step
        warn(
            f"FMU {slave.path}: it cannot go back in time, so forces lag half a step behind; stable for Z h/m < 2, here m > "
            f"{max(end.interface.line.impedance for end in ends) * most / 2:.3g} kg; give `mass` at its interfaces",
            LaggingForce,
        )
    motions = [end.motion(slave) for end in ends]
    plugin.begin({end.interface: motion for end, motion in zip(ends, motions, strict=True)})
    h = min(mapping.step or plugin.largest_step, plugin.largest_step)
    steps = max(int(np.ceil((plugin.stop - plugin.start) / h - 1e-6)), 1)
    numbers = [number for end in ends for number in end.inputs]
    t = plugin.start
    old = _forces(plugin, ends, t, motions)
    answer = _answer(plugin, slave, ends, numbers, t, (plugin.stop - t) / steps, old) if slave.rewinds else None
    for i in range(1, steps + 1):
        t1 = plugin.start + (plugin.stop - plugin.start) * i / steps
        for end in ends:
            plugin.wait(end.interface, t1)
        if answer is not None:
            old = _agree(plugin, slave, ends, numbers, t, t1, old, answer)
        else:
            foreseen = _foreseen(plugin, ends, t1, t1 - t, motions, old)
            mean = 0.5 * (old + foreseen)
            slave.put(numbers, mean.tolist())
            slave.step(t, t1 - t)
            before, motions = motions, [end.motion(slave) for end in ends]
            _remember(ends, before, motions, mean)
            old = _forces(plugin, ends, t1, motions)
        t = t1
        for end in ends:
            plugin.set_motion(end.interface, t, end.motion(slave))
    plugin.done()


def _forces(plugin: TLMPlugin, ends: list[FmuEnd], t: float, motions: list[PointMotion]) -> np.ndarray:
    return np.concatenate([end.force(plugin, t, motion) for end, motion in zip(ends, motions, strict=True)])


def _trial(
    plugin: TLMPlugin,
    slave: Slave,
    ends: list[FmuEnd],
    numbers: list[int],
    state: Any,
    t: float,
    t1: float,
    mean: np.ndarray,
    at: float,
) -> np.ndarray:
    """Forces of the lines at the end of a step under a constant force, from a saved state; at: time of the waves."""
    slave.restore(state)
    slave.put(numbers, mean.tolist())
    slave.step(t, t1 - t)
    return _forces(plugin, ends, at, [end.motion(slave) for end in ends])


def _answer(
    plugin: TLMPlugin, slave: Slave, ends: list[FmuEnd], numbers: list[int], t: float, h: float, force: np.ndarray
) -> np.ndarray:
    """How the forces at the end of a step change with a constant force over it: −Z ∂v/∂f, by differences."""
    state = slave.save()
    base = _trial(plugin, slave, ends, numbers, state, t, t + h, force, t)
    columns = []
    for k in range(len(force)):
        pushed = force.copy()
        pushed[k] += 1.0
        columns.append(_trial(plugin, slave, ends, numbers, state, t, t + h, pushed, t) - base)
    slave.restore(state)
    slave.free(state)
    return np.column_stack(columns)


def _agree(
    plugin: TLMPlugin,
    slave: Slave,
    ends: list[FmuEnd],
    numbers: list[int],
    t: float,
    t1: float,
    old: np.ndarray,
    answer: np.ndarray,
) -> np.ndarray:
    """A step under the mean of the forces at its ends; those at the end."""
    state = slave.save()
    new = old.copy()
    newton = np.eye(len(old)) - 0.5 * answer
    try:
        for _ in range(ROUNDS):
            found = _trial(plugin, slave, ends, numbers, state, t, t1, 0.5 * (old + new), t1)
            error = found - new
            if np.abs(error).max(initial=0.0) <= AGREED * (1.0 + np.abs(found).max(initial=0.0)):
                return found
            new = new + np.linalg.solve(newton, error)
    finally:
        slave.free(state)
    left = float(np.abs(error).max())
    raise SolveError(
        Problem(f"FMU {slave.path}", f"its force and motion do not agree, by {left:.3g} N", "", "take a shorter step"),
        time=t1,
    )


def _foreseen(
    plugin: TLMPlugin, ends: list[FmuEnd], t1: float, h: float, motions: list[PointMotion], old: np.ndarray
) -> np.ndarray:
    """Forces at the end of a step of an interface that answers as a mass: v₁ = v + Δv + h (f̄₁ − f̄)/m, f₁ = w₁ − Z v₁, f̄₁ = ½ (f + f₁).

    Δv and f̄: of the step before, whose other forces go on. Without a mass: with the velocity as it is now.
    """
    found, at = [], 0
    for end, motion in zip(ends, motions, strict=True):
        n = len(end.inputs)
        force, before = end.force(plugin, t1, motion), old[at : at + n]
        if end.mass is not None:
            Z = end.interface.line.impedance
            s = 0.5 * h * Z / end.mass
            k = min(n, 3)
            force[:k] = (force[:k] - Z * end.gained - s * (before[:k] - 2 * end.mean)) / (1 + s)
        found.append(force)
        at += n
    return np.concatenate(found)


def _remember(ends: list[FmuEnd], before: list[PointMotion], now: list[PointMotion], mean: np.ndarray) -> None:
    """What a step has done: the velocity gained, and the force over it."""
    at = 0
    for end, old, new in zip(ends, before, now, strict=True):
        k = min(len(end.inputs), 3)
        end.gained, end.mean = np.subtract(new.v, old.v)[:k], mean[at : at + k]
        at += len(end.inputs)


def _fmpy() -> Any:
    try:
        import fmpy
        import fmpy.simulation
    except ImportError:
        raise ModelError(
            Problem("FMU", "FMPy is not installed", "it loads the FMU", "pip install flexor[fmi]")
        ) from None
    return fmpy
