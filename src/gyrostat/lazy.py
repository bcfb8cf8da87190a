"""Modules and names that are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def names_from(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package whose public names are imported on first access, by module."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return find


class LaterModule:
    """A module that is imported when one of its names is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)

    def __repr__(self) -> str:
        return f"<module {self._name!r}, imported on first use>"


def later(package: str, *modules: str) -> tuple[LaterModule, ...]:
    """Return modules of a package that are imported on first use.

    Methods of results hand over to them: to a higher layer that draws or writes the result, or to a module whose
    imports are slow. The annotation for type checkers is an ordinary import under `TYPE_CHECKING`.
    """
    return tuple(LaterModule(f"{package}.{module}") for module in modules)
