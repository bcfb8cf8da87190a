"""Impacts with friction against closed forms: spheres, rods, pendulums, closed loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from impact_models import RADIUS, double_pendulum, parallelogram, rod, sphere
from random_trees import Floats
from simulations import TIGHT

import gyrostat as gs
from gyrostat.program.warning import GyrostatWarning

LAWS = ("newton", "poisson", "stronge")
BELOW = ("ball", (0, "-r", 0))


def _floor(law: str, point: str = "ball", when: str = "ball.y - r", at: Any = BELOW) -> gs.Event:
    return gs.Event(f"{point} hits", when, "falling", gs.Restitution("e", friction="mu", law=law, at=at))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("mu", "spin"), [(0.1, 0.0), (0.1, -80.0), (0.6, 0.0), (0.6, 30.0)])
def test_a_spinning_sphere_slides_or_rolls(law: str, mu: float, spin: float) -> None:
    """Gross sliding: Δv = μ (1 + e) v_n. Otherwise it rolls after the impact; momentum about the contact point is kept.

    The sliding speed is v_x + r ω, and 1/m + r²/J = 7/(2 m).
    """
    e, drop, forward = 0.6, 2.0, 3.0
    run = gs.simulate(
        sphere(spatial=False),
        0.5,
        initial={"p.y": 0.5, "p.y.rate": -drop, "p.x.rate": forward, "p.angle.rate": spin},
        parameters={"e": e, "mu": mu},
        events=[_floor(law)],
    )
    sliding = forward + RADIUS * spin
    change = np.clip(-2 / 7 * sliding, -mu * (1 + e) * drop, mu * (1 + e) * drop)
    expected = [forward + change, e * drop, spin + change / (0.4 * RADIUS)]
    np.testing.assert_allclose(run.u[-1], expected, rtol=1e-11, atol=1e-11)
    assert (abs(expected[0] + RADIUS * expected[2]) < 1e-12) == (mu == 0.6)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("mu", [0.05, 0.8])
def test_a_spinning_sphere_in_space(law: str, mu: float) -> None:
    e, v, omega = 0.4, np.array([1.0, -2.0, 0.5]), np.array([7.0, 3.0, 20.0])
    initial = {"p.y": 0.5, **{f"p.v{i + 1}": v[i] for i in range(3)}, **{f"p.w{i + 1}": omega[i] for i in range(3)}}
    run = gs.simulate(
        sphere(spatial=True),
        0.5,
        initial=initial,
        parameters={"e": e, "mu": mu},
        events=[_floor(law)],
        integrator=TIGHT,
    )
    arm = np.array([0.0, -RADIUS, 0.0])
    sliding = (v + np.cross(omega, arm)) * [1, 0, 1]
    share = min(2 / 7, mu * (1 + e) * 2.0 / np.linalg.norm(sliding))
    change = -share * sliding
    np.testing.assert_allclose(run["ball.velocity"].values[-1], v + change + [0, (1 + e) * 2.0, 0], atol=1e-9)
    turned = omega + np.cross(arm, change) / (0.4 * RADIUS**2)
    np.testing.assert_allclose(run["ball.omega"].values[-1], turned, atol=1e-8)
    rolls = np.linalg.norm(np.cross(turned, arm) * [1, 0, 1] + (v + change) * [1, 0, 1]) < 1e-10
    assert rolls == (mu == 0.8)


def _delassus(angle: float) -> tuple[Floats, Floats, Floats]:
    """Return D of the left end of a rod (normal, tangential), and its two directions."""
    x, y = -0.5 * np.cos(angle), -0.5 * np.sin(angle)
    normal, tangential = np.array([0.0, 1.0, x]), np.array([1.0, 0.0, -y])
    W = np.column_stack((normal, tangential))
    return W.T @ np.diag([1.0, 1.0, 12.0]) @ W, normal, tangential


def _routh(D: Floats, speeds: Floats, e: float, mu: float, steps: int = 30_000) -> Floats:
    """Return the impulses by Stronge's hypothesis: small steps of the normal impulse, friction by its sign."""
    dp = -4.0 * speeds[0] / D[0, 0] / steps
    g, impulses, work, least = speeds.copy(), np.zeros(2), 0.0, 0.0
    for _ in range(100 * steps):
        hold = -D[1, 0] / D[1, 1]
        f = -mu * np.sign(g[1]) if abs(g[1]) > dp * (abs(D[1, 0]) + mu * D[1, 1]) else float(np.clip(hold, -mu, mu))
        step = dp * np.array([1.0, f])
        work += dp * (g[0] + 0.5 * dp * (D[0] @ [1.0, f]))
        g, impulses = g + D @ step, impulses + step
        least = min(work, least)
        if g[0] > 0.0 and work >= (1.0 - e * e) * least:
            break
    return impulses


