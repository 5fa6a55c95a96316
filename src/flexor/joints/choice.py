"""Which variable of a joint is meant where items couple some."""

from __future__ import annotations

from flexor.effects import Coupled
from flexor.joints.joint import Joint
from flexor.mistakes import suggestion

KINDS = {"rad": "angle", "m": "displacement"}


class NotThere(ValueError):
    """A joint has no such variable; fix: what to write instead."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(f"{what}; {fix}")
        self.what, self.fix = what, fix


def chosen_variable(joint: Joint, each: Coupled) -> int:
    """Number of a joint variable; NotThere if there is none, or if it is not clear which is meant."""
    fitting = [i for i, unit in enumerate(joint.units) if unit == (each.unit or unit)]
    kind, name = KINDS.get(each.unit, "variable"), joint.name
    if not fitting:
        called = f"joint '{name}' ({joint.type.replace('_', ' ')}) has no {kind}"
        raise NotThere(called, "choose a joint that has one")
    if each.variable is None:
        if len(fitting) == 1:
            return fitting[0]
        ways = " or ".join(f"{name}.{joint.variables[i]}" for i in fitting)
        raise NotThere(f"joint '{name}' has {len(fitting)} {kind}s", f"write {ways}")
    if each.variable not in joint.variables:
        told = suggestion(each.variable, [joint.variables[i] for i in fitting], "it has")
        raise NotThere(f"joint '{name}' has no variable '{each.variable}'", told)
    index = joint.variables.index(each.variable)
    if index not in fitting:
        what = f"'{each.name}' is no {kind}"
        raise NotThere(what, "write " + " or ".join(f"{name}.{joint.variables[i]}" for i in fitting))
    return index
