"""Fixtures of the tests of sweeps: one system, compiled once."""

from __future__ import annotations

import pytest
from simulations import double_pendulum

import gyrostat as gs


@pytest.fixture(scope="session")
def pendulum() -> gs.System:
    """A double pendulum; loops are compiled here, once, before worker processes ask for them."""
    system = gs.formulate(double_pendulum())
    gs.simulate(system, 1e-3)
    return system
