"""Impacts at several contacts of one instant: no penetration, no gain of energy, impulses that push."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from campaign import campaign
from impact_models import CHAIN_POINTS, chain, chain_jacobian, component
from random_trees import Floats
from scipy.optimize import nnls
from simulations import TIGHT, ball, event_times

import gyrostat as gs
from gyrostat.analysis.events.contact import ClosedContact
from gyrostat.analysis.events.impact import solve_impact
from gyrostat.program.warning import GyrostatWarning


def _plank(left: Any = 0.5, right: Any = 0.5) -> tuple[gs.Model, list[gs.Event]]:
    model = gs.Model("plank", gravity=(0, -9.81, 0))
    model.add(gs.Body("plank", gs.slender_rod(1.0, 1.0, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Planar("p", "ground", "plank"))
    left, right = (gs.Restitution(e) if isinstance(e, float) else e for e in (left, right))
    return model, [gs.Event.height("left", "plank.a", action=left), gs.Event.height("right", "plank.b", action=right)]


def _ends(run: gs.Trajectory) -> Floats:
    return np.column_stack([run[f"plank.{end}"].sel(axis="y").values for end in "ab"])


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
@pytest.mark.filterwarnings("ignore::gyrostat.program.warning.GyrostatWarning")
def test_a_plank_that_lands_on_both_ends_stays_above_the_floor(e: float) -> None:
    model, events = _plank(e, e)
    run = gs.simulate(model, 2, step=0.01, initial={"p.y": 1.0}, events=events)
    assert _ends(run).min() > -1e-9
    first, second = run.events[:2]
    assert {first.event, second.event} == {"left", "right"}
    np.testing.assert_array_equal(first.u, second.u)
    np.testing.assert_array_equal(first.u_after, second.u_after)
    np.testing.assert_allclose(first.u_after, [0, -e * first.u[1], 0], atol=1e-13)
    total = run.energy().total.values
    assert np.diff(total).max() < 1e-11
    assert np.abs(run["p.angle"]).max() < 1e-12
    assert run.status.outcome is gs.Outcome.COMPLETED


@pytest.mark.filterwarnings("ignore::gyrostat.program.warning.GyrostatWarning")
@pytest.mark.parametrize("tilt", [1e-11, 1e-9, 1e-4, 0.1, 0.7])
def test_a_tilted_plank_stays_above_the_floor(tilt: float) -> None:
    for e in (0.3, 1.0):
        model, events = _plank(e, e)
        run = gs.simulate(model, 2, step=0.01, initial={"p.y": 1.0, "p.angle": tilt}, events=events, integrator=TIGHT)
        assert _ends(run).min() > -1e-9
        assert np.diff(run.energy().total.values).max() < 1e-10


def test_ends_of_different_restitution() -> None:
    model, events = _plank(1.0, 0.2)
    run = gs.simulate(model, 0.46, initial={"p.y": 1.0}, events=events, integrator=TIGHT)
    speed = -run.events[0].u[1]
    _, rise, spin = run.events[0].u_after
    np.testing.assert_allclose([rise - spin / 2, rise + spin / 2], [speed, 0.2 * speed], rtol=1e-11)


def test_a_stop_beside_an_impact_applies_both() -> None:
    model, events = _plank(0.5, gs.Stop())
    run = gs.simulate(model, 1, initial={"p.y": 1.0}, events=events)
    assert run.status.outcome is gs.Outcome.STOPPED
    assert run.status.message == "event 'right'."
    assert [one.event for one in run.events] == ["left", "right"]
    state, speed = run.state, -run.events[0].u[1]
    assert np.isclose(state["p.y.rate"] - 0.5 * state["p.angle.rate"], 0.5 * speed, rtol=1e-12)


def test_a_closed_contact_that_does_not_move_is_not_pushed_through() -> None:
    """A ball lands on the left end of a plank that lies on two supports and is pressed by nothing."""
    model = gs.Model("seesaw")
    model.add(gs.Body("plank", gs.slender_rod(1.0, 1.0, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Planar("p", "ground", "plank"))
    model.add(gs.Body("ball", gs.point_mass(1.0)))
    model.add(gs.Prismatic("y", "ground", "ball", axis="y", initial={"displacement": 0.5, "rate": -1.0}))
    events = [
        gs.Event.height("left", "plank.a", action=gs.Restitution(0.5)),
        gs.Event.height("right", "plank.b", action=gs.Restitution(0.5)),
        gs.Event("ball", "y - p.y + 0.3*sin(p.angle)", "falling", gs.Restitution(0.5)),
    ]
    run = gs.simulate(model, 1.0, step=0.01, events=events)
    assert _ends(run).min() > -1e-9
    assert {one.event for one in run.events} == {"ball", "left", "right"}
    np.testing.assert_allclose(run.events[0].u_after, [0, 0, 0, 0.5], atol=1e-10)


@cache
def _cradle(count: int) -> gs.System:
    model = gs.Model("cradle")
    for i in range(count):
        model.add(gs.Body(f"b{i}", gs.sphere(1.0, 0.1)))
        model.add(gs.Prismatic(f"x{i}", "ground", f"b{i}", axis="x", initial=0.2 * i - (0.3 if i == 0 else 0.0)))
    return gs.formulate(model)


def _touching(count: int, e: float) -> list[gs.Event]:
    pairs = [gs.Event(f"c{i}", f"x{i} - x{i - 1} - 0.2", "falling", gs.Restitution(e)) for i in range(1, count)]
    return [*pairs, gs.Event("wall", f"2 - x{count - 1}", "falling", gs.Restitution(e))]


@pytest.mark.parametrize("count", [3, 5])
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_newtons_cradle(count: int, e: float) -> None:
    """The others leave together by Newton's law at all contacts at once; sequential impacts would send off the last.

    With common speed w of the others, 1 = v + (count − 1) w and w − v = e.
    """
    run = gs.simulate(_cradle(count), 20, initial={"x0.rate": 1.0}, events=_touching(count, e))
    assert run.status.outcome is gs.Outcome.COMPLETED
    assert [one.event for one in run.events[: count - 1]] == [f"c{i}" for i in range(1, count)]
    together = (1 + e) / count
    np.testing.assert_allclose(run.events[0].u_after, [together - e, *[together] * (count - 1)], atol=1e-10)
    if e == 1.0:
        np.testing.assert_allclose((run.u**2).sum(axis=1), 1.0, rtol=1e-10)
    assert np.diff((run.u**2).sum(axis=1)).max() < 1e-10
    assert np.diff(run.q, axis=1).min() > 0.2 - 1e-9
    assert run.q[:, -1].max() < 2 + 1e-9


def _dumbbell(*, rigid: bool) -> gs.Model:
    model = gs.Model("dumbbell", gravity=(0, -9.81, 0))
    if rigid:
        ends = {"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}
        model.add(gs.Body("bar", mass=2.0, inertia=(0.5, 0.5, 0.5), points=ends))
        model.add(gs.Planar("p", "ground", "bar", initial={"y": 0.5}))
        return model
    for name, x in (("a", -0.5), ("b", 0.5)):
        model.add(gs.Body(name, gs.point_mass(1.0)))
        model.add(gs.Prismatic(f"{name}x", "ground", f"{name}_slide", axis="x", initial=x))
        model.add(gs.Body(f"{name}_slide", mass=0.0))
        model.add(gs.Prismatic(f"{name}y", f"{name}_slide", name, axis="y", initial=0.5))
    model.add(gs.Distance("rod", "a", "b", 1.0))
    return model


@pytest.mark.parametrize(("left", "right"), [(0.5, 0.5), (1.0, 0.3), (0.1, 0.9)])
def test_simultaneous_impacts_in_a_loop_equal_those_of_the_rigid_body(left: float, right: float) -> None:
    found = []
    for rigid in (True, False):
        prefix = "bar." if rigid else ""
        events = [
            gs.Event.height("left", f"{prefix}a", action=gs.Restitution(left)),
            gs.Event.height("right", f"{prefix}b", action=gs.Restitution(right)),
            # a wall at the same instant: the bar moves to the right by 0.1 until it lands
            gs.Event("wall", f"0.6 - {prefix}b.x", "falling", gs.Restitution(0.5)),
        ]
        speed = 0.1 / np.sqrt(1 / 9.81)
        initial = {"p.x.rate": speed} if rigid else {"ax.rate": speed, "bx.rate": speed}
        run = gs.simulate(_dumbbell(rigid=rigid), 0.35, step=0.01, initial=initial, events=events, integrator=TIGHT)
        assert {one.event for one in run.events[:3]} == {"left", "right", "wall"}
        found.append(np.hstack([run[f"{prefix}{end}.velocity"].values[:, :2] for end in "ab"]))
    np.testing.assert_allclose(found[1], found[0], atol=1e-8)


def test_redundant_contacts_in_a_closed_loop() -> None:
    """The coupler of a parallelogram lands on two posts: one freedom, two contacts."""
    model = gs.Model("parallelogram", gravity=(0, -9.81, 0))
    for name, along in (("left", "x"), ("right", "x"), ("coupler", "x")):
        model.add(gs.Body(name, gs.slender_rod(1.0, 1.0, along=along), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Body("base", mass=1.0, inertia=(1, 1, 1), points={"c": (1.0, 0, 0)}))
    model.add(gs.Weld("w", "ground", "base"))
    model.add(gs.Revolute("h1", "base", "left.a", initial=0.5))
    model.add(gs.Revolute("h2", "left.b", "coupler.a", initial=-0.5))
    model.add(gs.Revolute("h3", "base.c", "right.a", initial=0.5))
    model.add(gs.Revolute("h4", "coupler.b", "right.b"))
    events = [
        gs.Event.height("one", "coupler.a", 0.2, action=gs.Restitution(0.2)),
        gs.Event.height("two", "coupler.b", 0.2, action=gs.Restitution(0.8)),
    ]
    run = gs.simulate(model, 0.6, step=0.01, events=events, integrator=TIGHT)
    first = run.events[0]
    assert [one.event for one in run.events[:2]] in (["one", "two"], ["two", "one"], ["two"])
    np.testing.assert_allclose(first.u_after, -0.8 * first.u, atol=1e-9)
    assert run["coupler.a"].sel(axis="y").min() > 0.2 - 1e-9
    assert np.abs(run.residuals().speed).max() < 1e-9


@campaign(300)
def test_random_impacts_at_several_contacts(seed: int) -> None:
    rng, system = np.random.default_rng(seed), chain()
    names = ("p.x", "p.y", "p.angle", "a2", "a3")
    initial = dict(zip((*names, *(f"{name}.rate" for name in names)), rng.normal(size=10), strict=True))
    masses = {f"m{i}": float(rng.uniform(0.1, 3.0)) for i in (1, 2, 3)}
    free = gs.simulate(system, 0.1, initial=initial, parameters=masses, integrator=TIGHT)
    W, u = chain_jacobian(free.q[-1]), free.u[-1]
    signs = -np.sign(W @ u)
    signs[rng.random(4) < 0.2] *= -1.0  # a contact that opens at this instant
    chosen = np.flatnonzero(rng.random(4) < 0.8)
    e = rng.choice([0.0, 1.0, rng.random()], size=4)
    heights = [component(free, point) for point in CHAIN_POINTS]
    values = {**masses, **{f"s{i}": signs[i] for i in range(4)}, **{f"c{i}": heights[i] for i in range(4)}}
    events = [
        gs.Event(f"e{i}", f"s{i}*({CHAIN_POINTS[i]} - c{i})", "falling", (gs.Restitution(float(e[i])), gs.Stop()))
        for i in chosen
    ]
    if not (signs * (W @ u))[chosen].min(initial=0.0) < 0.0:
        return
    run = gs.simulate(system, 0.2, initial=initial, parameters=values, events=events, integrator=TIGHT)
    assert run.status.outcome is gs.Outcome.STOPPED
    if abs(run.status.time - 0.1) > 1e-12:  # a contact was met on the way
        return
    q, u, final = run.events[0].q, run.events[0].u, run.events[-1].u_after
    directions = (signs[:, None] * chain_jacobian(q))[chosen]
    before, after = directions @ u, directions @ final
    assert after.min() > -1e-11 * np.abs(before).max()
    # contacts that opened before may be hit by others at this instant; otherwise Newton's law holds
    if (before < 0.0).all():
        assert (after + e[chosen] * before).min() > -1e-10 * np.abs(before).max()
    M = system.mass_matrix(q, parameters=masses)
    assert final @ M @ final <= (u @ M @ u) * (1 + 1e-12)
    # the change of momentum is that of impulses which push along the directions of the contacts
    push = M @ (final - u)
    assert nnls(directions.T, push)[1] < 1e-9 * np.linalg.norm(push)


@campaign(300)
def test_random_complementarity_problems(seed: int) -> None:
    """Any number of contacts, redundant ones included, with mass matrices of any condition."""
    rng = np.random.default_rng(seed)
    size, count = int(rng.integers(1, 8)), int(rng.integers(1, 10))
    root = rng.normal(size=(size, size)) * 10.0 ** rng.uniform(-2, 2, size)
    M = root @ root.T + 1e-3 * np.eye(size)
    W, u = rng.normal(size=(count, size)), rng.normal(size=size)
    W *= -np.sign(W @ u)[:, None]  # all approach
    e = rng.random(count)
    contacts = [ClosedContact(f"c{i}", W[i], float(W[i] @ u), float(e[i])) for i in range(count)]
    impact = solve_impact(contacts, lambda d: np.asarray(np.linalg.solve(M, d)))
    assert impact is not None
    after, impulses = W @ (u + impact.change), impact.impulses
    approach = -W @ u
    scale = np.sqrt(np.einsum("ij,ji->i", W, np.linalg.solve(M, W.T)) * (u @ M @ u))
    assert impulses.min() >= 0.0
    assert ((after - e * approach) / scale).min() > -1e-9
    assert (np.abs(impulses * (after - e * approach))).max() < 1e-8 * (u @ M @ u)
    new = u + impact.change
    assert new @ M @ new <= (u @ M @ u) * (1 + 1e-9)


def test_obstacles_that_close_in_on_each_other_are_named() -> None:
    contacts = [ClosedContact("left", np.array([1.0]), -1.0, 0.5), ClosedContact("right", np.array([-1.0]), -1.0, 0.5)]
    with pytest.raises(gs.StateError, match=r"Events 'left', 'right': their obstacles move towards each other"):
        solve_impact(contacts, lambda d: d)


@pytest.mark.parametrize("level", [0.1, 1.0, 1000.0])
def test_the_ratio_of_accumulating_bounces(level: float) -> None:
    bounce = gs.Event("hit", f"ball.z - {level}", "falling", gs.Restitution(0.7))
    with pytest.warns(GyrostatWarning, match="recurs at shrinking intervals"):
        run = gs.simulate(ball(), 6, step=0.1, initial={"z": level + 1.0}, events=[bounce])
    reported = re.search(r"each interval (\S+) times the last", run.status.notes[0])
    assert reported is not None
    assert abs(float(reported[1]) - 0.7) < 0.005
    assert len(event_times(run, "hit")) > 40


def test_a_moving_wall_gives_its_speed() -> None:
    wall = gs.Event("wall", "z - 0.1*sin(20*t)", "falling", gs.Restitution(1.0))
    run = gs.simulate(ball(), 0.6, initial={"z": 1.0}, events=[wall], integrator=TIGHT)
    hit = run.events[0]
    assert np.isclose(hit.u_after[0], 4 * np.cos(20 * hit.time) - hit.u[0], rtol=1e-11)


@pytest.mark.parametrize("direction", ["falling", "both"])
def test_a_ball_that_rests_at_a_wall_without_load_goes_on(direction: str) -> None:
    wall = gs.Event("wall", "z", direction, gs.Restitution(0.0))
    run = gs.simulate(ball(g=0.0), 3, initial={"z": 1.0, "z.rate": -1.0}, events=[wall])
    assert run.status.outcome is gs.Outcome.COMPLETED
    assert len(run.events) == 1
    assert abs(run.state["z"]) < 1e-10
    assert 0.0 <= run.state["z.rate"] < 1e-10


@dataclass(frozen=True)
class _Cushion(gs.Action):
    """A contact without rebound, which takes part in the impacts of others but causes none."""

    @property
    def needs_direction(self) -> bool:
        return True

    def contact(self, instant: gs.Instant) -> ClosedContact:
        return ClosedContact(instant.event, instant.gradient(), instant.rate, 0.0)

    def effect(self, instant: gs.Instant) -> gs.Effect:
        return gs.Effect()


def test_an_action_of_ones_own_may_describe_a_contact() -> None:
    model, events = _plank(1.0, _Cushion())
    run = gs.simulate(model, 0.46, initial={"p.y": 1.0}, events=events)
    assert {one.event for one in run.events[:2]} == {"left", "right"}
    speed, (_, rise, spin) = -run.events[0].u[1], run.events[0].u_after
    np.testing.assert_allclose([rise - spin / 2, rise + spin / 2], [speed, 0.0], atol=1e-10)
