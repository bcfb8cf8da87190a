"""Digests: keys of programs in the cache, formed from the model without tracing its formulas."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from functools import cache

from gyrostat import __version__
from gyrostat.coordinates import Coordinates
from gyrostat.model.model_file import model_to_plain


def program_key(name: str, coordinates: Coordinates) -> str | None:
    """Return a key for a program of a system, or None where a component's formulas are not the package's own.

    Values of parameters and laws of inputs are no part of it, for they are inputs of the program; all else in the model
    is, and so are the tree and the state of the package's source.
    """
    topology = coordinates.topology
    model = topology.model
    if any(not cls.__module__.startswith("gyrostat.") for cls in model.component_classes):
        return None
    plain = model_to_plain(model)
    plain["parameters"] = list(model.parameters)
    plain["inputs"] = list(plain.get("inputs", ()))
    content = json.dumps([name, plain, coordinates.tree_names, __version__, source_stamp()], sort_keys=False)
    return hashlib.sha256(content.encode()).hexdigest()


# Folders of the package that no formula of a program comes from: with many files, whose states take time to read.
_EXCLUDED_FOLDERS = ("analysis", "cli", "closing", "pictures", "results", "shown", "system", "written", "__pycache__")


@cache
def source_stamp() -> str:
    """Return a digest of the source files that formulas come from, by size and time: it changes whenever one does."""
    states = sorted(_states(os.path.dirname(os.path.dirname(__file__)), ""))
    return hashlib.sha256(";".join(states).encode()).hexdigest()


def _states(folder: str, place: str) -> Iterator[str]:
    """Yield place, size and time of the source files in a folder and those below it."""
    with os.scandir(folder) as listing:
        for item in listing:
            if item.name.endswith(".py"):
                state = item.stat()
                yield f"{place}{item.name}:{state.st_size}:{state.st_mtime_ns}"
            elif item.name not in _EXCLUDED_FOLDERS and item.is_dir():
                yield from _states(item.path, f"{place}{item.name}/")
