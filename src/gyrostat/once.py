"""Properties that are computed once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:
    import functools

    class cached_property(functools.cached_property):  # noqa: N801
        """Cached property without a lock, as in Python 3.12; the lock of Python 3.11 takes longer than most values.

        Concurrent threads may compute the value twice, with the same result: values are functions of frozen objects.
        """

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            """Return the value and store it in the instance, which then bypasses this descriptor."""
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value


__all__ = ["cached_property"]
