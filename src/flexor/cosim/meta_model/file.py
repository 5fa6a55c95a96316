"""Meta-models in files: .xml as in NAK figure 24-3, .yaml or .json with the same things under Flexor's names."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from flexor.cosim.meta_model.check import problems
from flexor.cosim.meta_model.declaration import MetaModel
from flexor.cosim.meta_model.xml_text import read_xml, write_xml
from flexor.errors import FileError, ModelError, Problem
from flexor.files import as_path, read_bytes
from flexor.io.replaceable import write_file
from flexor.mistakes import problems_of
from flexor.model.file import yaml_text
from flexor.model.markup import Document, read_markup

FORMATS = {".xml": "xml", ".yaml": "yaml", ".yml": "yaml", ".json": "json"}
LARGEST = 10_000_000
"""Bytes; no meta-model is longer."""


def load(path: str | Path) -> MetaModel:
    """The meta-model in a file, checked: ModelError with every mistake and its line, or FileError."""
    path = as_path(path, "meta-model")
    kind = _kind(path)
    text = read_bytes(path, LARGEST + 1)
    if len(text) > LARGEST:
        raise FileError(Problem(str(path), f"is larger than {LARGEST // 10**6} MB", "", "it is no meta-model"))
    return from_text(text, kind, str(path))


def from_text(text: bytes | str, kind: str = "xml", source: str = "") -> MetaModel:
    """The meta-model in a text ("xml", "yaml", "json"), checked."""
    document = read_xml(text, source) if kind == "xml" else _markup(text, kind, source)
    if not isinstance(document.root.data, dict):
        raise FileError(Problem("", "it is no meta-model", "", "write name: …, then sub_models:", document.at()))
    try:
        model = MetaModel.model_validate(document.root.data)
    except ValidationError as error:
        where = MetaModel.called(document.root.data.get("name"))
        raise ModelError(problems_of(error, where, MetaModel, document.at)) from None
    if found := problems(model, document.at):
        raise ModelError(found)
    return model


def _markup(data: bytes | str, kind: str, source: str) -> Document:
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
        return read_markup(text, source, json_text=kind == "json")
    except UnicodeDecodeError as error:
        why = f"byte {error.start} is not UTF-8"
        raise FileError(Problem(source, "is no text", why, "save it as UTF-8")) from None


def save(model: MetaModel, path: str | Path) -> Path:
    """Write a meta-model; the ending chooses the format."""
    path = as_path(path, "meta-model")
    text = to_text(model, _kind(path))
    return write_file(path, text.encode("iso-8859-1" if "ISO-8859-1" in text[:60] else "utf-8"), "meta-model")


def to_text(model: MetaModel, kind: str = "xml") -> str:
    """The meta-model as text: "xml", "yaml" or "json"."""
    if kind == "xml":
        text = write_xml(model)
        try:
            text.encode("iso-8859-1")
        except UnicodeEncodeError:
            text = text.replace("ISO-8859-1", "UTF-8", 1)
        return text
    if kind == "json":
        return model.model_dump_json(exclude_defaults=True, indent=2) + "\n"
    return yaml_text(model.model_dump(mode="json", exclude_defaults=True))


def _kind(path: Path) -> str:
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        fix = f"use {', '.join(FORMATS)}"
        raise FileError(Problem(str(path), f"ends in '{path.suffix}'", "the ending tells the format", fix))
    return kind
