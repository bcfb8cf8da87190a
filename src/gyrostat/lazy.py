"""Modules and names that are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def names_from(package: str, *homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package whose public names are imported on first access.

    `homes` have the names of each module; the modules are relative to the package, with a dot for each package above.
    """
    home_of = {name: home for table in homes for home, names in table.items() for name in names}

    def find(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f".{home_of[name]}", package), name)
        setattr(sys.modules[package], name, value)
        return value

    return find


class LaterModule:
    """A module that is imported when one of its names is first used."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._module: ModuleType | None = None

    def __getattr__(self, attribute: str) -> Any:
        if self._module is None:
            self._module = import_module(self._name)
        return getattr(self._module, attribute)

    def __repr__(self) -> str:
        return f"<module {self._name!r}, imported on first use>"


class LaterClass:
    """A class whose objects are recognised without its import: before that there are none.

    `isinstance(part, LaterClass(module, name))` is false until something else has imported the module. The annotation
    for type checkers is an ordinary import under `TYPE_CHECKING`.
    """

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def __instancecheck__(self, instance: object) -> bool:
        module = sys.modules.get(self._module)
        return module is not None and isinstance(instance, getattr(module, self._name))

    def __repr__(self) -> str:
        return f"<class {self._module}.{self._name}, imported by others>"


def later(package: str, *modules: str) -> tuple[LaterModule, ...]:
    """Return modules of a package that are imported on first use.

    Methods of results hand over to them: to a higher layer that draws or writes the result, or to a module whose
    imports are slow. The annotation for type checkers is an ordinary import under `TYPE_CHECKING`.
    """
    return tuple(LaterModule(f"{package}.{module}") for module in modules)
