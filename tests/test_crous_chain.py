"""The example of a chain on a pulley: masses of the thesis, and agreement of its fixed step with variable steps."""

from __future__ import annotations

import numpy as np
import pytest

import gyrostat as gs
from examples import crous_chain


def test_the_chain_has_the_mass_of_the_thesis() -> None:
    bodies = gs.formulate(crous_chain.build()).model.bodies
    masses = [body.mass.value() for name, body in bodies.items() if name.startswith("chain.")]
    assert len(masses) == 29
    assert sum(masses) == pytest.approx(29.5 * 0.1348, rel=1e-3)


def test_fixed_and_variable_steps_agree() -> None:
    """From the chain laid over the pulley, with its free end hanging: contact, friction and swing."""
    start = gs.lay_rope(crous_chain.build(), "chain", depth=1e-3, initial={"swing": 0.1})
    swings = [
        np.degrees(crous_chain.released(start, 0.2, literal=literal)["swing"].values) for literal in (True, False)
    ]
    assert np.ptp(swings[0]) > 0.5
    np.testing.assert_allclose(*swings, atol=0.05)
