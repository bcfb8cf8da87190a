"""Flexible bodies in absolute and branch coordinates: the choice changes nothing but the coordinates."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy
from beam_mechanisms import beam_loop, beam_tree, state_of
from beam_models import UNIT
from campaign import SOAK
from choices import Instant, random_trees_of
from random_trees import relative_error

import gyrostat as gs
from gyrostat.recipes.digest import program_key

CHOICES = ("absolute", "branch", "two trees")
TREES, LOOPS = (range(20), range(20)) if SOAK else ((0,), (4,))

pytestmark = pytest.mark.campaign(len(TREES) + len(LOOPS))


@cache
def _mechanism(seed: int, *, closed: bool) -> Instant:
    system = gs.formulate(beam_loop(seed) if closed else beam_tree(seed))
    return Instant(system, *state_of(system, seed), 0.0, {})


@cache
def _seen(seed: int, choice: str, *, closed: bool) -> tuple[Instant, Instant]:
    joint = _mechanism(seed, closed=closed)
    trees = random_trees_of(joint.system, np.random.default_rng(seed)) if choice == "two trees" else choice
    return joint, joint.seen_in(gs.formulate(joint.system.model, trees))


def _pairs(choice: str) -> list[tuple[Instant, Instant]]:
    trees = [_seen(seed, choice, closed=False) for seed in TREES]
    return [*trees, *(_seen(seed, choice, closed=True) for seed in LOOPS)]


@pytest.mark.parametrize("choice", CHOICES)
def test_motions_energies_and_reactions_agree(choice: str) -> None:
    for joint, other in _pairs(choice):
        assert relative_error(other.velocities, joint.velocities) < 1e-10
        assert relative_error(other.accelerations, joint.accelerations) < 1e-10
        assert relative_error(other.factored_udot, other.udot) < 1e-10
        assert relative_error(other.energies, joint.energies) < 1e-10
        assert relative_error(other.momenta, joint.momenta) < 1e-10
        found = [other.reactions[name] for name in joint.reactions]
        assert relative_error(found, list(joint.reactions.values())) < 1e-10


@pytest.mark.parametrize("choice", CHOICES)
def test_coordinates_of_joints_at_stations_keep_their_values(choice: str) -> None:
    """The slope of a beam is part of the angle of a joint at its tip."""
    for joint, other in _pairs(choice):
        for name, value in joint.measured.items():
            assert abs(np.sin((other.measured[name] - value) / 2)) < 1e-9, name


def test_elastic_coordinates_and_those_of_the_root_have_different_names() -> None:
    system = gs.formulate(beam_tree(0), "absolute")
    names = (*system.coordinate_names, *system.coordinates.speed_names)
    assert len(set(names)) == len(names)
    assert {"first.w1", "first.w1.rate", "first.wx", "first.e0", "first.x"} <= set(names)
    assert not any(".tip" in name or ".mid" in name for name in names)


def _four_bar(**changed: Any) -> gs.Model:
    model = gs.Model("four-bar", gravity=(0, -9.81, 0))
    model.add(gs.Body("crank", gs.rod(1, 0.3, along="x"), com=(0.15, 0, 0), points={"tip": (0.3, 0, 0)}))
    model.add(gs.Beam("coupler", **(UNIT | {"terms": {"v": 1}, "rotary_inertia": True, "Iz": 0.01} | changed)))
    model.add(gs.Body("rocker", gs.rod(1, 0.8, along="x"), com=(0.4, 0, 0), points={"tip": (0.8, 0, 0)}))
    model.add(gs.Revolute("a", "ground", "crank"))
    model.add(gs.Revolute("b", "crank.tip", "coupler"))
    model.add(gs.Revolute("c", ("ground", (1, 0, 0)), "rocker"))
    model.add(gs.Revolute("d", "coupler.tip", "rocker.tip"))
    return model


def test_planar_mechanisms_with_beams_stay_planar() -> None:
    system = gs.formulate(_four_bar(), "branch")
    assert system.coordinate_names == ("crank.angle", "rocker.angle", "coupler.angle", "coupler.v1")
    assert "2 if all motion is in one plane" in str(system)
    twisted = {"order": "exact", "curvature": (0.5, 0, 0)}
    for changed in ({"terms": {"v": 1, "w": 1}, "Iy": 1}, twisted, twisted | {"terms": {"u": 1}}):
        assert gs.formulate(_four_bar(**changed), "absolute").coordinates.plane is None


def test_angle_of_a_joint_that_closes_a_loop_at_a_station_has_the_slope_of_the_beam() -> None:
    system = gs.formulate(_four_bar(), cut=["d"])
    found = gs.assemble(system, {"a": 1.0, "coupler.v1": 0.2})
    motion = Instant(system, np.array(found.q), np.zeros(4), 0.0, {}).motion
    angles = dict(zip(system.coordinate_names, found.q, strict=True))
    R = np.array(motion.end(gs.model.kinds.End("coupler.tip")).rotation, dtype=float)
    slope = np.arctan2(R[1, 0], R[0, 0]) - angles["a"] - angles["b"]
    assert abs(slope) > 0.1
    expected = angles["c"] - angles["a"] - angles["b"] - slope
    assert abs(np.sin((float(motion.quantity("d")) - expected) / 2)) < 1e-12


@pytest.mark.parametrize("choice", ["absolute", "branch"])
@pytest.mark.parametrize("terms", [{"v": 1}, {"v": 1, "w": 1}])
def test_exact_equations_have_the_traced_values(choice: str, terms: dict[str, int]) -> None:
    model = gs.Model("swung", gravity=(0, "-g", 0), parameters={"g": 9.81, "L": 1.2})
    given = UNIT | {"Iy": 0.6, "length": "L", "terms": terms, "kinetic_energy": "truncated"}
    model.add(gs.Beam("beam", **given))
    model.add(gs.Revolute("hinge", "ground", "beam"))
    system = gs.formulate(model, choice)
    equations, rng = system.equations(), np.random.default_rng(3)
    q, u = ([sympy.Rational(int(x), 32) for x in rng.integers(-9, 10, n)] for n in map(len, _names(system)))
    for place in system.coordinates.euler_parameters.values():
        q[place : place + 4] = [sympy.Rational(n, 5) for n in (2, -4, 1, 2)]
    values = dict(zip((*equations.coordinates, *equations.speeds), (*q, *u), strict=True))
    values |= {equations.symbols.sympy[name]: value for name, value in {"g": 9.81, "L": 1.2}.items()}
    traced = Instant(system, np.array(q, dtype=float), np.array(u, dtype=float), 0.0, {})
    M = np.array(equations.mass_matrix.subs(values), dtype=float)
    np.testing.assert_allclose(M, traced.mass_matrix, rtol=1e-12, atol=1e-12)
    forcing = np.array(equations.forcing.subs(values), dtype=float)
    np.testing.assert_allclose(forcing, traced._terms["forcing"], rtol=1e-11, atol=1e-11)
    assert np.array(equations.constraint_matrix.subs(values), dtype=float) == pytest.approx(traced.rows, abs=1e-12)


def _names(system: gs.System) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return system.coordinate_names, system.speed_names


def test_cutsets_pass_through_flexible_arms() -> None:
    """The body's term is the inertia load of all sections; a station has the load of its arm and of its joints."""
    system = gs.formulate(_four_bar())
    assert str(system.cutset("a")) == "T[a] + T[crank] + T[coupler] − T[d] = 0"
    assert str(system.cutset("coupler.tip.arm")) == "T[coupler.tip.arm] − T[d] = 0\nF[coupler.tip.arm] − F[d] = 0"
    elements = system.topology.elements
    assert elements.of_kind(gs.topology.ElementKind.FLEXIBLE_ARM) == ("coupler.tip.arm",)
    assert "coupler.tip" not in elements.of_kind(gs.topology.ElementKind.BODY)


