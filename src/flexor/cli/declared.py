"""Declarations on the command line: KIND:key=value:…, e.g. cylinder:at=0,0,0:radius=18 mm:axis=z."""

from __future__ import annotations


def fields_of(text: str) -> str | dict[str, str | list[str] | list[int]]:
    """The fields of a declaration; a bare word stays a word (the name of a node set)."""
    kind, *pairs = text.split(":")
    if not pairs:
        return kind
    fields: dict[str, str | list[str] | list[int]] = {"type": kind.strip()}
    for pair in pairs:
        key, _, value = pair.partition("=")
        parts = [part.strip() for part in value.split(",")]
        fields[key.strip()] = parts if len(parts) > 1 else parts[0]
    if fields["type"] == "numbered":
        ids = fields.get("ids", [])
        fields["ids"] = [int(i) for i in (ids if isinstance(ids, list) else [ids])]
    return fields
