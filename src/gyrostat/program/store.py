"""Object code by way of the cache: keys and contents of its entries."""

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
from gyrostat.program.optimisation import limited
from gyrostat.program.reordering import economical
from gyrostat.program.target import Target
from gyrostat.program.turn import made_once
from gyrostat.program.writer import write_module


def object_key(digest: str, target: Target, *, optimisation: int, lanes: int) -> str:
    """Return the cache key of object code: a hash of the graph's digest, the target and the code generator."""
    return _hash("object", digest, astuple(target), optimisation, lanes)


def recipe_key(recipe: str, target: Target, *, optimisation: int) -> str:
    """Return the cache key of the entry that maps a caller's recipe to a graph's digest."""
    return _hash("recipe", recipe, astuple(target), optimisation)


def kind_key(kind: str, target: Target, *, optimisation: int) -> str:
    """Return the cache key of the function of a kind of link, which a text determines."""
    return _hash("kind", kind, astuple(target), optimisation)


def fetch(
    graph: Callable[[], Graph], digest: str, target: Target, *, optimisation: int, lanes: int, cache: bool
) -> disk.Entry:
    """Return the object code of a graph, from the cache if possible; `graph` is called only otherwise.

    Entries of scalar code (one lane) also hold the ports and the graph, from which a program is restored.
    """
    key = object_key(digest, target, optimisation=optimisation, lanes=lanes)
    entry = disk.load(key) if cache else None
    if entry is None:
        entry = _compile(graph(), target, optimisation, lanes)
        if cache:
            disk.store(key, entry)
    return entry


def fetch_module(recipe: str, write: Callable[[], str], target: Target) -> bytes:
    """Return the object code of a module in LLVM IR, from the cache if possible; otherwise `write` returns the IR.

    `recipe` is a text that determines the module. Of several processes that need a module, one compiles it. The
    environment may limit its optimisation: see `program.optimisation`.
    """
    level = limited(3)
    key = _hash("module", recipe, astuple(target), level)

    def make() -> disk.Entry:
        made = disk.Entry({"module": recipe}, code=object_code(write(), target, optimisation=level, whole=True))
        disk.store(key, made)
        return made

    if not disk.usable():
        return make().code
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


# The modules whose source determines the object code.
_CODE_MODULES = (
    *("assembler", "chunk", "dialect", "entry", "native", "operation", "output_stores", "reordering"),
    *(
        "schedule",
        "shape",
        "transposition",
        "writer",
        *(f"rolled/{name}" for name in ("__init__", "driver", "gathering", "kind", "kind_code")),
    ),
    *(f"functions/{name}" for name in ("__init__", "erfinv", "exponential", "hyperbolic", "logarithm", "sincos")),
)


@remember
def _generator() -> list[str]:
    """Return the versions of llvmlite and LLVM, and a hash of the source of the modules that write the IR.

    A hash follows every change of the source; a version number might be forgotten.
    """
    source = hashlib.sha256()
    here = os.path.dirname(__file__)
    this: Any = sys.modules[__name__]
    try:
        for name in _CODE_MODULES:
            source.update(this.__loader__.get_data(os.path.join(here, *f"{name}.py".split("/"))))
    except OSError:
        # An application bundled without sources: nothing is known about the generator, so no key may match a later run.
        source.update(os.urandom(32))
    return [*llvm_versions(), source.hexdigest()]