@pytest.mark.parametrize(
    ("angle", "mu", "forward"),
    [(1.0, 0.2, 0.3), (1.0, 0.4, 0.2), (-0.8, 0.3, 0.5), (0.5, 0.1, -3.0), (1.2, 1.2, 0.5)],
    ids=["reversal", "late reversal", "speeding up", "sliding", "sticking"],
)
def test_a_rod_that_hits_obliquely_by_stronge(angle: float, mu: float, forward: float) -> None:
    e, drop = 0.7, 1.0
    level = 0.3 - 0.5 * np.sin(angle)
    found = gs.simulate(
        rod(),
        0.45,
        initial={"p.y": 0.3, "p.angle": angle, "p.y.rate": -drop, "p.x.rate": forward},
        parameters={"e": e, "mu": mu},
        events=[_floor("stronge", "rod", f"rod.a.y - ({level - 0.3})", None)],
    )
    D, normal, tangential = _delassus(angle)
    impulses = _routh(D, np.array([-drop, forward]), e, mu)
    expected = np.array([forward, -drop, 0.0]) + np.diag([1.0, 1.0, 12.0]) @ (
        normal * impulses[0] + tangential * impulses[1]
    )
    np.testing.assert_allclose(found.u[-1], expected, atol=1e-3)
    before, after = forward**2 + drop**2, found.u[-1] @ np.diag([1, 1, 1 / 12]) @ found.u[-1]
    assert after < before
    reverses = forward * (found.u[-1] @ tangential) < -1e-6
    assert reverses == (angle == 1.0)


def _paradox(law: str) -> gs.Trajectory:
    """A double pendulum whose tip slides over the floor as it hits it (Kane and Levinson, Dynamics, 1985)."""
    upper, lower = 0.35, 0.5  # angles of the bars from the vertical
    depth = np.cos(upper) + np.cos(lower)
    rates = np.array([-0.1, -0.2])  # of the bars
    start = -0.05
    return gs.simulate(
        double_pendulum(),
        times=[0.0, 0.2],
        initial={
            "a1": upper - start * rates[0] * -1,
            "a2": lower - upper - start * (rates[1] - rates[0]) * -1,
            "a1.rate": rates[0],
            "a2.rate": rates[1] - rates[0],
        },
        parameters={"depth": depth, "e": 0.7, "mu": 0.5},
        events=[_floor(law, "tip", "bar2.tip.y + depth", None)],
        integrator=TIGHT,
    )


