"""How kernels are written: as functions that numba translates."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

from gyrostat.analysis.kernels.text_compiler import TextCompiler, keep_apart

F = TypeVar("F", bound=Callable[..., object])

OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract"},
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": TextCompiler,
}
"""Division by zero gives infinities, as in native programs; products and sums may be fused.

Kernels make no arrays: they are given room to work in, and so no references are counted in them. Python calls them by
way of `native_kernel` alone.
"""


def kernel(function: F) -> F:
    """Mark a function as a kernel, or as a part of one."""
    return cast(F, numba.njit(**OPTIONS)(function))


def rare_kernel(function: F) -> F:
    """Mark a part of a kernel that seldom runs: it is called, not copied to where it is used, and translated sooner."""
    keep_apart(function)
    return kernel(function)
