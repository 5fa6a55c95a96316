"""Records: one declaration, read and written alike in Python and compiled."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from flexor.law import Term, law
from flexor.law.compile import compiled
from flexor.law.record import (
    Record,
    evaluator,
    integer,
    integers,
    integers_at,
    kernel_at,
    nested,
    number,
    numbers,
    numbers_at,
    record_at,
    repacked,
    tail,
)
from flexor.law.table import AddressTable


class Inner(Record):
    """A record inside another."""

    address = evaluator("a function")
    p = tail("its numbers")


class Outer(Record):
    """Every kind of field."""

    kind = integer("which")
    stiffness = number("of the spring", "N/m")
    point = numbers(3, "where", "m")
    pair = integers(2, "two of a kind")
    curve = tail("as many as there are")
    call = nested(Inner, "what to call")
    first = number("one")
    second = number("two")


def a_function(p, x, out):
    return 0


def packed():
    return Outer.pack(
        kind=3,
        stiffness=2.5,
        point=(1, 2, 3),
        pair=(7, 8),
        curve=[4, 5, 6],
        call=Inner.pack(address=a_function, p=[9, 10]),
        first=1.5,
        second=2.5,
    )


def touch(p, x, out):
    """Reads and writes every kind; an evaluator, so that it can be called by hand."""
    r = Outer(p)
    out[0] = r.kind + r.stiffness + r.point[1] + r.pair[1] + r.curve[2] + r.call.p[1] + r.second
    r.kind = 11
    r.stiffness = x
    r.point[2] = 30.0
    r.pair[0] = -4
    r.curve[0] = 40.0
    r.call.p[0] = 90.0
    return r.call.address


def pointer(array):
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


@pytest.mark.parametrize("python", [True, False])
def test_read_and_write(python):
    memory = packed().resolved(lambda function: 4711)
    out = np.zeros(4)
    if python:
        status = touch(memory, 0.25, out)
    else:
        status = compiled(touch, "evaluator").ctypes(pointer(memory), 0.25, pointer(out))
    assert status == 4711
    assert out[0] == 3 + 2.5 + 2 + 8 + 6 + 10 + 2.5
    r = Outer(memory)
    assert (r.kind, r.stiffness) == (11, 0.25)
    np.testing.assert_array_equal(r.point, [1, 2, 30])
    np.testing.assert_array_equal(r.pair, [-4, 8])
    np.testing.assert_array_equal(r.curve, [40, 5, 6])
    np.testing.assert_array_equal(r.call.p, [90, 10])


def several(p, x, out):
    out[0] = Outer(p, 1).stiffness
    return 0


@pytest.mark.parametrize("python", [True, False])
def test_one_of_several_in_a_row(python):
    memory = np.zeros(3 * Outer.WORDS)
    Outer(memory, 1).stiffness = 42.0
    out = np.zeros(4)
    if python:
        several(memory, 0.0, out)
    else:
        compiled(several, "evaluator").ctypes(pointer(memory), 0.0, pointer(out))
    assert out[0] == 42.0


class Plate(Record):
    """Integers only, one of them named twice."""

    rows = integer("how many")
    columns = integer("how many")
    shape = integers(2, "both", over="rows")


def test_words_named_twice():
    plate = Plate(np.array([4, 5]))
    np.testing.assert_array_equal(plate.shape, [4, 5])
    plate.shape[1] = 6
    assert plate.columns == 6
    assert Plate.WORDS == 2


def test_columns_of_many_records():
    memory = np.zeros(3 * Plate.WORDS, dtype=np.int64)
    memory.view(Plate.dtype())["columns"] = [1, 2, 3]
    assert [Plate(memory, i).columns for i in range(3)] == [1, 2, 3]


def test_unknown_and_missing_names_are_refused():
    with pytest.raises(AttributeError, match="no field 'row'"):
        Plate(np.zeros(2, dtype=np.int64)).row = 3
    with pytest.raises(TypeError, match=r"missing \['columns'\], unknown \['colums'\]"):
        Plate.pack(rows=1, colums=2)
    with pytest.raises(AttributeError, match="change its items"):
        Outer(packed().words).point = 3.0

    def typo(p, x, out):
        return Outer(p).kid

    with pytest.raises(Exception, match="'kid'"):
        compiled(typo, "evaluator")


def test_beyond_the_end_is_an_error_in_python():
    with pytest.raises(IndexError):
        Outer(packed().words).point[3]


class Numbers(Record):
    total = number("sum")


class Memory(Record):
    """A table."""

    values = numbers_at("what is added")
    count = integers_at("how many of them")
    numbers = record_at(Numbers, "where the sum goes")
    add = kernel_at("adds")


def add(T: Memory):
    T.numbers.total = 0.0
    for i in range(T.count[0]):
        T.numbers.total += T.values[i]
    return 0


@pytest.mark.parametrize("python", [True, False])
def test_a_table_of_arrays_and_kernels(python):
    table = AddressTable(Memory, python)
    numbers = Numbers(np.zeros(Numbers.WORDS))
    table.set("values", np.array([1.0, 2.0, 4.0]))
    table.set("count", np.array([3]))
    table.set("numbers", numbers)
    table.set_kernel("add", add)
    assert table.call("add") == 0
    assert numbers.total == 7.0
    table.set("values", np.array([[1.0], [1.0], [1.0]]))
    table.call("add")
    assert numbers.total == 3.0


class Piece(Record):
    """Every kind of field that can be moved."""

    kind = integer("which")
    point = numbers(3, "where", "m")
    long = tail("some")
    short = tail("some more")


class Whole(Record):
    """A record that holds another one with tails."""

    begin = tail("before")
    piece = nested(Piece, "moved out")
    end = tail("behind")


def test_a_record_inside_another_gets_memory_of_its_own():
    piece = Piece.pack(kind=7, point=(1, 2, 3), long=[4, 5], short=[6])
    whole = Whole(Whole.pack(begin=[8, 9], piece=piece, end=[10]).words)
    moved = repacked(whole.piece)
    np.testing.assert_array_equal(moved.words.view(np.int64), piece.words.view(np.int64))
    Piece(moved.words).point[1] = 20.0
    assert whole.piece.point[1] == 2.0
    with pytest.raises(TypeError, match=r"Inner.address leads to a function"):
        repacked(Outer(packed().words))


def test_tails_begin_at_whole_vectors():
    piece = Piece.pack(kind=7, point=(1, 2, 3), long=[4, 5], short=[6])
    whole = Whole(Whole.pack(begin=[8, 9, 10], piece=piece, end=[11]).words)
    for tail_of in (Piece(piece.words).long, Piece(piece.words).short, whole.piece.long, whole.piece.short, whole.end):
        memory = tail_of.base
        assert (tail_of.ctypes.data - memory.ctypes.data) % 32 == 0
    np.testing.assert_array_equal(whole.begin, [8, 9, 10])
    np.testing.assert_array_equal(whole.piece.short, [6])
    np.testing.assert_array_equal(whole.end, [11])


class Past(Record):
    """What a law remembers."""

    time = number("end of the last step", "s")
    q = numbers(3, "angles there", "rad")
    work = number("of the last step", "J")


def test_a_history_begins_with_what_is_given_by_name():
    assert Past.begin() == (0.0,) * 5
    assert Past.begin(q=(1.0, 2.0), work=3.0) == (0.0, 1.0, 2.0, 0.0, 3.0)
    with pytest.raises(AttributeError, match="Past has no field 'angle'"):
        Past.begin(angle=1.0)


def test_a_term_finds_what_it_remembers_by_name():
    @law(Past, history=Past)
    def remembering(want, p, now, out):
        return 0

    term = Term("pin", remembering, history=Past.begin(time=1.0, q=(2.0, 3.0, 4.0), work=5.0), work="work")
    assert term.history[term.place("work")] == 5.0
    assert [term.history[term.place("q", i)] for i in range(3)] == [2.0, 3.0, 4.0]


def test_a_number_may_be_packed_as_a_row_of_one():
    """As parameters of a user's law are, which do not say whether they are one or several."""

    class Two(Record):
        one = number("a number")
        count = integer("a whole number")

    assert Two(Two.pack(one=[2.5], count=(3,)).words).one == 2.5
    assert Two(Two.pack(one=[2.5], count=(3,)).words).count == 3
    with pytest.raises(ValueError, match="broadcast"):
        Two.pack(one=[1.0, 2.0], count=1)
