"""Registries of the kinds of joints, forces, constraints, solids and shapes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Generic, TypeVar

from gyrostat.errors import GyrostatError
from gyrostat.model.names import did_you_mean
from gyrostat.model.record import Record

R = TypeVar("R", bound=Record)


class Registry(Generic[R]):
    """The record classes of one family by their keyword in model files.

    Built-in classes are listed in the family's package; user-defined classes are registered with `add` and can then be
    used in model files.
    """

    def __init__(self, family: str, base: type[R]) -> None:
        self.family = family
        self.base = base
        self._classes: dict[str, type[R]] = {}

    def add(self, cls: type[R]) -> type[R]:
        """Register a class under its tag, or under its name if it has no tag; usable as a decorator."""
        if not (isinstance(cls, type) and issubclass(cls, self.base)) or inspect.isabstract(cls):
            raise GyrostatError(
                f"{cls!r} is not a {self.family}: derive it from {self.base.__name__} and define its methods."
            )
        tag = cls.tag or cls.__name__
        if self._classes.get(tag, cls) is not cls:
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
        return self._classes.get(tag) if isinstance(tag, str) else None

    def hint(self, tag: object) -> str:
        """Return a remedy for an unknown keyword."""
        return did_you_mean(str(tag), self._classes)

    def tag_of(self, record: R) -> str:
        """Return the keyword of a record's class."""
        return type(record).tag or type(record).__name__

    def __iter__(self) -> Iterator[type[R]]:
        return iter(self._classes.values())

    @property
    def tags(self) -> tuple[str, ...]:
        """The keywords, in the order of registration."""
        return tuple(self._classes)
