"""Calls with one state as arrays: the same results to the last bit as by the general evaluation, for many threads."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from campaign import campaign
from loop_models import four_bar
from random_models import random_model
from state_models import driven_four_bar, servo

import gyrostat as gs
from gyrostat.errors import StateError
from gyrostat.results.parts_by_name import PartsByName

METHODS = (
    *("forward_dynamics", "inverse_dynamics", "mass_matrix", "energy", "poses", "reactions", "driver_loads"),
    *("multipliers", "state_rates", "constraint_rates", "coordinate_rates", "body_motion", "force_outputs", "momentum"),
    *("powers",),
)
PLACES_ONLY = frozenset(("mass_matrix", "poses"))
WITH_INPUTS = frozenset(
    ("forward_dynamics", "inverse_dynamics", "energy", "reactions", "driver_loads", "multipliers", "state_rates")
) | {"force_outputs", "powers", "forward_dynamics_derivatives"}
T = 0.37


class _States:
    """Random states of a system, with accelerations, state variables and inputs."""

    def __init__(self, system: gs.System, seed: int = 0) -> None:
        self.system = system
        self._random = np.random.default_rng(seed)

    def draw(self) -> dict[str, Any]:
        row, near = self.system.row, self._random.normal
        return {
            "q": self.system.initial_coordinates + 0.05 * near(size=row.n_q),
            "u": near(size=row.n_u),
            "udot": near(size=row.n_u),
            "z": near(size=row.n_z),
            "inputs": near(size=row.n_inputs),
        }


def _called(system: gs.System, method: str, state: Mapping[str, Any], t: Any, *, further: bool) -> Any:
    positions = [state["q"]] if method in PLACES_ONLY else [state["q"], state["u"]]
    if method == "inverse_dynamics":
        positions.append(state["udot"])
    more = {name: state[name] for name in ("z", "inputs")} if further and method in WITH_INPUTS else {}
    return getattr(system, method)(*positions, t=t, **more)


def _arrays(found: Any) -> list[np.ndarray]:
    """Return all arrays of a result, however it is nested."""
    if isinstance(found, np.ndarray):
        return [found]
    if is_dataclass(found):
        return [array for field in fields(found) for array in _arrays(getattr(found, field.name))]
    return [array for part in found.values() for array in _arrays(part)] if isinstance(found, Mapping) else []


def _require_equal(system: gs.System, methods: tuple[str, ...] = METHODS, *, states: int = 3) -> None:
    """Require equal bits: a time of another type than float takes the general way."""
    drawn = _States(system)
    for method in methods:
        _called(system, method, drawn.draw(), T, further=False)
        for further in (True, False):
            for _ in range(states):
                state = drawn.draw()
                found = _arrays(_called(system, method, state, T, further=further))
                expected = _arrays(_called(system, method, state, np.float64(T), further=further))
                assert [x.shape for x in found] == [x.shape for x in expected], method
                assert all(np.array_equal(x, y) for x, y in zip(found, expected, strict=True)), method
                assert all(x.dtype == np.float64 and x.flags.writeable for x in found)


@campaign(40)
def test_both_ways_give_the_same_bits_on_random_trees(seed: int) -> None:
    _require_equal(gs.formulate(random_model(seed, 3)))


@pytest.mark.parametrize("make", [servo, lambda: driven_four_bar(algebraic=False), lambda: gs.formulate(four_bar())])
def test_both_ways_give_the_same_bits_with_states_and_loops(make: Any) -> None:
    _require_equal(make(), (*METHODS, "forward_dynamics_derivatives"))


def test_single_states_take_the_short_way() -> None:
    system = servo()
    state = _States(system).draw()
    system.forward_dynamics(state["q"], state["u"])
    prepared = system.single_states["forward_dynamics"]
    usual = (state["q"], state["u"], None, 0.0, None, None, None)
    assert prepared(usual) is not None
    assert prepared((*usual[:2], state["z"], *usual[3:])) is not None
    for other in (
        (usual[0].tolist(), *usual[1:]),
        (usual[0][None], *usual[1:]),
        (usual[0].astype(np.float32), *usual[1:]),
        (usual[0], np.zeros(3), *usual[2:]),
        (*usual[:2], [0.0, 0.0], *usual[3:]),
        (*usual[:3], 0, *usual[4:]),
        (*usual[:5], {"R": 2.0}, None),
    ):
        assert prepared(other) is None


def test_threads_do_not_disturb_each_other() -> None:
    system = gs.formulate(four_bar())
    drawn = _States(system)
    states = [drawn.draw() for _ in range(400)]
    system.forward_dynamics(states[0]["q"], states[0]["u"])
    alone = [system.forward_dynamics(state["q"], state["u"]) for state in states]

    def work(first: int) -> list[np.ndarray]:
        turned = states[first:] + states[:first]
        return [system.forward_dynamics(state["q"], state["u"]) for _ in range(5) for state in turned]

    with ThreadPoolExecutor(8) as threads:
        for first, found in zip(range(0, 400, 50), threads.map(work, range(0, 400, 50)), strict=True):
            assert np.array_equal(found, 5 * (alone[first:] + alone[:first]))


def test_results_belong_to_the_caller() -> None:
    system = servo()
    state = _States(system).draw()
    first = system.mass_matrix(state["q"])
    first = system.mass_matrix(state["q"])
    first[...] = 7.0
    assert not np.any(system.mass_matrix(state["q"]) == 7.0)
    energy = system.energy(state["q"], state["u"])
    kept = float(energy.kinetic)
    system.energy(state["q"], 2 * state["u"])
    assert float(energy.kinetic) == kept


def test_arguments_of_an_earlier_call_leave_no_trace() -> None:
    system = driven_four_bar(algebraic=False)
    state = _States(system).draw()
    q, u = state["q"], state["u"]
    system.forward_dynamics(q, u)
    expected = system.forward_dynamics(q, u)
    assert not np.array_equal(system.forward_dynamics(q, u, inputs=np.array([5.0])), expected)
    assert np.array_equal(system.forward_dynamics(q, u), expected)
    assert not np.array_equal(system.forward_dynamics(q, u, z=np.array([9.0])), expected)
    assert np.array_equal(system.forward_dynamics(q, u), expected)


def test_speeds_left_out_have_initial_values() -> None:
    model = gs.Model("spinning", parameters={"w": 3.0})
    model.add(gs.Body("rod", gs.rod(1.0, 1.0, along="y")))
    model.add(gs.Revolute("a", "ground", "rod", initial={"rate": "w"}))
    model.add(gs.TorsionSpring("drag", "a", damping=0.5))
    system = gs.formulate(model)
    for speed in (0.5, 1.5):
        system.forward_dynamics(np.zeros(1), np.array([speed]))
    expected = system.forward_dynamics(np.zeros(1), np.array([3.0]))
    assert np.array_equal(system.forward_dynamics(np.zeros(1), None), expected)


def test_reactions_without_accelerations_are_those_of_the_motion() -> None:
    system = servo()
    state = _States(system).draw()
    q, u = state["q"], state["u"]
    given = system.reactions(q, u, system.forward_dynamics(q, u))["a"]
    assert np.array_equal(system.reactions(q, u)["a"].force, given.force)
    assert np.array_equal(system.reactions(q, u)["a"].force, given.force)
    assert not np.array_equal(system.reactions(q, u, np.zeros(1))["a"].force, given.force)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_values_that_are_not_finite_are_refused(wrong: float) -> None:
    system = servo()
    system.mass_matrix(np.array([0.1]))
    with pytest.raises(StateError, match=rf"The coordinate 'a' is {wrong}\. Give finite values"):
        system.mass_matrix(np.array([wrong]))
    with pytest.raises(StateError, match="The time is not finite"):
        system.mass_matrix(np.array([0.1]), t=wrong)


def test_large_values_take_the_general_way() -> None:
    """Squares of entries beyond 1e154 overflow; the general evaluation looks at the entries themselves."""
    system = servo()
    system.coordinate_rates(np.array([0.1]), np.array([0.2]))
    assert system.coordinate_rates(np.array([0.1]), np.array([1e200])) == [1e200]


def test_systems_with_prepared_programs_can_be_copied() -> None:
    system = servo()
    state = _States(system).draw()
    expected = system.forward_dynamics(state["q"], state["u"])
    for other in (pickle.loads(pickle.dumps(system)), copy.deepcopy(system)):
        assert not other.single_states
        assert np.array_equal(other.forward_dynamics(state["q"], state["u"]), expected)


def test_parts_by_name() -> None:
    parts = PartsByName({"a": 0, "b": 1}, np.array([2.0, 3.0]).__getitem__)
    assert dict(parts) == {"a": 2.0, "b": 3.0}
    assert parts == {"a": 2.0, "b": 3.0}
    assert type(pickle.loads(pickle.dumps(parts))) is dict
    with pytest.raises(KeyError):
        parts["c"]
