"""The example of a chain on a pulley: masses of the thesis, fixed and variable steps, and sensitivity of its motion."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign

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


@campaign([1e-6], name="move", few=[])
def test_motion_is_sensitive_to_where_the_end_was_held(move: float) -> None:
    """Differences are in proportion to the move after half a second, and a thousand times larger after three."""
    one, other = (crous_chain.released(start, 3.0, literal=False, rtol=1e-9) for start in crous_chain.held((move,)))
    swing, end = crous_chain.apart(one, other)
    assert (swing[50] < 100 * move, end[50] < move) == (True, True)
    assert swing[250:].max() > 3e4 * move
    assert crous_chain.exponent(swing, one.time, 0.5, 3) > 2
    places = np.array([one[f"chain.s{i}"].values[-1] for i in range(1, 30)])
    away = np.linalg.norm(places - one["pulley"].values[-1], axis=1)
    assert (away < 0.215).sum() > 5  # the chain is still on the pulley
