"""Fixtures of the tests of written equations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gyrostat.written.derivation import DERIVATIONS


@pytest.fixture(autouse=True)
def _no_equations_are_remembered() -> Iterator[None]:
    """Let each test derive its equations anew, and leave none behind."""
    DERIVATIONS.forget()
    yield
    DERIVATIONS.forget()
