"""Compilation of CasADi Functions to programs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gyrostat.errors import ProgramError
from gyrostat.program import cache as disk
from gyrostat.program.graph import Graph, plain_function, read_graph
from gyrostat.program.host import LlvmUnavailableError, host_target, initialised_llvm
from gyrostat.program.native import object_code
from gyrostat.program.native_engine import NativeEngine
from gyrostat.program.optimisation import LEVELS, limited
from gyrostat.program.port import Port, total_size
from gyrostat.program.program import Program
from gyrostat.program.reordering import economical
from gyrostat.program.store import fetch, object_key, recipe_key
from gyrostat.program.target import Target
from gyrostat.program.virtual_engine import VirtualEngine
from gyrostat.program.warning import GyrostatWarning
from gyrostat.program.writer import write_module


@dataclass(frozen=True)
class Module:
    """Result of `generate`: LLVM IR as text, and the object file compiled from it."""

    ir: str
    code: bytes


def compile_program(
    function: Any, *, optimisation: int = 2, cache: bool = True, target: Target | None = None
) -> Program:
    """Return the program of a CasADi Function made of SX, whose named inputs and outputs become ports.

    `optimisation` is 0 (compiles fastest) … 3. With `cache` the object code is kept on disk for the next time.
    `target` is the processor to compile for, by default the one this runs on. Without LLVM the program runs on CasADi's
    virtual machine, with a warning.
    """
    _check_optimisation(optimisation)
    graph = read_graph(function)
    try:
        return _native_program(graph, graph.digest(), _loadable(target), optimisation, cache=cache)
    except LlvmUnavailableError as reason:
        _warn_of(reason)
        return _virtual_program(function, graph)


def load_or_compile(
    key: str,
    build: Callable[[], Any],
    *,
    optimisation: int = 2,
    cache: bool = True,
    target: Target | None = None,
) -> Program:
    """Return the program stored under a caller's key, or compile the function that `build` returns and store it.

    `key` is any text that determines the function, such as a digest of a model together with a version of the code
    that builds it. When the cache knows it, neither `build` is called nor CasADi imported. The environment may limit
    `optimisation`: see `program.optimisation`.
    """
    _check_optimisation(optimisation)
    optimisation = limited(optimisation)
    if not cache:
        return compile_program(build(), optimisation=optimisation, cache=False, target=target)
    function = None
    try:
        chosen = _loadable(target)
        recipe = recipe_key(key, chosen, optimisation=optimisation)
        known = disk.load(recipe)
        if known is not None:
            digest = known.metadata["digest"]
            stored = disk.load(object_key(digest, chosen, optimisation=optimisation, lanes=1))
            if stored is not None:
                return _stored_program(stored, digest, chosen, optimisation)
        function = build()
        graph = read_graph(function)
        digest = graph.digest()
        program = _native_program(graph, digest, chosen, optimisation, cache=True)
    except LlvmUnavailableError as reason:
        _warn_of(reason)
        function = build() if function is None else function
        return _virtual_program(function, read_graph(function))
    disk.store(recipe, disk.Entry({"digest": digest}))
    return program


def generate(function: Any, target: Target, *, optimisation: int = 2, lanes: int = 1) -> Module:
    """Return IR and object code of a function for any target, without loading it."""
    _check_optimisation(optimisation)
    llvm = initialised_llvm()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    ir = write_module(economical(read_graph(function)), target, lanes=lanes)
    return Module(ir, object_code(ir, target, optimisation=optimisation))


def _check_optimisation(optimisation: int) -> None:
    if optimisation not in LEVELS:
        raise ProgramError(f"The optimisation is {optimisation!r}; it must be 0, 1, 2 or 3.")


def _warn_of(reason: LlvmUnavailableError) -> None:
    warnings.warn(
        f"LLVM is not available ({reason}); programs run on CasADi's virtual machine, 25 to 35 times slower. "
        "Install it with: pip install llvmlite.",
        GyrostatWarning,
        stacklevel=3,
    )


def _loadable(target: Target | None) -> Target:
    """Return the target to compile for; raise ProgramError where its code cannot run on the host."""
    host = host_target()
    if target is not None and not target.runs_on(host):
        raise ProgramError(
            f"Code for {target.cpu!r} on {target.triple!r} cannot run here ({host.cpu!r} on {host.triple!r}). "
            "Use generate() to make it without loading it."
        )
    return target or host


def _native_program(graph: Graph, digest: str, target: Target, optimisation: int, *, cache: bool) -> Program:
    stored = fetch(lambda: graph, digest, target, optimisation=optimisation, lanes=1, cache=cache)
    return _stored_program(stored, digest, target, optimisation, cache=cache)


def _stored_program(
    stored: disk.Entry, digest: str, target: Target, optimisation: int, *, cache: bool = True
) -> Program:
    """Return the program that a cache entry describes."""
    inputs, outputs = (tuple(Port.from_json(port) for port in stored.metadata[side]) for side in ("inputs", "outputs"))
    rows = total_size(inputs), total_size(outputs)
    engine = NativeEngine(stored.graph, digest, stored.code, target, optimisation, rows, cache=cache)
    return Program(stored.metadata["name"], inputs, outputs, stored.metadata["operations"], engine)


def _virtual_program(function: Any, graph: Graph) -> Program:
    return Program(
        graph.name, graph.inputs, graph.outputs, graph.operation_counts(), VirtualEngine(plain_function(function))
    )
