"""From the text of an expression to its program (see `flexor.functions.program`), by recursive descent.

    or   and   not   < <= > >= == !=   + -   * /   - (sign)   ^ (also **)      from loosest to tightest

Powers group from the right, everything else from the left; −t^2 is −(t^2). Constant parts are computed
beforehand. Kinks and jumps at places that follow from constants, as in if(t < 2, …) or abs(3*t - 1), are
noted as breakpoints.

Other names are those of sensors; one that is no plain name stands in quotes, 2*'left wheel', 2*'front_left.tilt' of one in a component. An expression of one thing
has a variable, one of several things has inputs, of which t is the time.
"""

from __future__ import annotations

import functools
import math
import re
from itertools import pairwise
from typing import NamedTuple

from flexor.functions import program as op
from flexor.functions.function import OUT_SIZE, STACK_DEPTH
from flexor.functions.status import ERRORS
from flexor.mistakes import nearest

LONGEST = 2000  # characters
NESTING = 50

CONSTANTS = {"pi": math.pi, "e": math.e}
VARIABLES = ("t", "x")
FUNCTIONS: dict[str, tuple[int, int]] = {  # opcode, number of arguments
    "sin": (op.SIN, 1), "cos": (op.COS, 1), "tan": (op.TAN, 1), "asin": (op.ASIN, 1), "acos": (op.ACOS, 1),
    "atan": (op.ATAN, 1), "sinh": (op.SINH, 1), "cosh": (op.COSH, 1), "tanh": (op.TANH, 1),
    "exp": (op.EXP, 1), "log": (op.LOG, 1), "log10": (op.LOG10, 1), "sqrt": (op.SQRT, 1), "abs": (op.ABS, 1),
    "sign": (op.SIGN, 1), "step": (op.STEP, 1), "floor": (op.FLOOR, 1), "atan2": (op.ATAN2, 2),
    "mod": (op.MOD, 2), "min": (op.MIN, 2), "max": (op.MAX, 2), "if": (op.JUMP, 3),
}  # fmt: skip
INFIX: dict[str, tuple[int, int]] = {  # opcode, precedence
    "or": (op.OR, 1), "and": (op.AND, 2), "<": (op.LT, 4), "<=": (op.LE, 4), ">": (op.GT, 4),
    ">=": (op.GE, 4), "==": (op.EQ, 4), "!=": (op.NE, 4), "+": (op.ADD, 5), "-": (op.SUB, 5),
    "*": (op.MUL, 6), "/": (op.DIV, 6), "^": (op.POW, 8),
}  # fmt: skip
NOT_PRECEDENCE, COMPARISON, SIGN_PRECEDENCE, POWER = 3, 4, 7, 8
SPELLINGS = {"**": "^", "·": "*", "×": "*", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "π": "pi"}

TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z_0-9]*|π)"
    r"|'(?P<quoted>[^']+)'"
    r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/^(),<>·×−≤≥≠])|(?P<end>\Z))"
)


class Token(NamedTuple):
    kind: str  # number, name, quoted, sign, end
    text: str
    place: int


class Affine(NamedTuple):
    """A part that is c₀ + c₁·variable; a constant if c₁ = 0."""

    c0: float
    c1: float


class Program(NamedTuple):
    """arguments: what it depends on, inputs in this order if there are several: names of sensors, or None for the variable."""

    code: tuple[float, ...]
    breakpoints: tuple[float, ...]
    arguments: tuple[str | None, ...]


@functools.lru_cache(maxsize=256)
def parse(text: str) -> Program:
    """The program of an expression; ValueError with a caret under the offending character."""
    return _Parser(text).program()


