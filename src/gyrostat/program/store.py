"""Object code by way of the cache: what makes two compilations the same, and what is kept of them."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from dataclasses import astuple
from functools import cache as remember
from typing import Any

from gyrostat.program import cache as disk
from gyrostat.program.graph import Graph
from gyrostat.program.host import llvm_versions
from gyrostat.program.native import object_code
from gyrostat.program.reordering import economical
from gyrostat.program.target import Target
from gyrostat.program.turn import made_once
from gyrostat.program.writer import write_module


def object_key(digest: str, target: Target, *, optimisation: int, lanes: int) -> str:
    """Return the cache key of object code: a hash of the graph's digest and all that shapes the code made from it."""
    return _hash("object", digest, astuple(target), optimisation, lanes)


def recipe_key(recipe: str, target: Target, *, optimisation: int) -> str:
    """Return the cache key under which a caller's recipe leads to a graph's digest."""
    return _hash("recipe", recipe, astuple(target), optimisation)


def fetch(
    graph: Callable[[], Graph], digest: str, target: Target, *, optimisation: int, lanes: int, cache: bool
) -> disk.Entry:
    """Return the object code of a graph, from the cache if it is there; `graph` is asked for only if it is not.

    Entries of scalar code (one lane) also describe the ports and hold the graph: all that a program is made from.
    """
    key = object_key(digest, target, optimisation=optimisation, lanes=lanes)
    entry = disk.load(key) if cache else None
    if entry is None:
        entry = _compile(graph(), target, optimisation, lanes)
        if cache:
            disk.store(key, entry)
    return entry


def fetch_module(recipe: str, write: Callable[[], str], target: Target) -> bytes:
    """Return the object code of a module in LLVM IR, from the cache if it is there; else `write` is asked for the IR.

    `recipe` is a text that determines the module. Where several processes ask for one module at a time, one makes it.
    """
    key = _hash("module", recipe, astuple(target))

    def make() -> disk.Entry:
        made = disk.Entry({"module": recipe}, code=object_code(write(), target, optimisation=3, whole=True))
        disk.store(key, made)
        return made

    return made_once(disk.lock_path(key), lambda: disk.load(key), make).code


def _compile(graph: Graph, target: Target, optimisation: int, lanes: int) -> disk.Entry:
    if lanes == 1:  # the engine makes code for many lanes from the graph that is stored here, in the same order
        graph = economical(graph)
    code = object_code(write_module(graph, target, lanes=lanes), target, optimisation=optimisation)
    if lanes > 1:
        return disk.Entry({}, code=code)
    metadata = {
        "name": graph.name,
        "inputs": [port.as_json() for port in graph.inputs],
        "outputs": [port.as_json() for port in graph.outputs],
        "operations": graph.operation_counts(),
    }
    return disk.Entry(metadata, graph.to_bytes(), code)


def _hash(*parts: object) -> str:
    return hashlib.sha256(json.dumps([*parts, _generator()]).encode()).hexdigest()


# The files that shape object code.
_SHAPING = (
    *("assembler", "chunk", "dialect", "entry", "native", "operation", "reordering", "schedule"),
    *("shape", "transposition", "writer"),
    *(f"functions/{name}" for name in ("__init__", "erfinv", "exponential", "hyperbolic", "logarithm", "sincos")),
)


@remember
def _generator() -> list[str]:
    """Return what else object code depends on: LLVM's version, and the source of the modules that write the IR.

    A hash of the source cannot be forgotten when the source changes, as a version number can. The modules are read, not
    imported: a cached start does without them.
    """
    source = hashlib.sha256()
    here = os.path.dirname(__file__)
    this: Any = sys.modules[__name__]
    try:
        for name in _SHAPING:
            source.update(this.__loader__.get_data(os.path.join(here, *f"{name}.py".split("/"))))
    except OSError:
        # An application bundled without sources: nothing is known about the generator, so no key may match a later run.
        source.update(os.urandom(32))
    return [*llvm_versions(), source.hexdigest()]
