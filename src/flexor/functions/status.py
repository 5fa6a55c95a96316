"""What the status of an evaluator means, in the user's words; 0 is success.

The numbers are the same for all kinds of functions and lie above those of laws, so that a law can return the
status of a function it calls and list these texts among its own errors.
"""

from __future__ import annotations

OUTSIDE_TABLE = 901
DIVISION_BY_ZERO = 902
LOGARITHM_DOMAIN = 903
ROOT_DOMAIN = 904
ARC_DOMAIN = 905
POWER_DOMAIN = 906
OVERFLOW = 907
NO_DIRECTION = 908
NO_INTEGRAL = 909

ERRORS: dict[int, str] = {
    OUTSIDE_TABLE: "the argument lies outside the table; extend it or choose another extrapolation",
    DIVISION_BY_ZERO: "division by zero; guard it, e.g. if(t > 0, 1/t, 0)",
    LOGARITHM_DOMAIN: "logarithm of zero or of a negative number; guard it, e.g. log(max(t, 1e-9))",
    ROOT_DOMAIN: "square root of a negative number; guard it, e.g. sqrt(max(t, 0))",
    ARC_DOMAIN: "asin or acos of a number beyond −1 … 1; guard it, e.g. asin(max(-1, min(1, t)))",
    POWER_DOMAIN: "a power that is not real (a negative base needs a whole exponent, a variable exponent a "
    "positive base); guard it, e.g. max(t, 0)^1.5",
    OVERFLOW: "a number too large, or an argument that is not finite; check exp, sinh, cosh and ^",
    NO_DIRECTION: "atan2(0, 0) has no direction; guard it with if(…)",
    NO_INTEGRAL: "the integral from 0 does not converge (the function is undefined, unbounded or too rough "
    "between 0 and the argument); define it there with if(…), or use a table, periodic if the signal repeats",
}
