"""What tests of sweeps share: one system, compiled once."""

from __future__ import annotations

import pytest
from simulations import double_pendulum

import gyrostat as gs


@pytest.fixture(scope="session")
def pendulum() -> gs.System:
    return gs.formulate(double_pendulum())
