"""Registries of the kinds of joints, forces, constraints, solids and shapes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from gyrostat.errors import GyrostatError
from gyrostat.model.names import did_you_mean
from gyrostat.model.record import Record

R = TypeVar("R", bound=Record)


class Registry(Generic[R]):
    """The record classes of one family by their keyword in model files.

    Built-in classes are declared in the family's package and imported when they are first asked for; user-defined
    classes are registered with `add` and can then be used in model files.
    """

    def __init__(self, family: str, base: type[R]) -> None:
        self.family = family
        self.base = base
        self._classes: dict[str, type[R] | None] = {}  # None: declared, not asked for yet
        self._find: Callable[[str], Any] | None = None
        self._declared: Mapping[str, str] = {}

    def declare(self, find: Callable[[str], Any], names: Iterable[str] | Mapping[str, str]) -> None:
        """Declare built-in classes: their names by keyword, or names that are keywords; `find` imports a class."""
        self._find, self._declared = find, dict(names if isinstance(names, Mapping) else ((n, n) for n in names))
        self._classes |= dict.fromkeys(self._declared)

    def add(self, cls: type[R]) -> type[R]:
        """Register a class under its tag, or under its name if it has no tag; usable as a decorator."""
        if not (isinstance(cls, type) and issubclass(cls, self.base)) or inspect.isabstract(cls):
            raise GyrostatError(
                f"{cls!r} is not a {self.family}: derive it from {self.base.__name__} and define its methods."
            )
        tag = cls.tag or cls.__name__
        if tag in self._classes and self.get(tag) is not cls:
            raise GyrostatError(
                f"A {self.family} with the name {tag!r} is already registered. Give the new one another name."
            )
        self._classes[tag] = cls
        return cls

    def remove(self, tag: str) -> None:
        """Remove a class."""
        self._classes.pop(tag, None)

    def get(self, tag: object) -> type[R] | None:
        """Return the class of a keyword, or None."""
        if not isinstance(tag, str) or tag not in self._classes:
            return None
        cls = self._classes[tag]
        if cls is None and self._find is not None:
            cls = self._classes[tag] = self._find(self._declared[tag])
        return cls

    def hint(self, tag: object) -> str:
        """Return a remedy for an unknown keyword."""
        return did_you_mean(str(tag), self._classes)

    def tag_of(self, record: R) -> str:
        """Return the keyword of a record's class."""
        return type(record).tag or type(record).__name__

    def __iter__(self) -> Iterator[type[R]]:
        return iter([cls for tag in tuple(self._classes) if (cls := self.get(tag)) is not None])

    @property
    def tags(self) -> tuple[str, ...]:
        """The keywords, in the order of registration."""
        return tuple(self._classes)
