"""Native code as an engine: scalar functions are loaded at once, SIMD functions on first use."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

from gyrostat.program.buffer import address
from gyrostat.program.graph import Graph
from gyrostat.program.host import host_target
from gyrostat.program.native import LoadedObject
from gyrostat.program.port import Floats
from gyrostat.program.store import fetch
from gyrostat.program.target import Target

# CFUNCTYPE releases Python's global lock during the call.
_EVALUATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_LOOP = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


class NativeEngine:
    """Runs object code for `target` on rows of `rows` = (inputs, outputs) doubles.

    It keeps the graph's bytes, from which code for many lanes or for another processor is made.
    """

    def __init__(
        self,
        graph: bytes,
        digest: str,
        code: bytes,
        target: Target,
        optimisation: int,
        rows: tuple[int, int],
        *,
        cache: bool,
    ) -> None:
        self._graph, self._digest, self._code = graph, digest, code
        self._target, self._optimisation, self._cache = target, optimisation, cache
        self._rows = rows
        self._native = LoadedObject(code, target)
        self.address = self._native.address("gyrostat_evaluate")
        self.evaluate: Callable[[int, int], Any] = _EVALUATE(self.address)
        self.loop: Callable[[int, int, int], Any] = _LOOP(self._native.address("gyrostat_loop"))
        self.lanes = target.lanes
        self.native = True
        self._wide: tuple[LoadedObject, Callable[[int, int, int], Any]] | None = None
        self._lock = threading.Lock()

    def _batch_function(self) -> Callable[[int, int, int], Any]:
        """Return the SIMD function, compiled on first use."""
        with self._lock:
            if self._wide is None:
                code = fetch(
                    lambda: Graph.from_bytes(self._graph),
                    self._digest,
                    self._target,
                    optimisation=self._optimisation,
                    lanes=self.lanes,
                    cache=self._cache,
                ).code
                native = LoadedObject(code, self._target)
                self._wide = native, _LOOP(native.address("gyrostat_batch"))
            return self._wide[1]

    @property
    def batch_address(self) -> int:
        """The address of the SIMD function."""
        return int(ctypes.cast(self._batch_function(), ctypes.c_void_p).value or 0)  # type: ignore[arg-type]

    def batch(self, inputs: Floats, outputs: Floats, threads: int) -> None:
        """Evaluate the rows of `inputs` into those of `outputs` in SIMD lanes, divided among threads."""
        function = self._batch_function()
        count = len(inputs)
        if count == 0:
            return
        if threads == 1:
            function(address(inputs), address(outputs), count)
            return
        blocks = -(-count // self.lanes)
        share = -(-blocks // max(1, min(threads, blocks))) * self.lanes

        def work(start: int) -> None:
            # The arrays are named here so that they, and this engine, outlive a thread whose caller was interrupted.
            length = min(share, count - start)
            row_in, row_out = (8 * size for size in self._rows)
            function(address(inputs) + row_in * start, address(outputs) + row_out * start, length)

        workers = [threading.Thread(target=work, args=(start,)) for start in range(share, count, share)]
        for worker in workers:
            worker.start()
        work(0)
        for worker in workers:
            worker.join()

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self._graph, self._digest, self._code, self._target, self._optimisation, self._rows)
        return (_restore, (*arguments, self._cache))


def _restore(
    graph: bytes,
    digest: str,
    code: bytes,
    target: Target,
    optimisation: int,
    rows: tuple[int, int],
    cache: bool,
) -> NativeEngine:
    """Return an engine from its pickled parts; on another processor the graph is compiled again."""
    host = host_target()
    if not target.runs_on(host):
        target = host
        code = fetch(
            lambda: Graph.from_bytes(graph), digest, target, optimisation=optimisation, lanes=1, cache=False
        ).code
    return NativeEngine(graph, digest, code, target, optimisation, rows, cache=cache)
