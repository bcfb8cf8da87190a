"""Properties that are computed once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:
    import functools

    class cached_property(functools.cached_property):  # noqa: N801
        """As in Python 3.12: without the lock of Python 3.11, which takes longer than most of what it guards.

        Threads that ask at the same time may compute the value twice; all of them are functions of frozen objects.
        """

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            """Return the value, which from now on stands in the way of this method."""
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value


__all__ = ["cached_property"]
