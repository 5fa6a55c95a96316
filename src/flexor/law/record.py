"""Memory with names: what stands where in a block of 8-byte words, declared once.

    class Rod(Record):
        \"""Parameters of a rod.\"""

        kind = integer("which of its ends is free")
        stiffness = number("axial stiffness", "N/m")
        p_NM = numbers(3, "marker on its node", "m")
        curve = tail("points of its characteristic", "N")     # as many as are packed
        drive = nested(Handle, "its length over time", "m")

`rod = Rod(memory)` is a view: `rod.stiffness` reads, `rod.stiffness = 2.0` writes, `rod.p_NM[1]` and `rod.curve[7]` index,
`rod.drive.address` goes on inside. `Rod(memory, i)` is the i-th of several in a row. The same text works on a NumPy array
and, compiled, on a pointer (`flexor.law.record_type`), where it costs one load. The memory is a plain array of int64 or
float64: an integer among floats is kept by its bits.

Fields `…_at` hold the address of an array, of another record or of a kernel. A record of those is a table: compiled, an array of
addresses; in Python, a list of arrays, records and functions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np

from flexor.frozen import frozen

INTEGER, NUMBER, INTEGERS, NUMBERS, TAIL, NESTED, EVALUATOR, INTEGERS_AT, NUMBERS_AT, RECORD_AT, KERNEL_AT = range(11)
LANES = 8
"""Tails begin at multiples of this many words, a cache line: neither four nor eight floats at once lie across two."""
_TYPE = {INTEGER: np.int64, NUMBER: np.float64, INTEGERS: np.int64, NUMBERS: np.float64, EVALUATOR: np.int64}
_WHOLE = np.dtype(np.int64)
_FLOATS = np.dtype(np.float64)
_SINGLE = (INTEGER, NUMBER, EVALUATOR)
_SMALL: list[float] = np.arange(16).view(np.float64).tolist()
"""Words of the first whole numbers."""
_OTHER = {INTEGER: _FLOATS, NUMBER: _WHOLE, EVALUATOR: _FLOATS}
"""Memory in which a field has to be looked at as another type."""
R = TypeVar("R", bound="Record")


@dataclass
class Field:
    """One name of a record: its kind, how many words it takes, where they begin, its unit, a line about it.

    A tail takes two words, offset from the begin of the record and length of an array behind it. A field `over` another one
    names the words from there on once more.
    """

    kind: int
    words: str
    unit: str = ""
    size: int = 1
    record: Any = None
    over: str = ""
    name: str = ""
    offset: int = 0

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @property
    def fixed(self) -> int | None:
        """How many numbers it holds, if that is the same in every record."""
        return None if self.kind in (TAIL, NESTED) else self.size

    def __get__(self, view: Record | None, owner: type | None = None) -> Any:
        if view is None:
            return self
        memory, o, kind = view._memory, self.offset, self.kind
        if kind >= INTEGERS_AT:
            return memory[o]
        if kind in _SINGLE:  # (objects: an array of dual numbers)
            return memory.view(_TYPE[kind])[o] if memory.dtype == _OTHER[kind] else memory[o]
        if kind == NESTED:
            return self.record(memory[o:])
        if kind == TAIL:
            first, length = memory[o : o + 2].view(np.int64)
            return memory[first : first + length]
        words = memory[o : o + self.size]
        return words if memory.dtype == object else words.view(_TYPE[kind])

    def __set__(self, view: Record, value: Any) -> None:
        memory, kind = view._memory, self.kind
        if kind >= INTEGERS_AT:
            memory[self.offset] = value
        elif kind in _SINGLE:
            (memory.view(_TYPE[kind]) if memory.dtype == _OTHER[kind] else memory)[self.offset] = value
        else:
            raise AttributeError(f"{type(view).__name__}.{self.name} is an array or record: change its items")


def integer(words: str, unit: str = "") -> int:
    """A field that holds a whole number."""
    return Field(INTEGER, words, unit)  # type: ignore[return-value]


def number(words: str, unit: str = "") -> float:
    """A field that holds a float."""
    return Field(NUMBER, words, unit)  # type: ignore[return-value]


def integers(count: int, words: str, unit: str = "", over: str = "") -> np.ndarray:
    """A field of several whole numbers; `over`: they are those from the field of this name on."""
    return Field(INTEGERS, words, unit, count, over=over)  # type: ignore[return-value]


def numbers(count: int, words: str, unit: str = "", over: str = "") -> np.ndarray:
    """A field of several floats; `over`: they are those from the field of this name on."""
    return Field(NUMBERS, words, unit, count, over=over)  # type: ignore[return-value]


def tail(words: str, unit: str = "") -> np.ndarray:
    """A field of floats, as many as each record packs; they stand behind its other fields."""
    return Field(TAIL, words, unit, 2)  # type: ignore[return-value]


def nested(record: type[R], words: str, unit: str = "") -> R:
    """A record inside the record."""
    return Field(NESTED, words, unit, record.WORDS, record)  # type: ignore[return-value]


def evaluator(words: str) -> int:
    """A field that leads to a function of one variable; it is packed as the function and becomes its address (see `Packed`)."""
    return Field(EVALUATOR, words)  # type: ignore[return-value]


def integers_at(words: str) -> np.ndarray:
    """Address of an array of whole numbers; in tables only."""
    return Field(INTEGERS_AT, words)  # type: ignore[return-value]


def numbers_at(words: str, unit: str = "") -> np.ndarray:
    """Address of an array of floats; in tables only."""
    return Field(NUMBERS_AT, words, unit)  # type: ignore[return-value]


def record_at(record: type[R], words: str) -> R:
    """Address of another record; in tables only."""
    return Field(RECORD_AT, words, record=record)  # type: ignore[return-value]


def kernel_at(words: str) -> Callable:
    """Address of a kernel; in tables only."""
    return Field(KERNEL_AT, words)  # type: ignore[return-value]


@frozen
class Packed:
    """Memory of a record, and which words are to become the addresses of which functions (0 where there is none)."""

    words: np.ndarray
    evaluators: tuple[tuple[int, Callable], ...] = ()

    def resolved(self, address: Callable[[Callable], int]) -> np.ndarray:
        """The words with addresses filled in; themselves, where there are none."""
        if not self.evaluators:
            return self.words
        words = self.words.copy()
        for place, function in self.evaluators:
            words[place : place + 1].view(np.int64)[0] = address(function)
        return words


class Record:
    """Base of records: a view on memory. Subclasses declare fields and nothing else."""

    __slots__ = ("_memory",)
    _memory: np.ndarray
    FIELDS: ClassVar[tuple[Field, ...]] = ()
    WORDS: ClassVar[int] = 0
    _tails: ClassVar[tuple[int, ...]] = ()
    _own_names: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        at = cls.WORDS
        found = []
        for field in [value for value in vars(cls).values() if isinstance(value, Field)]:
            if field.over:
                field.offset = vars(cls)[field.over].offset
                continue
            field.offset = at
            at += field.size
            found.append(field)
        cls.FIELDS = (*cls.FIELDS, *found)
        cls.WORDS = at

    def __init__(self, memory: Record | np.ndarray | list, i: int = 0) -> None:
        if isinstance(memory, Record):
            memory = memory._memory
        object.__setattr__(self, "_memory", memory if isinstance(memory, list) else memory[i * self.WORDS :])

    def __setattr__(self, name: str, value: object) -> None:
        field = getattr(type(self), name, None)
        if not isinstance(field, Field):
            raise AttributeError(f"{type(self).__name__} has no field '{name}'")
        field.__set__(self, value)

    @classmethod
    def layout(cls) -> tuple[object, ...]:
        """All that compiled code depends on."""
        return (
            cls.__name__,
            *((f.name, f.kind, f.offset, f.size, f.record.layout() if f.record else None) for f in cls.FIELDS),
        )

    @classmethod
    def pack(cls, **values: Any) -> Packed:
        """Memory of one record, tails behind it; every field must be given, a nested one packed."""
        if len(values) != len(cls.FIELDS) or values.keys() != cls._names():
            missing = [field.name for field in cls.FIELDS if field.name not in values]
            unknown = [name for name in values if name not in {field.name for field in cls.FIELDS}]
            raise TypeError(f"{cls.__name__}.pack: missing {missing}, unknown {unknown}")
        if (plain := cls._packed_plainly(values)) is not None:
            return Packed(np.array(plain, dtype=float))
        head = np.zeros(cls.WORDS)
        whole = head.view(np.int64)
        behind: list[np.ndarray] = []
        evaluators: list[tuple[int, Callable]] = []
        end = cls.WORDS
        for field in cls.FIELDS:
            kind, o, value = field.kind, field.offset, values[field.name]
            if kind == NUMBER:
                head[o : o + 1] = value
            elif kind == INTEGER:
                whole[o : o + 1] = value
            elif kind == EVALUATOR:
                if value is not None:
                    evaluators.append((o, value))
            elif kind == TAIL:
                gap = -end % LANES
                last = np.ravel(np.asarray(value, dtype=float))
                behind += [np.zeros(gap), last]
                whole[o], whole[o + 1] = end + gap, len(last)
                end += gap + len(last)
            elif kind == NESTED:
                words, size = value.words, field.size
                head[o : o + size] = words[:size]
                gap = (size - end) % LANES
                for first in field.record._places_of_tails():
                    whole[o + first] += end + gap - o - size
                if len(words) > size:
                    behind += [np.zeros(gap), words[size:]]
                    end += gap + len(words) - size
                if value.evaluators:
                    evaluators += [(o + place, function) for place, function in value.evaluators]
            else:
                into = whole if kind == INTEGERS else head
                fits = len(value) == field.size if type(value) is tuple else np.shape(value) == (field.size,)
                into[o : o + field.size] = value if fits else np.reshape(value, field.size)
        return Packed(np.concatenate([head, *behind]) if behind else head, tuple(evaluators))

    @classmethod
    def _packed_plainly(cls, values: dict[str, Any]) -> list[float] | None:
        """Its words where it has numbers alone, which most have that are used by the thousand; else None."""
        words = [0.0] * cls.WORDS
        for field in cls.FIELDS:
            kind, o, value = field.kind, field.offset, values[field.name]
            if kind == NUMBER and isinstance(value, float):
                words[o] = value
            elif kind == NUMBERS and type(value) is tuple and len(value) == field.size:
                words[o : o + field.size] = value
            elif kind == NUMBERS and type(value) is np.ndarray and value.shape == (field.size,):
                words[o : o + field.size] = value.tolist()
            elif kind == INTEGER and type(value) is int and 0 <= value < len(_SMALL):
                words[o] = _SMALL[value]
            else:
                return None
        return words

    @classmethod
    def _names(cls) -> frozenset[str]:
        if "_own_names" not in cls.__dict__:
            cls._own_names = frozenset(field.name for field in cls.FIELDS)
        return cls._own_names

    @classmethod
    def _places_of_tails(cls) -> tuple[int, ...]:
        """Where the offsets of its tails stand, those of nested records included."""
        if "_tails" not in cls.__dict__:
            cls._tails = tuple(cls.tail_offsets())
        return cls._tails

    @classmethod
    def begin(cls, **values: Any) -> tuple[float, ...]:
        """Its numbers in order, zero where nothing is given: what a history begins with."""
        words = [0.0] * cls.WORDS
        for name, value in values.items():
            field = getattr(cls, name, None)
            if (
                not isinstance(field, Field)
                or field.kind != NUMBERS
                or type(value) is not tuple
                or len(value) > field.size
            ):
                break
            words[field.offset : field.offset + len(value)] = map(float, value)
        else:
            return tuple(words)
        memory = np.zeros(cls.WORDS)
        view = cls(memory)
        for name, value in values.items():
            field = getattr(cls, name, None)
            if isinstance(field, Field) and field.kind in (INTEGERS, NUMBERS):
                getattr(view, name)[: len(value)] = value
            else:
                setattr(view, name, value)
        return tuple(memory.tolist())

    @classmethod
    def tail_offsets(cls) -> Iterator[int]:
        """Where the offsets of its tails stand, those of nested records included."""
        for field in cls.FIELDS:
            if field.kind == TAIL:
                yield field.offset
            elif field.kind == NESTED:
                yield from (field.offset + first for first in field.record.tail_offsets())

    @classmethod
    @functools.cache
    def dtype(cls) -> np.dtype:
        """The record as a structured NumPy type: `array.view(Term.dtype())["size"]` is a column of many records."""
        return np.dtype(
            [(f.name, _TYPE[f.kind], (f.size,) if f.kind in (INTEGERS, NUMBERS) else ()) for f in cls.FIELDS]
        )

    @classmethod
    def described(cls) -> Iterator[str]:
        """One line per field: name, unit, words."""
        for field in cls.FIELDS:
            yield f"{field.name}{f' [{field.unit}]' if field.unit else ''}: {field.words}"


def repacked(view: Record) -> Packed:
    """Memory of its own for a record that stands inside another; one that leads to functions cannot be moved."""
    values: dict[str, Any] = {}
    for field in view.FIELDS:
        if field.kind >= EVALUATOR:
            raise TypeError(f"{type(view).__name__}.{field.name} leads to a function: pack it anew")
        value = getattr(view, field.name)
        values[field.name] = repacked(value) if field.kind == NESTED else value
    return view.pack(**values)
