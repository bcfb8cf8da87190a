"""Systems are freed at once, without the collector of cycles: a tape of many links would take it long to pass."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest
from loop_models import closed_chain
from rolled_trees import chain

import gyrostat as gs


@pytest.mark.parametrize("build", [lambda: gs.formulate(chain(12)), lambda: gs.formulate(closed_chain(30))])
def test_a_simulated_system_is_freed_at_once(build: Callable[[], gs.System]) -> None:
    system = build()
    gs.simulate(system, 0.01)
    gc.collect()
    gc.disable()
    try:
        gone = weakref.ref(system)
        del system
        assert gone() is None
    finally:
        gc.enable()
