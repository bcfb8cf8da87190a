"""Which programs runs and equilibria of closed loops form: each takes seconds to compile for a large mechanism."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.recipes import compiled

EXAMPLES = Path(__file__).parents[3] / "examples"


def closed_loop() -> gs.System:
    return gs.formulate(gs.Model.load(EXAMPLES / "spatial_slider_crank.yaml"))


def formed(system: gs.System) -> set[str]:
    return set(system._compiled._known)


def test_a_run_with_constraints_forms_one_program_of_rates() -> None:
    """Stages use that of rates with pivots, and so does the account of work."""
    system = closed_loop()
    run = gs.simulate(system, 0.2, integrator=gs.DOP853(1e-6, 1e-6))
    assert run.status.success
    assert "guarded_rates" in formed(system) or "powered_rates" in formed(system)
    assert "rates" not in formed(system)


def test_loads_of_constraints_are_formed_where_they_are_read() -> None:
    system = closed_loop()
    point = gs.equilibrium(system)
    assert "multipliers" not in formed(system)
    found = system.multipliers(point.q, point.u, inputs=point.inputs)
    assert point.multipliers == pytest.approx({name: float(np.squeeze(value)) for name, value in found.items()})
    assert point.multipliers


def test_long_programs_between_steps_are_not_optimised(monkeypatch: pytest.MonkeyPatch) -> None:
    levels: dict[str, int] = {}
    load = compiled.load_or_compile

    def recorded(key: str, build: object, *, optimisation: int) -> object:
        found = load(key, build, optimisation=optimisation)
        levels[found.name] = optimisation
        return found

    monkeypatch.setattr(compiled, "load_or_compile", recorded)
    names = ("guarded_rates", "net_power", "projected_speeds")
    for long, expected in ((False, [2, 2, 2]), (True, [2, 0, 0])):
        monkeypatch.setattr(compiled, "jacobian_is_long", lambda coordinates, long=long: long)
        system = closed_loop()
        for name in names:
            system.program(name)
        assert [levels[name] for name in names] == expected