def test_kanes_paradox_is_reported_and_energy_conserved() -> None:
    with pytest.warns(GyrostatWarning, match="Kane's paradox"):
        run = _paradox("newton")
    (hit,) = run.at_event("tip hits")
    M = run.system.mass_matrix(hit.q)
    assert np.isclose(hit.u_after @ M @ hit.u_after, hit.u @ M @ hit.u, rtol=1e-10)
    # Newton's law as it stands gains energy: sliding, with friction against the sliding after the impact
    W = np.column_stack([_tip(hit.q, axis) for axis in (1, 0)])
    D, speeds = W.T @ np.linalg.solve(M, W), W.T @ hit.u
    e = 0.7
    gains = []
    for f in (-0.5, 0.5):
        size = -(1 + e) * speeds[0] / (D[0] @ [1.0, f])
        u = hit.u + np.linalg.solve(M, W @ [size, f * size])
        if np.sign(W[:, 1] @ u) == -np.sign(f):
            gains.append(u @ M @ u - hit.u @ M @ hit.u)
    stick = hit.u + np.linalg.solve(M, W @ np.linalg.solve(D, [-(1 + e) * speeds[0], -speeds[1]]))
    impulses = np.linalg.solve(D, [-(1 + e) * speeds[0], -speeds[1]])
    if abs(impulses[1]) <= 0.5 * impulses[0]:
        gains.append(stick @ M @ stick - hit.u @ M @ hit.u)
    assert len(gains) == 1
    assert gains[0] > 0.0
    (note,) = run.status.notes
    reduced = -(W[:, 0] @ hit.u_after) / speeds[0]
    assert f"Event 'tip hits' at t = {hit.time:.9g} s: Newton's law with e = 0.7" in note
    assert f"e was reduced to {reduced:.6g}, which conserves it" in note
    assert 0.0 < reduced < 0.7


def _tip(q: Floats, axis: int) -> Floats:
    """Return the derivatives of a coordinate of the tip by the rates."""
    first, second = q[0], q[0] + q[1]
    arms = np.array([[np.cos(first), np.sin(first)], [np.cos(second), np.sin(second)]])[:, axis]
    return np.array([arms.sum(), arms[1]])


@pytest.mark.parametrize("law", ["poisson", "stronge"])
def test_poisson_and_stronge_lose_energy_where_newton_gains(law: str) -> None:
    run = _paradox(law)
    (hit,) = run.at_event("tip hits")
    M = run.system.mass_matrix(hit.q)
    assert hit.u_after @ M @ hit.u_after < 0.999 * (hit.u @ M @ hit.u)
    assert _tip(hit.q, 1) @ hit.u_after > 0.0
    assert run.status.notes == ()


@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize("mu", [0.1, 5.0])
def test_a_plank_that_slides_as_it_lands_flat(law: str, mu: float) -> None:
    e, drop, forward = 0.5, 1.0, 0.8
    events = [_floor(law, end, f"rod.{end}.y", None) for end in "ab"]
    run = gs.simulate(
        rod(),
        0.4,
        initial={"p.y": 0.2, "p.y.rate": -drop, "p.x.rate": forward},
        parameters={"e": e, "mu": mu},
        events=events,
    )
    assert [one.event for one in run.events] == ["a hits", "b hits"]
    expected = max(forward - mu * (1 + e) * drop, 0.0)
    np.testing.assert_allclose(run.u[-1], [expected, e * drop, 0.0], atol=1e-10)


def test_stronges_law_at_contacts_that_influence_each_other_is_refused() -> None:
    events = [_floor("stronge", end, f"rod.{end}.y", None) for end in "ab"]
    with pytest.warns(GyrostatWarning, match=r"Events 'a hits', 'b hits' are impacts at one instant .*law='poisson'"):
        run = gs.simulate(rod(), 1, initial={"p.y": 0.2, "p.y.rate": -1.0, "p.angle": 0.0}, events=events)
    assert run.status.outcome is gs.Outcome.ACTION_FAILED


