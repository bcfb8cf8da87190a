"""Rosenbrock methods on trees of many links, whose derivatives are rolled, under loads that depend on time."""

import numpy as np

import gyrostat as gs


def test_the_order_holds_under_loads_that_depend_on_time():
    """Rates by time of rolled programs have few entries: written to the wrong places they cost the order."""
    model = gs.Model("chain", gravity=(0, -9.81, 0))
    last = "ground"
    for i in range(40):
        model.add(gs.Body(f"b{i}", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0), "end": (0, -0.5, 0)}))
        model.add(gs.Revolute(f"j{i}", last, f"b{i}.top"))
        last = f"b{i}.end"
    model.add(gs.Force("pull", last, ("300*sin(20*t)", 0, 0)))
    system = gs.formulate(model)
    assert system.derivatives_roll
    exact = gs.simulate(system, 0.2, step=0.2, integrator=gs.DOP853(1e-12, 1e-12)).q[-1]
    errors = []
    for step in (0.02, 0.01):
        found = gs.simulate(system, 0.2, step=0.2, integrator=gs.Rodas5P(step=step)).q[-1]
        errors.append(np.abs(found - exact).max())
    assert np.log2(errors[0] / errors[1]) > 4.3
