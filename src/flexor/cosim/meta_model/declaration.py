"""What stands in a meta-model: the same objects in Python, XML (NAK figure 24-3) and YAML."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from flexor.cosim.tlm.line import TransmissionLine
from flexor.declaration import Declaration, Mass, Time, quantity

Impedance = Annotated[float, quantity("damping")]
RotaryImpedance = Annotated[float, quantity("rotational damping")]
Inertia = Annotated[float, quantity("inertia")]
NAME = r"^[^.\s][^.]*$"


class InterfacePoint(Declaration):
    """A named point of a component: its motion can be read and a force applied there."""

    positional: ClassVar[tuple[str, ...]] = ("name",)
    noun: ClassVar[str] = "interface"
    name: str = Field(
        description="Name, unique in its component; of a Flexor model a marker, e.g. arm.tip.", min_length=1
    )
    dimensions: Literal[1, 3] = Field(3, description="1: along one direction or about one axis; 3: in space.")
    mass: Mass | None = Field(
        None, description="Mass that the component has there [kg]; what is not told is asked for.", gt=0
    )
    inertia: Inertia | None = Field(None, description="Its smallest moment of inertia there [kg m²].", gt=0)


class SubModel(Declaration):
    """A component: a model, and the program that simulates it."""

    positional: ClassVar[tuple[str, ...]] = ("name", "start_command")
    noun: ClassVar[str] = "component"
    name: str = Field(
        description="Unique name; the program gets it as its model, unless there is a model file.", pattern=NAME
    )
    start_command: str = Field(
        "",
        description="Program that takes model, start, end, largest step and server; none: it is started by hand, elsewhere.",
    )
    exact_step: bool = Field(
        False,
        description="Whether its solver meets given times exactly: steps up to the delay are allowed, else half of it.",
    )
    model_file: str | None = Field(None, description="File of the model, as seen from the folder of the meta-model.")
    step: Time | None = Field(None, description="Its own time step, if it is known [s].", gt=0)
    interface_points: tuple[InterfacePoint, ...] = Field((), description="Points that connections may lead to.")

    def point(self, name: str) -> InterfacePoint | None:
        """The interface point of this name."""
        return next((point for point in self.interface_points if point.name == name), None)


class Connection(Declaration):
    """A transmission line between two interface points, each written component.interface."""

    positional: ClassVar[tuple[str, ...]] = ("a", "b")
    noun: ClassVar[str] = "connection"
    a: str = Field(description="One end, component.interface.", pattern=r"^[^.]+\..+$")
    b: str = Field(description="The other end.", pattern=r"^[^.]+\..+$")
    delay: Time = Field(description="Delay of the line [s].", gt=0)
    zf: Impedance = Field(description="Impedance of forces [N s/m].", gt=0)
    zfr: RotaryImpedance = Field(0.0, description="Impedance of torques [N m s/rad]; 0: none is passed on.", ge=0)
    alpha: float = Field(0.0, description="Damping constant of the line's filter.", ge=0, lt=1)

    @property
    def line(self) -> TransmissionLine:
        """The theory of it."""
        return TransmissionLine(self.delay, self.zf, self.zfr, self.alpha)

    @property
    def ends(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Component and interface of both ends."""
        (a, _, i), (b, _, j) = self.a.partition("."), self.b.partition(".")
        return (a, i), (b, j)

    def __str__(self) -> str:
        return f"{self.a} – {self.b}"


class MetaModel(Declaration):
    """Components, the lines between them, and the time to simulate."""

    positional: ClassVar[tuple[str, ...]] = ("name", "sub_models", "connections")
    noun: ClassVar[str] = "meta-model"
    name: str = Field(description="Name of the whole, used for its files.", min_length=1)
    sub_models: tuple[SubModel, ...] = Field((), description="The components.")
    connections: tuple[Connection, ...] = Field((), description="The lines between them.")
    manager_port: int = Field(0, description="TCP port of the manager; 0: any that is free.", ge=0, le=65535)
    start_time: Time = Field(0.0, description="Start [s].")
    stop_time: Time = Field(description="End [s].")

    def component(self, name: str) -> SubModel | None:
        """The component of this name."""
        return next((each for each in self.sub_models if each.name == name), None)

    def lines_of(self, name: str) -> list[Connection]:
        """Connections of a component."""
        return [each for each in self.connections if name in (each.ends[0][0], each.ends[1][0])]

    def largest_step(self, name: str) -> float:
        """Longest step that a component may take [s]: the shortest of its delays, half of it if its steps are not exact.   NAK 24.4"""
        delays = [each.delay for each in self.lines_of(name)]
        component = self.component(name)
        factor = 1.0 if component is not None and component.exact_step else 0.5
        return factor * min(delays, default=self.stop_time - self.start_time)
