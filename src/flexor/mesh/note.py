"""What a reader of mesh files could not take over, one line each, and whether that changes an answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from flexor.warning import warn

Severity = Literal["harmless", "approximate", "left out"]
"""harmless: no answer depends on it;  approximate: taken otherwise than the file says;  left out: missing."""
Concern = Literal["mesh", "loads", "units"]
"""mesh: stiffness, mass, links, supports, so every answer;  loads: statics alone;  units: those of the file."""


class IncompleteMesh(UserWarning):
    """Something of a mesh file was left out, or taken otherwise than the file says, and changes the answer."""


class Note(str):
    """One line: card or keyword, why, count, file and line; with its severity, and what of the answer it concerns."""

    severity: Severity
    concerns: Concern

    def __new__(cls, text: str, severity: Severity = "left out", concerns: Concern = "mesh") -> Note:
        note = super().__new__(cls, text)
        note.severity, note.concerns = severity, concerns
        return note

    def __getnewargs__(self) -> tuple[str, Severity, Concern]:  # type: ignore[override]
        return str(self), self.severity, self.concerns


def changing(notes: Iterable[str], *concerns: Concern, severity: Severity | None = None) -> list[str]:
    """Those notes that change the answer; of one severity alone if it is given. A bare text counts as left out."""
    return [
        note
        for note in notes
        if getattr(note, "concerns", "mesh") in concerns
        and (level := getattr(note, "severity", "left out")) != "harmless"
        and severity in (None, level)
    ]


def warn_of(notes: Iterable[str], source: str, *concerns: Concern) -> None:
    """One IncompleteMesh warning that lists the notes which change the answer; none if there are none."""
    if told := changing(notes, *concerns):
        listed = "".join(f"\n  {note}" for note in told)
        warn(f"{source}: not all of it is taken as it stands:{listed}", IncompleteMesh)