class _Parser:
    def __init__(self, text: str):
        self.text = text
        self.tokens: list[Token] = []
        self.next = 0
        self.code: list[float] = []
        self.breakpoints: set[float] = set()
        self.variable = ""
        self.arguments: tuple[str | None, ...] = ()
        self.depth = 0

    def program(self) -> Program:
        if len(self.text) > LONGEST:
            raise ValueError(
                f"the expression has {len(self.text)} characters; at most {LONGEST} are allowed, use a table"
            )
        self._tokenise()
        self.arguments = self._dependencies()
        self._part(0)
        token = self._look()
        if token.kind in ("number", "name", "quoted") or token.text == "(":
            raise self._mistake(
                "an operator is missing",
                f"multiplication is written with *, e.g. 2*{self.variable or 't'}",
                token.place,
            )
        if token.kind != "end":
            raise self._mistake(
                f"'{token.text}' is out of place", "remove it or open a parenthesis before", token.place
            )
        needed = op.stack_needed(self.code)
        if needed > STACK_DEPTH:
            raise self._mistake(
                f"the expression needs {needed} intermediate results at a time",
                f"at most {STACK_DEPTH} are kept; write a + b + c instead of a + (b + (c + …))",
                0,
            )
        code = (*map(float, self.code), float(op.END))
        return Program(code, tuple(sorted(self.breakpoints)), self.arguments)

    # ---- text to tokens

    def _tokenise(self) -> None:
        place = 0
        while not self.tokens or self.tokens[-1].kind != "end":
            match = TOKEN.match(self.text, place)
            if match is None:
                while self.text[place].isspace():
                    place += 1
                if self.text[place] == "=":
                    raise self._mistake("a single = compares nothing", "write == to compare", place)
                raise self._mistake(
                    "this character has no meaning here",
                    "an expression is written like 2*sin(3*t) + 1",
                    place,
                )
            kind = str(match.lastgroup)
            self.tokens.append(Token(kind, SPELLINGS.get(match[kind], match[kind]), match.start(kind)))
            place = match.end()

    def _dependencies(self) -> tuple[str | None, ...]:
        """What it depends on, in order of appearance."""
        found: dict[str | None, Token] = {}
        for token, behind in pairwise(self.tokens):
            known = (*CONSTANTS, *FUNCTIONS, *INFIX, "not")
            if token.kind == "quoted" or (token.kind == "name" and token.text not in known and behind.text != "("):
                found.setdefault(token.text if _names_sensor(token) else None, token)
        if len(found) > 1 and None in found and found[None].text == "x":
            raise self._mistake(
                "beside sensors x means nothing",
                "write t for the time, or 'x' in quotes for a sensor",
                found[None].place,
            )
        return tuple(found)

    def _look(self) -> Token:
        return self.tokens[self.next]

    def _take(self) -> Token:
        self.next += 1
        return self.tokens[self.next - 1]

    def _expect(self, sign: str, fix: str) -> None:
        token = self._take()
        if token.kind != "sign" or token.text != sign:
            found = "the expression ends" if token.kind == "end" else f"'{token.text}' stands"
            raise self._mistake(f"{found} where '{sign}' is expected", fix, token.place)

    def _mistake(self, what: str, fix: str, place: int) -> ValueError:
        begin = max(0, place - 40)
        shown = re.sub(r"\s", " ", self.text[begin : place + 30])
        return ValueError(f"{what} at character {place + 1}; {fix}\n    {shown}\n    {' ' * (place - begin)}^")

    # ---- tokens to code; each method emits the code of a part and tells its affine form

    def _part(self, precedence: int) -> Affine | None:
        """A part whose operators bind more tightly than `precedence`."""
        self.depth += 1
        if self.depth > NESTING:
            raise self._mistake(f"more than {NESTING} levels are nested", "split the expression", self._look().place)
        start = len(self.code)
        left = self._operand()
        compared = False
        while self._look().text in INFIX:
            opcode, binding = INFIX[self._look().text]
            if binding <= precedence:
                break
            token = self._take()
            if binding == COMPARISON:
                if compared:
                    raise self._mistake("comparisons cannot be chained", "write 0 < t and t < 1", token.place)
                compared = True
            right = self._part(binding - 1 if binding == POWER else binding)
            left = self._binary(opcode, left, right, start, token.place)
        self.depth -= 1
        return left

    def _operand(self) -> Affine | None:
        token = self._take()
        start = len(self.code)
        if token.kind == "number":
            value = float(token.text)
            if not math.isfinite(value):
                raise self._mistake("the number is too large", "numbers go up to 1.8e308", token.place)
            return self._number(value)
        if token.text == "(":
            inner = self._part(0)
            self._expect(")", "close the parenthesis")
            return inner
        if token.text in ("-", "+"):
            inner = self._part(SIGN_PRECEDENCE)
            return inner if token.text == "+" else self._unary(op.NEG, inner, start, token.place)
        if token.text == "not":
            return self._unary(op.NOT, self._part(NOT_PRECEDENCE), start, token.place)
        if token.kind == "quoted" or (token.kind == "name" and token.text not in INFIX):
            return self._name(token)
        found = "the expression ends" if token.kind == "end" else f"'{token.text}' stands"
        raise self._mistake(f"{found} where a value is expected", "put a number, t or a function there", token.place)

    def _name(self, token: Token) -> Affine | None:
        name = token.text
        if _names_sensor(token) and name in self.arguments:
            return self._argument(name)
        if name in CONSTANTS:
            return self._number(CONSTANTS[name])
        if name in VARIABLES:
            if self.variable not in ("", name):
                raise self._mistake(
                    f"there are two variables, {self.variable} and {name}",
                    "a function has one; use t or x",
                    token.place,
                )
            self.variable = name
            return self._argument(None)
        if name in FUNCTIONS:
            return self._call(token)
        known = (*VARIABLES, *CONSTANTS, *FUNCTIONS)
        near = nearest(name, known)
        fix = f"did you mean {near}?" if near else f"known are {', '.join(known)}, and names of sensors"
        raise self._mistake(f"the name '{name[:30]}' is unknown", fix, token.place)

    def _argument(self, name: str | None) -> Affine | None:
        """A breakpoint is one of the only variable, or of time."""
        if len(self.arguments) == 1:
            self.code.append(op.VARIABLE)
        else:
            self.code += [op.INPUT, float(self.arguments.index(name))]
        return Affine(0.0, 1.0) if len(self.arguments) == 1 or name is None else None

    def _call(self, token: Token) -> Affine | None:
        opcode, count = FUNCTIONS[token.text]
        self._expect("(", f"write {token.text}(…)")
        if token.text == "if":
            return self._if(token)
        start = len(self.code)
        result = self._part(0)
        given = 1
        while self._look().text == ",":
            comma = self._take()
            given += 1
            if given > count and opcode not in (op.MIN, op.MAX):
                raise self._mistake(
                    f"{token.text} takes {count} argument{'s'[: count > 1]}", "remove the others", comma.place
                )
            result = self._binary(opcode, result, self._part(0), start, token.place)
        if given < count:
            raise self._mistake(f"{token.text} takes {count} arguments", "separate them by commas", self._look().place)
        self._expect(")", "close the parenthesis")
        return result if count > 1 else self._unary(opcode, result, start, token.place)

    def _if(self, token: Token) -> Affine | None:
        start = len(self.code)
        condition = self._part(0)
        self._expect(",", "write if(condition, value, other value)")
        self.code += [op.JUMP_UNLESS, 0.0]
        branch = len(self.code)
        first = self._part(0)
        self._expect(",", "write if(condition, value, other value)")
        self.code += [op.JUMP, 0.0]
        other = len(self.code)
        self.code[branch - 1] = float(other - branch)  # jumps count from behind their operand
        second = self._part(0)
        self.code[other - 1] = float(len(self.code) - other)
        self._expect(")", "close the parenthesis")
        if _constant(condition) and _constant(first) and _constant(second):
            return self._computed(start, token.place)
        return None

    def _number(self, value: float) -> Affine:
        self.code += [op.NUMBER, value]
        return Affine(value, 0.0)

    def _unary(self, opcode: int, u: Affine | None, start: int, place: int) -> Affine | None:
        self.code.append(opcode)
        if _constant(u):
            return self._computed(start, place)
        if opcode in (op.ABS, op.SIGN, op.STEP, op.SQRT, op.LOG, op.LOG10):
            self._break_where_zero(u)
        return Affine(-u.c0, -u.c1) if u is not None and opcode == op.NEG else None

    def _binary(self, opcode: int, a: Affine | None, b: Affine | None, start: int, place: int) -> Affine | None:
        self.code.append(opcode)
        if a is None or b is None:
            if opcode == op.POW:
                self._break_where_zero(a)
            return None
        if _constant(a) and _constant(b):
            return self._computed(start, place)
        if opcode in (op.MIN, op.MAX) or op.LT <= opcode <= op.NE:
            self._break_where_zero(Affine(a.c0 - b.c0, a.c1 - b.c1))
        elif opcode == op.POW:
            self._break_where_zero(a)
        elif opcode == op.ADD:
            return Affine(a.c0 + b.c0, a.c1 + b.c1)
        elif opcode == op.SUB:
            return Affine(a.c0 - b.c0, a.c1 - b.c1)
        elif opcode == op.MUL and (_constant(a) or _constant(b)):
            return Affine(a.c0 * b.c0, a.c0 * b.c1 + a.c1 * b.c0)
        elif opcode == op.DIV and _constant(b) and b.c0 != 0.0:
            return Affine(a.c0 / b.c0, a.c1 / b.c0)
        return None

    def _computed(self, start: int, place: int) -> Affine:
        """Replace the constant code from `start` on by its value."""
        out = [0.0] * OUT_SIZE
        status = op.run_program([*self.code[start:], float(op.END)], 0.0, out)
        if status:
            what, _, fix = ERRORS[status].partition("; ")
            raise self._mistake(what, fix, place)
        del self.code[start:]
        return self._number(out[0])

    def _break_where_zero(self, u: Affine | None) -> None:
        if u is not None and u.c1 != 0.0 and math.isfinite(u.c0 / u.c1):
            self.breakpoints.add(-u.c0 / u.c1 + 0.0)


def _names_sensor(token: Token) -> bool:
    """Whether a name that is no function is that of a sensor."""
    return token.kind == "quoted" or not (token.text in (*VARIABLES, *CONSTANTS, *FUNCTIONS) or token.text[0] == "_")


def _constant(u: Affine | None) -> bool:
    return u is not None and u.c1 == 0.0
