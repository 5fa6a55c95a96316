"""What is wrong with a meta-model, before anything starts."""

from __future__ import annotations

from collections.abc import Callable

from flexor.cosim.meta_model.declaration import Connection, MetaModel
from flexor.errors import Problem
from flexor.mistakes import suggestion

Path = tuple[str | int, ...]


def problems(model: MetaModel, source: Callable[[Path], str] = lambda path: "") -> list[Problem]:
    """Every mistake, each with where, what, why and fix.   source: file and line of a place in the meta-model."""
    found: list[Problem] = []
    whole = model.called(model.name)
    if not model.sub_models:
        found.append(Problem(whole, "it has no components", "", "list them under sub_models", source(())))
    if not model.stop_time > model.start_time:
        what = f"it stops at {model.stop_time:g} s and starts at {model.start_time:g} s"
        found.append(Problem(whole, what, "the end must lie after the start", "mend StopTime", source(("stop_time",))))
    found += _names(model, source)
    used: dict[tuple[str, str], Connection] = {}
    for number, connection in enumerate(model.connections):
        at = source(("connections", number))
        where = connection.called(str(connection))
        points = []
        for component, interface in connection.ends:
            sub = model.component(component)
            if sub is None:
                fix = suggestion(component, [each.name for each in model.sub_models], "there are")
                found.append(Problem(where, f"there is no component '{component}'", "", fix, at))
                continue
            point = sub.point(interface)
            if point is None:
                fix = suggestion(interface, [each.name for each in sub.interface_points], "it has")
                what = f"component '{component}' has no interface '{interface}'"
                found.append(Problem(where, what, "", fix or "list it among its interface points", at))
                continue
            points.append(point)
            if (component, interface) in used:
                why = f"it is an end of {used[component, interface]} already, and has one force only"
                fix = "give the component another interface at the same point"
                found.append(Problem(where, f"'{component}.{interface}' is connected twice", why, fix, at))
            used[component, interface] = connection
        if connection.a == connection.b:
            found.append(Problem(where, "both of its ends are the same", "", "name two interfaces", at))
        if len(points) == 2 and points[0].dimensions != points[1].dimensions:
            why = f"{connection.a} has {points[0].dimensions}, {connection.b} {points[1].dimensions}"
            found.append(Problem(where, "its ends have different dimensions", why, "make both 1 or both 3", at))
        if len(points) == 2 and points[0].dimensions == 1 and connection.zfr:
            why = "a line of one dimension has one impedance"
            found.append(Problem(where, f"Zfr = {connection.zfr:g} is not used", why, "leave it out", at))
        if connection.delay > model.stop_time - model.start_time > 0:
            why = "nothing would reach the other end before the run stops"
            fix = "give a shorter delay, in seconds"
            found.append(Problem(where, f"its delay of {connection.delay:g} s is longer than the run", why, fix, at))
    found += _left_alone(model, used, source)
    found += _steps(model, source)
    return found


def _names(model: MetaModel, source: Callable[[Path], str]) -> list[Problem]:
    found, seen = [], set()
    for number, sub in enumerate(model.sub_models):
        where, at = sub.called(sub.name), source(("sub_models", number))
        if sub.name in seen:
            fix = "rename one of them"
            found.append(Problem(where, "its name is given twice", "every component needs a name of its own", fix, at))
        seen.add(sub.name)
        points = [point.name for point in sub.interface_points]
        for name in sorted({name for name in points if points.count(name) > 1}):
            found.append(Problem(where, f"its interface '{name}' is listed twice", "", "rename one of them", at))
    return found


def _left_alone(
    model: MetaModel, used: dict[tuple[str, str], Connection], source: Callable[[Path], str]
) -> list[Problem]:
    found = []
    for number, sub in enumerate(model.sub_models):
        for k, point in enumerate(sub.interface_points):
            if (sub.name, point.name) not in used:
                at = source(("sub_models", number, "interface_points", k))
                fix = f"connect '{sub.name}.{point.name}', or leave it out"
                found.append(
                    Problem(sub.called(sub.name), f"no connection leads to its interface '{point.name}'", "", fix, at)
                )
        if not sub.interface_points:
            fix = "list the points where it is connected"
            found.append(
                Problem(sub.called(sub.name), "it has no interface points", "", fix, source(("sub_models", number)))
            )
    return found


def _steps(model: MetaModel, source: Callable[[Path], str]) -> list[Problem]:
    found = []
    for number, sub in enumerate(model.sub_models):
        if sub.step is not None and (problem := step_problem(model, sub.name, sub.step)):
            found.append(Problem(problem.where, problem.what, problem.why, problem.fix, source(("sub_models", number))))
    return found


def step_problem(model: MetaModel, name: str, step: float) -> Problem | None:
    """What is wrong with the step of a component [s], if it is too long for its lines."""
    most, sub = model.largest_step(name), model.component(name)
    if step <= most * (1 + 1e-9) or not model.lines_of(name):
        return None
    shortest = min(model.lines_of(name), key=lambda each: each.delay)
    exact = sub is not None and sub.exact_step
    why = f"{shortest} has a delay of {shortest.delay:g} s, and " + (
        "a step must not be longer" if exact else "steps that are not exact must not be longer than half of it"
    )
    fix = f"take steps of {most:g} s or less, or a delay of {step * (1 if exact else 2):g} s or more"
    return Problem(f"component '{name}'", f"its step of {step:g} s is too long", why, fix)
