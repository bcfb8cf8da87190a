"""The cache of a system: results of earlier calls that later ones may reuse."""

from __future__ import annotations

from typing import Any

from gyrostat.once import cached_property

_ENTRY_LIMIT = 8


class SystemCache(dict[Any, Any]):
    """Per-system cache, at most 8 entries; not pickled."""

    def keep(self, key: object, value: object) -> None:
        """Add an entry; a full cache is cleared first."""
        if len(self) >= _ENTRY_LIMIT:
            self.clear()
        self[key] = value

    def __reduce__(self) -> tuple[type[SystemCache], tuple[()]]:
        return SystemCache, ()


class CachedResults:
    """Mixin: keeps results of earlier calls."""

    @cached_property
    def cache(self) -> SystemCache:
        """Results of earlier calls that later ones may reuse."""
        return SystemCache()
