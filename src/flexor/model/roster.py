"""The items of a model with their numbers in it, found by their kind.

A large model has thousands of items of a few kinds. Most questions of its check concern some kinds only, so that a question which
concerns none of those that are there costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from itertools import chain

from flexor.bodies import Body
from flexor.declaration import Item, answers, has
from flexor.joints import Joint

Entry = tuple[int, Item]
"""An item, and its number in the model."""


class Roster(list[Entry]):
    """Items and their numbers in the order of the model; nobody changes it."""

    def of(self, *kinds: type) -> list[Entry]:
        """Those of some kinds."""
        return self._those(kinds, lambda kind: issubclass(kind, kinds))

    def answering(self, *questions: str) -> list[Entry]:
        """Those of kinds that answer one of these questions of `Item` by themselves."""
        return self._those(questions, lambda kind: any(answers(kind, question) for question in questions))

    def having(self, field: str) -> list[Entry]:
        """Those of kinds that have a field, or anything else, of this name."""
        return self._those(("having", field), lambda kind: has(kind, field))

    def of_kinds(self, chosen: Callable[[type[Item]], bool]) -> list[Entry]:
        """Those of kinds of which a function says so."""
        return self._those(chosen, chosen)

    @cached_property
    def items(self) -> list[Item]:
        """Without their numbers."""
        return [item for _, item in self]

    @cached_property
    def bodies(self) -> dict[str, Body]:
        """The bodies by name."""
        return {item.name: item for _, item in self.of(Body) if isinstance(item, Body)}

    @cached_property
    def joints(self) -> dict[str, Joint]:
        """The joints by name."""
        return {item.name: item for _, item in self.of(Joint) if isinstance(item, Joint)}

    @cached_property
    def _places(self) -> dict[type[Item], list[int]]:
        found: dict[type[Item], list[int]] = {}
        for place, (_, item) in enumerate(self):
            kind = type(item)
            if kind in found:
                found[kind].append(place)
            else:
                found[kind] = [place]
        return found

    @cached_property
    def _found(self) -> dict[Hashable, list[Entry]]:
        return {}

    def _those(self, key: Hashable, chosen: Callable[[type[Item]], bool]) -> list[Entry]:
        if (known := self._found.get(key)) is not None:
            return known
        places = [places for kind, places in self._places.items() if chosen(kind)]
        if len(places) == len(self._places):
            found: list[Entry] = self
        else:
            found = [self[place] for place in (places[0] if len(places) == 1 else sorted(chain(*places)))]
        self._found[key] = found
        return found
