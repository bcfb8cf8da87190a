"""Derivatives of accelerations column by column, as long systems have them: those of one function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from random_models import random_model
from state_models import driven_four_bar, servo

import gyrostat as gs
from gyrostat.recipes import compiled

SYSTEMS = {
    "tree": lambda: gs.formulate(random_model(4, 3)),
    "states": servo,
    "loop with states": lambda: driven_four_bar(algebraic=False),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_columns_are_those_of_one_function(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    system = SYSTEMS[name]()
    again = gs.System(system.coordinates)
    monkeypatch.setattr(compiled, "jacobian_is_long", lambda coordinates: True)
    near, row = np.random.default_rng(3).normal, system.row
    q = system.initial_coordinates + 0.01 * near(size=row.n_q)
    for leading in ((), (3,)):
        u, inputs, z = (near(size=(*leading, size)) for size in (row.n_u, row.n_inputs, row.n_z))
        given: dict[str, Any] = {"t": 0.4, "inputs": inputs, "z": z}
        found = again.forward_dynamics_derivatives(q, u, **given)
        with monkeypatch.context() as short:
            short.setattr(compiled, "jacobian_is_long", lambda coordinates: False)
            expected = system.forward_dynamics_derivatives(q, u, **given)
        assert list(found) == list(expected)
        for part, values in expected.items():
            assert found[part].shape == values.shape
            size = np.abs(values).max(initial=1.0)
            np.testing.assert_allclose(found[part], values, rtol=0, atol=1e-10 * size, err_msg=part)