@pytest.mark.parametrize("law", LAWS)
def test_a_closed_loop_that_hits_a_stop(law: str) -> None:
    """The coupler of a parallelogram, of one freedom: its points move along circles, sliding while they approach.

    By Stronge's hypothesis, sliding reverses with the approach; the rates of change of the angular velocity with the
    normal impulse before and after are in the ratio (a_n + μ a_t) : (a_n − μ a_t), so that the work e² is recovered
    with the factor e √((a_n − μ a_t) / (a_n + μ a_t)). By Newton's it is e.
    """
    e, mu, level = 0.8, 0.3, 0.3
    run = gs.simulate(
        parallelogram(),
        0.4,
        initial={"h1": 0.5, "h1.rate": -1.0},
        parameters={"e": e, "mu": mu},
        events=[_floor(law, "coupler", f"coupler.a.y - {level}", None)],
        integrator=TIGHT,
    )
    (hit,) = run.events
    angle = np.arcsin(level)
    ratio = -hit.u_after[0] / hit.u[0]
    if law == "stronge":
        assert np.isclose(ratio, e * np.sqrt((np.cos(angle) - mu * level) / (np.cos(angle) + mu * level)), rtol=1e-9)
    elif law == "newton":
        assert np.isclose(ratio, e, rtol=1e-9)
    assert 0.0 < ratio <= e * (1 + 1e-9)
    np.testing.assert_allclose(hit.u_after, -ratio * hit.u, atol=1e-9)
    assert np.abs(run.residuals().speed).max() < 1e-9


def test_impacts_of_newtons_cradle_in_sequence() -> None:
    """With small gaps the impacts follow one another: the last ball alone leaves."""
    model = gs.Model("cradle")
    for i in range(4):
        model.add(gs.Body(f"b{i}", gs.sphere(1.0, 0.1)))
        model.add(gs.Prismatic(f"x{i}", "ground", f"b{i}", axis="x", initial=0.201 * i))
    touching = [gs.Event(f"c{i}", f"x{i} - x{i - 1} - 0.2", "falling", gs.Restitution(1.0)) for i in (1, 2, 3)]
    run = gs.simulate(model, 0.1, initial={"x0.rate": 1.0}, events=touching)
    assert [one.event for one in run.events] == ["c1", "c2", "c3"]
    np.testing.assert_allclose(run.u[-1], [0, 0, 0, 1], atol=1e-12)


def test_friction_of_a_ball_on_a_moving_cart() -> None:
    """A disc without spin lands on a heavy cart and rolls on it; momentum and the contact's condition decide."""
    model = gs.Model("cart", parameters={"r": 0.1})
    model.add(gs.Body("cart", mass=3.0, inertia=(1, 1, 1)))
    model.add(gs.Prismatic("s", "ground", "cart", axis="x", initial={"rate": 1.0}))
    model.add(gs.Body("disc", mass=1.0, inertia=(1, 1, 0.005)))
    model.add(gs.Planar("p", "ground", "disc", initial={"y": 0.2, "y.rate": -1.0}))
    bounce = gs.Restitution(0.5, friction=2.0, at=("disc", (0, "-r", 0)), against="cart")
    run = gs.simulate(model, 0.3, events=[gs.Event("lands", "disc.y - cart.y - r", "falling", bounce)])
    # equal and opposite impulses s: 1 − s/3 = s + r (r s / 0.005)
    s = 1 / (1 / 3 + 1 + 0.1**2 / 0.005)
    np.testing.assert_allclose(run.u[-1], [1 - s / 3, s, 0.5, 0.1 * s / 0.005], atol=1e-10)


def test_the_normal_of_a_curved_wall() -> None:
    """A particle inside a circle, whose function is a distance times 3: friction acts along the tangent."""
    model = gs.Model("bowl")
    model.add(gs.Body("grain", mass=1.0, inertia=(1, 1, 1)))
    model.add(gs.Planar("p", "ground", "grain", initial={"x.rate": 0.8, "y.rate": 0.6, "x": 0.28, "y": -0.5}))
    wall = gs.Restitution(0.5, friction=0.1, at="grain")
    event = gs.Event("wall", "3*(1 - sqrt(grain.x**2 + grain.y**2))", "falling", (wall, gs.Stop()))
    run = gs.simulate(model, 3, events=[event], integrator=TIGHT)
    hit = run.events[0]
    normal = hit.q[:2] / np.linalg.norm(hit.q[:2])
    tangent = np.array([-normal[1], normal[0]])
    v, after = hit.u[:2], hit.u_after[:2]
    assert np.isclose(normal @ after, -0.5 * (normal @ v), rtol=1e-11)
    assert np.isclose(tangent @ after, tangent @ v - 0.1 * 1.5 * (normal @ v) * np.sign(tangent @ v), rtol=1e-11)
    assert run.status.outcome is gs.Outcome.STOPPED


