"""Descriptions of programs, plain JSON data, that are kept in the cache beside the programs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from gyrostat.program import cache as disk


def kept_description(key: str | None, describe: Callable[[], Any]) -> Any:
    """Return the description stored under a key, any text that determines it, or form and store it.

    Without a key nothing is stored.
    """
    place = None if key is None else hashlib.sha256(f"description {key}".encode()).hexdigest()
    known = None if place is None else disk.load(place)
    if known is not None:
        return known.metadata["description"]
    description = describe()
    if place is not None:
        disk.store(place, disk.Entry({"description": description}))
    return description
