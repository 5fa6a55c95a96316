"""Meta-models in XML as in NAK figure 24-3: read into plain data with lines, and written.

No entities, no document types, no other files: what a meta-model does not need is refused, not followed.
"""

from __future__ import annotations

from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from flexor.cosim.meta_model.declaration import InterfacePoint, MetaModel, SubModel
from flexor.errors import FileError, ModelError, Problem
from flexor.mistakes import suggestion
from flexor.model.markup import Document, Entry, place, scalar

POINT = {"Name": "name", "Dimensions": "dimensions", "Mass": "mass", "Inertia": "inertia"}
SUB_MODEL = {
    "Name": "name", "StartCommand": "start_command", "ExactStep": "exact_step", "ModelFile": "model_file", "Step": "step",
}  # fmt: skip
CONNECTION = {"From": "a", "To": "b", "Delay": "delay", "Zf": "zf", "Zfr": "zfr", "alpha": "alpha"}
PARAMETERS = {"ManagerPort": "manager_port", "StartTime": "start_time", "StopTime": "stop_time"}
INSIDE = {
    "": {"Model"},
    "Model": {"SubModels", "Connections", "SimulationParams"},
    "SubModels": {"SubModel"},
    "SubModel": {"InterfacePoint"},
    "Connections": {"Connection"},
}
ATTRIBUTES: dict[str, dict[str, str]] = {
    "Model": {"Name": "name"}, "SubModel": SUB_MODEL, "InterfacePoint": POINT, "Connection": CONNECTION,
    "SimulationParams": PARAMETERS,
}  # fmt: skip
TEXTS = {"name", "start_command", "model_file", "a", "b"}


class _Reader:
    def __init__(self, source: str, encoding: str | None) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.parser = expat.ParserCreate(encoding)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refused
        self.parser.EntityDeclHandler = self._refused
        self.parser.buffer_text = True
        self.open: list[str] = []
        self.model: Entry | None = None
        self.seen: set[str] = set()

    def here(self) -> str:
        return place(self.source, self.parser.CurrentLineNumber)

    def _refused(self, *_: Any) -> None:
        why, fix = "it could make the file grow without end, or read others", "leave <!DOCTYPE …> out"
        raise FileError(Problem("meta-model", "it declares a document type or entities", why, fix, self.here()))

    def _text(self, text: str) -> None:
        if text.strip():
            what = f"there is text between the elements: {text.strip()[:40]!r}"
            self.problems.append(Problem("meta-model", what, "", "put values into attributes", self.here()))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        parent = self.open[-1] if self.open else ""
        self.open.append(tag)
        allowed = INSIDE.get(parent, set())
        if tag not in allowed:
            where = f"<{parent}>" if parent else "meta-model"
            fix = suggestion(tag, sorted(allowed), "known are")
            self.problems.append(Problem(where, f"it has no element <{tag}>", "", fix or "leave it out", self.here()))
            return
        line = self.parser.CurrentLineNumber
        if tag in ("SubModels", "Connections", "SimulationParams", "Model"):
            if tag in self.seen:
                self.problems.append(Problem("meta-model", f"<{tag}> stands twice", "", "keep one", self.here()))
            self.seen.add(tag)
        entry = Entry({}, line, {})
        for name, text in attributes.items():
            field = ATTRIBUTES.get(tag, {}).get(name)
            if field is None:
                fix = suggestion(name, ATTRIBUTES.get(tag, {}), "known are")
                self.problems.append(
                    Problem(f"<{tag}>", f"it has no attribute {name}", "", fix or "leave it out", self.here())
                )
                continue
            value: object = text if field in TEXTS else scalar(text.strip())
            if field == "exact_step":
                if text.strip() not in ("0", "1"):
                    what = f"ExactStep = {text!r}"
                    self.problems.append(Problem(f"<{tag}>", what, "", "write 0 or 1", self.here()))
                value = text.strip() == "1"
            _put(entry, field, Entry(value, line))
        self._place(tag, entry)

    def _place(self, tag: str, entry: Entry) -> None:
        if tag == "Model":
            self.model = entry
        assert self.model is not None
        if tag == "SimulationParams":
            for name, part in entry.parts.items():  # type: ignore[union-attr]
                _put(self.model, name, part)
        elif tag in ("SubModel", "Connection"):
            _append(self.model, "sub_models" if tag == "SubModel" else "connections", entry)
        elif tag == "InterfacePoint":
            subs = self.model.parts["sub_models"].parts if isinstance(self.model.parts, dict) else None
            if isinstance(subs, list):
                _append(subs[-1], "interface_points", entry)

    def _end(self, tag: str) -> None:
        self.open.pop()