def test_sliding_speeds_by_formulas() -> None:
    by_formula = gs.Restitution("e", friction="mu", sliding="p.x.rate + r*p.angle.rate")
    event = gs.Event("ball hits", "p.y - r", "falling", by_formula)
    runs = [
        gs.simulate(
            sphere(spatial=False),
            0.5,
            initial={"p.y": 0.5, "p.y.rate": -2.0, "p.x.rate": 1.0, "p.angle.rate": 40.0},
            events=[one],
        )
        for one in (event, _floor("poisson"))
    ]
    np.testing.assert_allclose(runs[0].u[-1], runs[1].u[-1], rtol=1e-12)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (gs.Event("e", "ball.y - r", "falling", gs.Restitution(1, friction=0.1)), "names the origin of 'ball', a body"),
        (gs.Event("e", "p.y - r", "falling", gs.Restitution(1, friction=0.1)), "names no component of a point.*at="),
        (gs.Event("e", "p.y - r", "falling", gs.Restitution(1, friction=1, at="ball")), "names no point of 'ball'"),
        (
            gs.Event("e", "ball.y", "falling", gs.Restitution(1, friction=1, at="bal")),
            "'bal', which is unknown.*'ball'",
        ),
        (
            gs.Event("e", "ball.y", "falling", gs.Restitution(1, friction=1, at="ball", against="cart")),
            "against 'cart', which is no body",
        ),
        (
            gs.Event("e", "p.y", "falling", gs.Restitution(1, "p.y", friction=1)),
            "acts on the coordinate 'p.y'.*sliding=",
        ),
        (gs.Event("e", "p.y", "falling", gs.Restitution(1, friction=-0.1)), "coefficient of friction of -0.1"),
        (
            gs.Event("e", "p.y", "falling", gs.Restitution(1, friction=1, sliding="p.x.acc")),
            "refers to 'p.x.acc', which needs accelerations",
        ),
    ],
)
def test_contacts_that_are_not_known_are_explained(event: gs.Event, message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        gs.simulate(sphere(spatial=False), 1, events=[event])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"law": "huygens"}, "law 'huygens'. Use one of 'newton', 'poisson', 'stronge'"),
        ({"at": 3}, "acts at 3, which is no contact point"),
        ({"at": "ball", "sliding": "p.x.rate"}, "sliding speeds and a contact point"),
        ({"sliding": ("a", "b", "c")}, "3 sliding speeds"),
        ({"at": "ball", "against": 3}, "against 3, which is not the name of a body"),
    ],
)
def test_faults_of_restitution_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        gs.Restitution(0.5, friction=0.1, **options)


def test_a_function_that_is_not_the_distance_of_the_contact_point_ends_the_motion() -> None:
    event = gs.Event("a hits", "rod.a.y", "falling", gs.Restitution(1, friction=0.1, at="rod.b"))
    with pytest.warns(GyrostatWarning, match="is not the normal speed of the contact point"):
        run = gs.simulate(rod(), 1, initial={"p.y": 0.2, "p.y.rate": -1.0, "p.angle": 0.2}, events=[event])
    assert run.status.outcome is gs.Outcome.ACTION_FAILED


def test_laws_are_enums_and_texts() -> None:
    assert gs.Restitution(0.5).law is gs.ImpactLaw.NEWTON
    assert gs.Restitution(0.5, friction=0.1).law is gs.ImpactLaw.POISSON
    assert gs.Restitution(0.5, law="Stronge") == gs.Restitution(0.5, law=gs.ImpactLaw.STRONGE)
