"""A native loop over Pinocchio's derivatives, compiled for this processor where there is a C++ compiler.

Pinocchio's Python package has none. The headers come with it and with CasADi (Eigen); the library is kept in the
environment, for compiling it takes minutes.
"""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
import sys
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pinocchio
from timing import Candidate

from peers.peer import States, Task
from peers.tree import Floats, Link, Tree

_SOURCE = Path(__file__).with_suffix(".cpp")
_FLAGS = ("-O3", "-march=native", "-DNDEBUG", "-std=c++17", "-shared", "-fPIC")
_LIMITS = (
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
)


class PinocchioLoop:
    """The same tree in Pinocchio, in a loop compiled with `-O3 -march=native`."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._library = _library()
        parents = np.array([link.parent for link in tree.links], np.int32)
        axes = np.array([len(link.axes) for link in tree.links], np.int32)
        numbers = np.array([_numbers(link) for link in tree.links])
        gravity = np.array(tree.gravity)
        self._made = self._library.make(
            _pointer(gravity), len(tree.links), _pointer(parents), _pointer(axes), _pointer(numbers)
        )

    def __del__(self) -> None:
        if hasattr(self, "_made"):
            self._library.destroy(self._made)

    def derivatives(self, states: States) -> Task:
        """Return the loop over `computeABADerivatives`."""
        own = states.outwards(self.tree)
        count, size = own.q.shape
        slopes = np.zeros((count, 3, size, size))
        run = partial(self._library.derivatives, *self._arguments(own), _pointer(slopes))

        def results() -> dict[str, Floats]:
            # of the inverse mass matrix Pinocchio computes the upper half
            upper = np.triu(slopes[:, 2])
            Minv = upper + np.triu(upper, 1).transpose(0, 2, 1)
            matrices = {"q": slopes[:, 0].transpose(0, 2, 1), "u": slopes[:, 1].transpose(0, 2, 1), "inputs": Minv}
            places = np.argsort(self.tree.coordinates)
            return {name: matrix[:, places][:, :, places] for name, matrix in matrices.items()}

        return Task(Candidate(_keeping(run, own, slopes), count), results)

    def _arguments(self, own: States) -> tuple[Any, ...]:
        return (self._made, len(own.q), _pointer(own.q), _pointer(own.u), _pointer(own.tau))


def _keeping(run: partial[object], *owners: object) -> partial[object]:
    """Return the function, holding on to the arrays that it has pointers to."""
    run.owners = owners  # type: ignore[attr-defined]
    return run


def _pointer(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    assert array.flags.c_contiguous
    return ctypes.c_void_p(array.ctypes.data)


def _numbers(link: Link) -> Floats:
    """Return what describes a link, in the order that the C++ source states."""
    second = link.axes[-1]
    return np.concatenate(
        [link.axes[0], second, link.R_PH.ravel(), link.r_PH_P, [link.mass], link.com, link.inertia.ravel()]
    )


@cache
def _library() -> Any:
    """Return the library, compiled if there is none for this source and these versions."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise ImportError("there is no C++ compiler")
    identity = hashlib.sha256(_SOURCE.read_bytes() + version("pin").encode()).hexdigest()[:16]
    built = Path(sys.prefix) / f"pinocchio_loop_{identity}.so"
    if not built.exists():
        print("Compiling a native loop over Pinocchio's derivatives, once; this takes minutes.", flush=True)
        prefix = next(p for p in Path(pinocchio.__file__).parents if p.name.startswith("cmeel"))
        includes = (prefix / "include", Path(casadi.__file__).parent / "include" / "eigen3")
        unfinished = built.with_suffix(".new")
        command = [compiler, *_FLAGS, *_LIMITS, *(f"-I{path}" for path in includes), str(_SOURCE), "-o", unfinished]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ImportError(f"the C++ compiler fails: {done.stderr.splitlines()[:1]}")
        unfinished.rename(built)
    library = ctypes.CDLL(str(built))
    pointer, number = ctypes.c_void_p, ctypes.c_int
    library.make.restype = pointer
    library.make.argtypes = (pointer, number, pointer, pointer, pointer)
    library.destroy.argtypes = (pointer,)
    library.derivatives.argtypes = (pointer, number, pointer, pointer, pointer, pointer)
    library.derivatives.restype = None
    return library
