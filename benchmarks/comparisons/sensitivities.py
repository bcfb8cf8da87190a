"""Sensitivities of all eigenvalues to fifty parameters, beside the linear models that differences would take."""

from __future__ import annotations

import numpy as np
from timing import Candidate, measure

import gyrostat as gs
from comparisons.row import Row

QUANTITY = "derivatives of all eigenvalues by 50 parameters"
_LINKS = 10
_LINEARIZATIONS = 100
_STEP = 1e-5


def compare_sensitivities(*, rounds: int) -> list[Row]:
    """Return a row for a hanging chain whose links have masses, lengths, springs, dampers and offsets of their own."""
    system = gs.formulate(hanging_chain(_LINKS))
    at_rest = dict.fromkeys(system.coordinate_names, 0.0)
    names = tuple(system.model.parameters)
    values = system.model.values()

    def own() -> list[np.ndarray]:
        linear = gs.linearize(system, at_rest)
        return [linear.sensitivity(mode, names).eigenvalue for mode in linear.modes()]

    def by_differences() -> np.ndarray:
        """Return the derivatives of the lowest eigenvalue alone: all linear models are needed for any of them."""
        found = []
        for name in names:
            sides = [
                gs.linearize(system, at_rest, parameters={name: values[name] * (1 + side * _STEP)}) for side in (1, -1)
            ]
            ends = [linear.modes()[0].eigenvalue for linear in sides]
            found.append((ends[0] - ends[1]) / (2 * _STEP * values[name]))
        return np.array(found)

    exact, differences = own()[0], by_differences()
    error = float(np.abs(exact - differences).max() / np.abs(exact).max())
    if not error < 1e-6:
        raise AssertionError(f"Sensitivities and differences of eigenvalues differ by {error:.1e}.")
    timing = measure({"own": Candidate(own), "differences": Candidate(by_differences)}, rounds=rounds)
    peer = f"{_LINEARIZATIONS} linear models and their eigenvalues"
    numbers = (timing.seconds("own"), peer, timing.seconds("differences"), timing.ratio("own", "differences"))
    return [Row(QUANTITY, f"chain of {_LINKS} links", *numbers, error, 0.1)]


def hanging_chain(links: int) -> gs.Model:
    """Return a planar chain of bars with springs and dampers in its hinges, five parameters for each link."""
    parameters: dict[str, float] = {}
    for i in range(1, links + 1):
        parameters |= {f"m{i}": 1.0 + 0.05 * i, f"l{i}": 0.5 + 0.02 * i, f"k{i}": 2.0, f"c{i}": 0.1, f"d{i}": 0.2}
    model = gs.Model("hanging chain", gravity=(0, -9.81, 0), parameters=parameters)
    before = "ground"
    for i in range(1, links + 1):
        points = {"top": (0, f"l{i}/2", 0), "tip": (0, f"-l{i}/2", 0)}
        model.add(gs.Body(f"b{i}", mass=f"m{i}", inertia=(1.0, 1.0, f"m{i}*d{i}"), points=points))
        model.add(gs.Revolute(f"a{i}", before, f"b{i}.top"))
        model.add(gs.TorsionSpring(f"s{i}", f"a{i}", stiffness=f"k{i}", damping=f"c{i}"))
        before = f"b{i}.tip"
    return model
