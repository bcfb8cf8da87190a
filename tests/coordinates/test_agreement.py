"""The choice of coordinates changes nothing but the coordinates: random mechanisms in all choices."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from campaign import SOAK
from choices import Instant, random_trees_of, with_principal_angles
from closed_models import closed_system
from random_models import random_inputs, random_model
from random_trees import Draw, relative_error

import gyrostat as gs

CHOICES = ("absolute", "branch", "two trees")
OPEN, CLOSED = (range(9), range(7)) if SOAK else ((4,), (1,))
TIME = 0.3

pytestmark = pytest.mark.campaign(len(OPEN) + len(CLOSED))


@cache
def _open_mechanism(seed: int) -> Instant:
    """Return a random tree with joints, rotors, forces and drivers of all sorts, at a random state."""
    draw = Draw(1000 + seed)
    system = gs.formulate(random_model(seed, 2 + seed % 3))
    q, u = draw.state(system)
    return Instant(system, with_principal_angles(system, q), u, TIME, random_inputs(draw, system))


@cache
def _closed_mechanism(seed: int) -> Instant | None:
    """Return a random mechanism with loops, at a state that obeys them; None where they leave no motion."""
    found = closed_system(seed)
    return None if found is None else Instant(found.system, found.q, found.u, 0.0, {})


@cache
def _seen(mechanism: Instant, choice: str, seed: int) -> Instant:
    coordinates = choice
    if choice.startswith("two"):
        trees = random_trees_of(mechanism.system, np.random.default_rng((seed, len(choice))))
        return mechanism.seen_in(gs.formulate(mechanism.system.model, trees))
    return mechanism.seen_in(gs.formulate(mechanism.system.model, coordinates))


def _pairs(choice: str, seeds: range, *, closed: bool) -> list[tuple[Instant, Instant]]:
    found = []
    for seed in seeds:
        mechanism = _closed_mechanism(seed) if closed else _open_mechanism(seed)
        if mechanism is not None:
            found.append((mechanism, _seen(mechanism, choice, seed)))
    return found


def _both(choice: str) -> list[tuple[Instant, Instant]]:
    return [*_pairs(choice, OPEN, closed=False), *_pairs(choice, CLOSED, closed=True)]


@pytest.mark.parametrize("choice", CHOICES)
def test_bodies_stand_and_move_alike_and_constraints_are_obeyed(choice: str) -> None:
    for joint, other in _both(choice):
        assert relative_error(other.velocities, joint.velocities) < 1e-11
        assert other.open_by < 1e-8


@pytest.mark.parametrize("choice", CHOICES)
def test_coordinates_of_all_joints_keep_their_names_and_values(choice: str) -> None:
    for joint, other in _both(choice):
        expected, found = joint.measured, other.measured
        assert found.keys() == expected.keys()
        measures = joint.system.coordinates.measures
        for name, value in expected.items():
            if measures.get(name) == "angle":  # turns count only where all turns about one axis
                assert abs(np.sin((found[name] - value) / 2)) < 1e-8, name
            else:
                assert found[name] == pytest.approx(value, rel=1e-8, abs=1e-8), name


@pytest.mark.parametrize("choice", CHOICES)
def test_accelerations_of_all_bodies_are_the_same(choice: str) -> None:
    for joint, other in _both(choice):
        tolerance = 1e-9 * max(1.0, min(joint.condition, other.condition))
        assert relative_error(other.accelerations, joint.accelerations) < tolerance


@pytest.mark.parametrize("choice", CHOICES)
def test_programs_solve_the_equations_as_numpy_does(choice: str) -> None:
    for _, other in _both(choice):
        if other.determinate:
            assert relative_error(other.factored_udot, other.udot) < 1e-9 * max(1.0, other.condition)


@pytest.mark.parametrize("choice", CHOICES)
def test_energies_and_momenta_are_the_same(choice: str) -> None:
    for joint, other in _both(choice):
        assert relative_error(other.energies, joint.energies) < 1e-11
        assert relative_error(other.momenta, joint.momenta) < 1e-11


@pytest.mark.parametrize("choice", CHOICES)
def test_reactions_and_loads_of_drivers_are_the_same_also_where_they_do_not_follow_from_the_motion(choice: str) -> None:
    for joint, other in _both(choice):
        exact = joint.determinate and other.determinate
        tolerance = (1e-9 if exact else 1e-7) * max(1.0, min(joint.condition, other.condition))
        expected, found = joint.reactions, other.reactions
        assert relative_error([found[name] for name in expected], list(expected.values())) < tolerance
        expected_drivers, drivers = joint.driver_loads, other.driver_loads
        assert drivers.keys() == expected_drivers.keys()
        assert relative_error([drivers[name] for name in expected_drivers], list(expected_drivers.values())) < tolerance


@pytest.mark.parametrize("choice", CHOICES)
def test_kinetic_energy_is_half_the_product_of_momenta_and_speeds(choice: str) -> None:
    """½ uᵀ M u + uᵀ p₀ of motion without drivers and rotors; M is that of the choice."""
    for _, other in _pairs(choice, CLOSED, closed=True):
        mass = other.mass_matrix
        assert relative_error(0.5 * other.u @ mass @ other.u, other.energies[0]) < 1e-11
        assert np.linalg.eigvalsh(mass).min() > 0.0
