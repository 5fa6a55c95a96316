"""Functions of one variable: of time for motors, of deflection for springs, of velocity for dampers."""

from flexor.functions.any_function import FUNCTIONS, AnyFunction, as_function, function_of, values_of
from flexor.functions.clearance import clearance
from flexor.functions.constant import Constant, constant
from flexor.functions.expression import Expression, expression
from flexor.functions.function import OUT_SIZE, Function
from flexor.functions.harmonics import Harmonics, harmonics
from flexor.functions.polynomial import Polynomial, polynomial
from flexor.functions.product import Product
from flexor.functions.ramp import Ramp, ramp
from flexor.functions.scaled import Scaled
from flexor.functions.sine import Sine, sine
from flexor.functions.status import ERRORS
from flexor.functions.step import Step, step
from flexor.functions.sum import Sum
from flexor.functions.table import Table, table

__all__ = [
    "ERRORS",
    "FUNCTIONS",
    "OUT_SIZE",
    "AnyFunction",
    "Constant",
    "Expression",
    "Function",
    "Harmonics",
    "Polynomial",
    "Product",
    "Ramp",
    "Scaled",
    "Sine",
    "Step",
    "Sum",
    "Table",
    "as_function",
    "clearance",
    "constant",
    "expression",
    "function_of",
    "harmonics",
    "polynomial",
    "ramp",
    "sine",
    "step",
    "table",
    "values_of",
]