@pytest.mark.parametrize("choice", ["absolute", "branch", "tree"])
def test_projected_cutsets_are_the_equations_of_motion(choice: str) -> None:
    trees = gs.Trees(["a", "b", "c"]) if choice == "tree" else choice
    system = gs.formulate(_four_bar(), trees)
    equations = system.equations()
    balance = equations.mass_matrix * sympy.Matrix(equations.accelerations) - equations.forcing
    balance -= equations.constraint_matrix.T * sympy.Matrix(equations.multipliers)
    rng, seen = np.random.default_rng(1), set[str]()
    joints = gs.formulate(_four_bar(), tree=["a", "b", "c", "coupler.tip.arm"])
    q = Instant(joints, *_closed(joints), 0.0, {}).seen_in(system).q
    known = {symbol: sympy.Float(rng.uniform(0.5, 1.5)) for symbol in sorted(balance.free_symbols, key=str)}
    known |= dict(zip(equations.coordinates, map(sympy.Float, q), strict=True))
    for branch in system.coordinates.trees.elements:
        for speed, expression in system.cutset(branch).projection.items():
            row = balance[system.speed_names.index(speed)]
            assert abs(float((expression + row).subs(known))) < 1e-9, (branch, speed)
            seen.add(speed)
    assert seen == set(system.speed_names) - {"coupler.v1.rate"}


def _closed(system: gs.System) -> tuple[Any, Any]:
    return np.array(gs.assemble(system, {"a": 0.7, "coupler.v1": 0.05}).q), np.zeros(system.coordinates.n_u)


def test_trees_contain_the_arms_by_themselves() -> None:
    system = gs.formulate(_four_bar(), gs.Trees(["crank", "coupler", "rocker"]))
    assert system.coordinates.trees.translation.arcs[-1] == "coupler.tip.arm"
    with pytest.raises(gs.TopologyError, match=r"'coupler', 'coupler\.tip', 'coupler\.tip\.arm' close a circuit"):
        gs.formulate(_four_bar(), gs.Trees(["crank", "coupler", "rocker", "coupler.tip"]))


def test_programs_of_one_and_of_two_equal_trees_have_different_keys() -> None:
    joint = gs.formulate(_four_bar(), cut=["d"])
    two = gs.formulate(_four_bar(), gs.Trees(joint.topology.arcs), planar=False)
    assert joint.coordinates.trees.names == two.coordinates.trees.names
    keys = {program_key("reactions", system.coordinates) for system in (joint, two)}
    assert len(keys) == 2


def test_stations_with_names_of_coordinates_are_refused() -> None:
    model = _four_bar(stations={"angle": 0.5})
    gs.formulate(model)
    with pytest.raises(gs.TopologyError, match=r"Station 'coupler\.angle' has the name of a coordinate of 'coupler'"):
        gs.formulate(model, "absolute")


@pytest.mark.parametrize("choice", ["absolute", "branch"])
def test_simulations_and_outputs_agree(choice: str) -> None:
    names = ("coupler.tip", "coupler.tip.deflection", "coupler.section_moment", "d", "d.force")
    runs = [
        gs.simulate(
            gs.formulate(_four_bar(E=5000), coordinates), duration=0.2, step=0.1, initial={"a": 1.0}, outputs=names
        )
        for coordinates in ("joint", choice)
    ]
    for name in names:
        joint, other = (np.array(run[name]) for run in runs)
        np.testing.assert_allclose(other, joint, atol=1e-5 * max(1.0, np.abs(joint).max()), err_msg=name)
