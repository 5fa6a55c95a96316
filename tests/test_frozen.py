"""Frozen records are made as dataclasses are, only quicker."""

import inspect
from dataclasses import FrozenInstanceError, field, replace

import pytest

from flexor.frozen import frozen


@frozen
class Spot:
    name: str
    at: list[float] = field(default_factory=list)
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.weight < 0:
            raise ValueError("it is lighter than nothing")


def test_fields_and_defaults():
    first, second = Spot("a"), Spot("a")
    assert first == second == Spot(name="a", at=[], weight=1.0)
    assert first.at is not second.at
    assert replace(first, weight=2.0) == Spot("a", weight=2.0)
    assert list(inspect.signature(Spot).parameters) == ["name", "at", "weight"]


def test_nothing_is_changed_later():
    with pytest.raises(FrozenInstanceError):
        Spot("a").weight = 2.0


def test_mistakes_are_told():
    with pytest.raises(ValueError, match="lighter"):
        Spot("a", weight=-1.0)
    with pytest.raises(TypeError, match="name"):
        Spot()
    with pytest.raises(TypeError, match="colour"):
        Spot("a", colour="red")
