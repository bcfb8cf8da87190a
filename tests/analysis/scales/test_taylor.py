"""Graded expansions of random trees: all joints, forces and drivers, against compiled inverse dynamics."""

from typing import Any

import numpy as np
import pytest
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import gyrostat as gs
from gyrostat.analysis.scales.excitation import Excitation
from gyrostat.analysis.scales.mechanism_loads import mechanism_loads
from gyrostat.analysis.scales.taylor import Grading, graded_terms, straight_chart
from gyrostat.scalar.exact import evaluate, numeric_function

JOINTS = {
    "revolute": lambda name, a, b, axis: gs.Revolute(name, a, b, axis=axis),
    "prismatic": lambda name, a, b, axis: gs.Prismatic(name, a, b, axis=axis),
    "screw": lambda name, a, b, axis: gs.Screw(name, a, b, axis=axis, pitch=0.2),
    "cylindrical": lambda name, a, b, axis: gs.Cylindrical(name, a, b, axis=axis),
    "universal": lambda name, a, b, axis: gs.Universal(name, a, b),
    "planar": lambda name, a, b, axis: gs.Planar(name, a, b),
}


def random_tree(seed: int, bodies: int) -> gs.Model:
    """Return bodies of all shapes on joints along the axes, with springs and a damper."""
    random = np.random.default_rng(seed)
    model = gs.Model("tree", gravity=(0.5, -1, -9), parameters={"k": 3, "c": 0.5})

    def place() -> tuple[float, ...]:
        return tuple(round(float(x), 1) for x in random.uniform(-1, 1, 3))

    for i in range(bodies):
        inertia = tuple(round(float(x), 1) for x in random.uniform(1, 1.5, 3))
        model.add(gs.Body(f"b{i}", mass=round(float(random.uniform(1, 3)), 1), inertia=inertia, com=place()))
        kind, axis = random.choice(list(JOINTS)), str(random.choice(["x", "y", "z"]))
        before = "ground" if i == 0 else f"b{random.integers(i)}"
        model.add(JOINTS[str(kind)](f"j{i}", (before, place()), (f"b{i}", place()), axis))
    model.add(gs.SpringDamper("spring", ("ground", (3, 4, 5)), f"b{bodies - 1}", stiffness="k", damping="c", length=1))
    return model


def left_sides(system: gs.System, degree: int, size: float, direction: Any) -> tuple[Any, Any]:
    """Return the expanded left-hand sides at a deviation of some size, and those of inverse dynamics."""
    loads = mechanism_loads(system)
    names = system.coordinate_names
    n = len(names)
    shapes = [[int(i == j) for j in range(n)] for i in range(n)]
    centre = dict.fromkeys(names, 0)
    chart = straight_chart(loads, centre, names, shapes, degree)
    terms = graded_terms(
        loads,
        chart,
        Grading(),
        degree,
        Excitation(loads.trace.ring),
        sign=lambda x: int(np.sign(evaluate(x, {}))),
        rounded=True,
    )
    state = size * direction
    found = np.zeros(n)
    known = system.model.values()
    values = numeric_function([term.coefficient for term in terms], list(known))(*known.values())
    for term, coefficient in zip(terms, values, strict=True):
        found[term.equation] += float(coefficient) * np.prod(state ** np.array(term.powers))
    return found, system.inverse_dynamics(state[:n], state[n : 2 * n], state[2 * n :])


@settings(max_examples=examples(100), deadline=None)
@given(seed=st.integers(0, 10_000), bodies=st.integers(1, 2))
def test_what_is_left_out_falls_with_the_next_degree(seed: int, bodies: int) -> None:
    system = gs.formulate(random_tree(seed, bodies))
    direction = np.random.default_rng(seed).uniform(-1, 1, 3 * len(system.coordinate_names))
    errors = []
    for size in (0.05, 0.025):  # small enough for the next degree to dominate the others
        found, expected = left_sides(system, 3, size, direction)
        errors.append(float(np.abs(found - expected).max()))
        scale = float(np.abs(expected).max())
    if errors[1] > 1e-12 * max(scale, 1e-3):
        assert np.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.9)


def test_parts_add_up_to_the_equations() -> None:
    system = gs.formulate(random_tree(5, 3))
    loads = mechanism_loads(system)
    n = len(system.coordinate_names)
    random = np.random.default_rng(2)
    q, u, a = random.uniform(-0.5, 0.5, (3, system.coordinates.n_u))
    names = (*system.coordinate_names, *system.speed_names, *loads.acceleration_names)
    known = {**system.model.values(), **dict(zip(names, (*q, *u, *a), strict=True)), "t": 0.0}
    total = [sum(evaluate(column[i], known) for column in loads.parts.values()) for i in range(n)]
    assert total == pytest.approx(system.inverse_dynamics(q, u, a), rel=1e-9)
    assert set(loads.parts) == {"inertia", "gravity", *system.model.forces}


def test_series_while_forming_agree_with_expanded_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine of series and the exact engine give the same terms."""
    system = gs.formulate(random_tree(1, 2))
    direction = np.random.default_rng(1).uniform(-1, 1, 3 * len(system.coordinate_names))
    found = []
    for limit in (10**9, 0):
        monkeypatch.setattr("gyrostat.analysis.scales.mechanism_loads._HARMONIC_LIMIT", limit)
        found.append(left_sides(system, 3, 0.2, direction)[0])
    assert found[0] == pytest.approx(found[1], rel=1e-12)


def test_hinges_about_different_axes() -> None:
    """Five of them in a row: too much to write out, but not to expand while formulas are formed."""
    model = gs.Model("arm", gravity=(0, 0, -9.81), parameters={"k": 2000})
    before = "ground"
    for i, axis in enumerate("zyxyx"):
        model.add(gs.Body(f"link{i}", gs.box(2, (0.1, 0.1, 0.4)), points={"foot": (0, 0, -0.2), "head": (0, 0, 0.2)}))
        model.add(gs.Revolute(f"a{i}", before, f"link{i}.foot", axis=axis))
        model.add(gs.TorsionSpring(f"spring{i}", f"a{i}", stiffness="k"))
        before = f"link{i}.head"
    found = gs.oscillators_of(model, order=1, floating=True)
    assert len(found.oscillators.oscillators) == 5
    linear = gs.linearize(gs.formulate(model), at=dict.fromkeys(found.names, 0.0))
    frequencies = sorted(found.oscillators.values[o.frequency.names[0]] for o in found.oscillators.oscillators)
    expected = np.sort(np.sqrt(np.linalg.eigvals(np.linalg.solve(linear.mass, linear.stiffness)).real))
    assert frequencies == pytest.approx(expected)
