"""What calls leave for later ones."""

from __future__ import annotations

from typing import Any

_MOST = 8


class Kept(dict[Any, Any]):
    """Things that are worth keeping from one call to the next, a few of them; copies and files do not have them."""

    def keep(self, key: object, value: object) -> None:
        """Keep a value until it is popped, or there are too many."""
        if len(self) >= _MOST:
            self.clear()
        self[key] = value

    def __reduce__(self) -> tuple[type[Kept], tuple[()]]:
        return Kept, ()
