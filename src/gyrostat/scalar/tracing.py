"""The lock that a thread holds while it forms expressions of CasADi.

The traced engine switches CasADi's simplifications off while it forms a reciprocal (`scalar/traced.py`). The switch
belongs to the process, so another thread would meanwhile form expressions that are not simplified. A trace runs under
Python's global lock anyway, so traces of several threads lose nothing by taking turns.

The switch was kept on purpose. A numerator 1 that CasADi does not recognise as such also keeps products from becoming
divisions, but survives CasADi's substitutions, after which fewer expressions cancel: programs of canonical momenta grow
by up to a quarter.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

TRACING = threading.RLock()


def in_turn(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that holds the lock while it runs."""

    @wraps(function)
    def locked(*arguments: P.args, **options: P.kwargs) -> R:
        with TRACING:
            return function(*arguments, **options)

    return locked
