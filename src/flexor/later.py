"""Packages whose names are loaded when they are first used, so that an analysis loads what it needs and no more."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any


class _Later(ModuleType):
    """A package whose names stand in `_later`, each with the file that it is in."""

    _later: dict[str, str]

    def __getattr__(self, name: str) -> Any:
        if name not in self._later:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        value = getattr(importlib.import_module(f"{self.__name__}.{self._later[name]}"), name)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        """Of a file that is called like what is in it, `solve.modes`, the import system would leave the module under the name."""
        if isinstance(value, ModuleType) and name in self._later:
            value = getattr(value, name)
        super().__setattr__(name, value)


def load_later(package: str, names: Mapping[str, str]) -> None:
    """Let a package load names when they are first used; names: of each of its files, those that are in it."""
    module = sys.modules[package]
    module.__dict__["_later"] = {name: file for file, every in names.items() for name in every.split()}
    module.__class__ = _Later