def _put(entry: Entry, name: str, value: Entry) -> None:
    entry.parts[name] = value  # type: ignore[index, call-overload]
    entry.data[name] = value.data  # type: ignore[index]


def _append(entry: Entry, name: str, value: Entry) -> None:
    if name not in entry.parts:  # type: ignore[operator]
        _put(entry, name, Entry([], value.line, []))
    listed = entry.parts[name]  # type: ignore[index, call-overload]
    listed.parts.append(value)  # type: ignore[union-attr]
    listed.data.append(value.data)  # type: ignore[union-attr]


def read_xml(text: bytes | str, source: str = "") -> Document:
    """The plain data in an XML text, with the line of each element; ModelError with every mistake of form."""
    reader = _Reader(source, "utf-8" if isinstance(text, str) else None)
    try:
        reader.parser.Parse(text.encode() if isinstance(text, str) else text, True)
    except expat.ExpatError as error:
        what = f"it is no XML: {expat.errors.messages[error.code]}"
        fix = "see docs/how-to/co-simulation.md for the form"
        raise FileError(Problem("meta-model", what, "", fix, place(source, error.lineno))) from None
    if reader.problems:
        raise ModelError(reader.problems)
    assert reader.model is not None
    return Document(source, reader.model)


def write_xml(model: MetaModel) -> str:
    """The meta-model as NAK figure 24-3 lays it out; what is not given is left out."""
    lines = [
        '<?xml version="1.0" encoding="ISO-8859-1"?>',
        "",
        "<!-- The meta-model definition file -->",
        f"<Model Name={_quoted(model.name)}>",
        "",
        "  <!-- List of connected sub-models -->",
        "  <SubModels>",
        "",
    ]
    for sub in model.sub_models:
        lines += _sub_model(sub)
    lines += ["  </SubModels>", "", "  <!-- List of TLM connections -->", "  <Connections>", ""]
    for each in model.connections:
        lines += [
            f"    <Connection From={_quoted(each.a)} To={_quoted(each.b)}",
            f'                Delay="{number(each.delay)}" Zf="{number(each.zf)}" Zfr="{number(each.zfr)}" '
            f'alpha="{number(each.alpha)}"/>',
        ]
    lines += [
        "",
        "  </Connections>",
        "",
        "  <!-- Parameters for the simulation -->",
        f'  <SimulationParams ManagerPort="{model.manager_port}"',
        f'                    StartTime="{number(model.start_time)}" StopTime="{number(model.stop_time)}"/>',
        "",
        "</Model>",
        "",
    ]
    return "\n".join(lines)


def _sub_model(sub: SubModel) -> list[str]:
    further = "".join(
        f"\n              {name}={_quoted(value)}"
        for name, value in (
            ("ModelFile", sub.model_file),
            ("Step", None if sub.step is None else number(sub.step)),
        )
        if value is not None
    )
    head = [
        f"    <SubModel Name={_quoted(sub.name)}",
        f"              StartCommand={_quoted(sub.start_command)}",
        f'              ExactStep="{int(sub.exact_step)}"{further}>',
        "",
        f"      <!-- TLM interface points for {_comment(sub.name)} -->",
    ]
    return [
        *head,
        *(f"      <InterfacePoint{_point(point)}/>" for point in sub.interface_points),
        "",
        "    </SubModel>",
    ]


def _point(point: InterfacePoint) -> str:
    told = [("Name", point.name)]
    told += [("Dimensions", "1")] if point.dimensions == 1 else []
    told += [(name, number(value)) for name, value in (("Mass", point.mass), ("Inertia", point.inertia)) if value]
    return "".join(f" {name}={_quoted(value)}" for name, value in told)


def _quoted(text: str) -> str:
    return quoteattr(text, {'"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


def _comment(text: str) -> str:
    return text.replace("-", " ")


def number(value: float) -> str:
    """The shortest text that reads as the same number: 1e-5, 50000, 0.2."""
    text = repr(float(value)).removesuffix(".0")
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if e else text
