"""Impacts by contact laws: restitution, published cases, the account of energy, and steps that end at touch."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case, value
from contact_models import GRAVITY, RADIUS, adjustable_ball, falling_ball
from scipy.integrate import solve_ivp

import gyrostat as gs
from gyrostat.model.contacts.restitution import impact_damping
from gyrostat.program.warning import GyrostatWarning
from gyrostat.scalar import FloatScalars

TIGHT = gs.DOP853(1e-10, 1e-13)
ADAPTIVE = {"DOP853": gs.DOP853(1e-9, 1e-12), "RKF45": gs.RKF45(1e-9, 1e-12), "Rodas5P": gs.Rodas5P(1e-9, 1e-12)}


@pytest.mark.parametrize("exponent", [1, 1.5, 2])
def test_an_impact_returns_the_asked_part_of_the_speed(exponent: float) -> None:
    system = adjustable_ball(exponent)
    for e in (0.1, 0.3, 0.5, 0.8, 0.95):
        for speed, start in ((0.05, RADIUS), (2.0, 0.3), (30.0, 0.3)):  # also from touch itself
            k = 1e7 * speed ** (2 - exponent)
            initial = {"h": start, "h.rate": -speed}
            motion = gs.simulate(
                system, duration=1 / speed, initial=initial, parameters={"e": e, "k": k}, integrator=TIGHT
            )
            assert motion.u[-1, 0] / speed == pytest.approx(e, abs=1e-6)
            assert motion["c.approach"].values[-1] == pytest.approx(speed, rel=1e-9)


@pytest.mark.parametrize("name", ADAPTIVE)
def test_each_bounce_remembers_its_own_speed(name: str) -> None:
    motion = gs.simulate(
        adjustable_ball(), duration=3.0, step=0.05, initial={"h": 1 + RADIUS}, integrator=ADAPTIVE[name],
        parameters={"g": GRAVITY, "k": 1e9}, events=[gs.Event("apex", "h.rate", "falling")],
    )  # fmt: skip
    apexes = np.array([1.0, *(one.q[0] - RADIUS for one in motion.at_event("apex"))])
    np.testing.assert_allclose(np.sqrt(apexes[1:] / apexes[:-1]), 0.8, atol=1e-3)
    np.testing.assert_allclose(apexes[1:], value(case("bouncing_ball"), "apex_heights"), rtol=0.02)


def test_a_bounce_under_gravity_equals_an_independent_integration() -> None:
    e, k, drop = 0.8, 1e7, 1.0
    speed = np.sqrt(2 * GRAVITY * drop)
    chi = impact_damping(e, FloatScalars()) / speed

    def rates(_, y):
        depth = max(-y[0], 0.0)
        return [y[1], k * depth**1.5 * (1 - chi * y[1]) - GRAVITY]

    def leaves(_, y):
        return y[0]

    leaves.terminal, leaves.direction = True, 1
    alone = solve_ivp(rates, (0, 1), [0.0, -speed], method="DOP853", rtol=1e-12, atol=1e-15, events=leaves)
    motion = gs.simulate(
        adjustable_ball(), duration=1.0, initial={"h": drop + RADIUS}, parameters={"g": GRAVITY, "k": k, "e": e},
        integrator=TIGHT, events=[gs.Event("leave", f"h - {RADIUS}", "rising")],
    )  # fmt: skip
    (leave,) = motion.at_event("leave")
    assert leave.u[0] == pytest.approx(alone.y[1, -1], abs=1e-6)
    assert leave.u[0] / speed == pytest.approx(e, abs=1e-2)


def test_hertz_impact_of_two_steel_spheres() -> None:
    found = case("hertz_sphere_impact")
    given = found["parameters"]
    model = gs.Model("spheres")
    for name in ("a", "b"):
        model.add(gs.Body(name, gs.sphere(given["mass"], given["R"])))
        model.add(gs.Prismatic(f"x_{name}", "ground", name, axis="x"))
    law = gs.Hertz(given["E"], given["nu"], [given["R"]], radii_b=[given["R"]])
    model.add(gs.Contact("c", "a", "b", law))
    events = [gs.Event("touch", "c.gap", "falling"), gs.Event("part", "c.gap", "rising"),
              gs.Event("deepest", "x_b.rate - x_a.rate", "rising")]  # fmt: skip
    initial = {"x_b": 2 * given["R"] + 1e-6, "x_a.rate": 0.5, "x_b.rate": -0.5}
    motion = gs.simulate(model, duration=2e-4, initial=initial, integrator=gs.DOP853(1e-12, 1e-16), events=events)
    times = {name: motion.at_event(name)[0].time for name in ("touch", "part", "deepest")}
    deepest = motion.at([times["deepest"]])
    assert times["part"] - times["touch"] == pytest.approx(value(found, "contact_time"), rel=1e-8)
    assert -deepest["c.gap"].values[-1] == pytest.approx(value(found, "delta_max"), rel=1e-8)
    assert deepest["c.force"].values[-1] == pytest.approx(value(found, "F_max"), rel=1e-8)
    np.testing.assert_allclose(motion.u[-1], [-0.5, 0.5], rtol=1e-8)


def test_the_account_of_energy_closes() -> None:
    motion = gs.simulate(
        adjustable_ball(), duration=2.0, step=0.02, initial={"h": 1 + RADIUS}, parameters={"g": GRAVITY},
        integrator=TIGHT,
    )  # fmt: skip
    account = motion.energy()
    assert np.abs(account.balance).max() < 1e-7
    lost = account.dissipated.sel(damper="c").values
    assert (np.diff(lost) > -1e-9).all()
    assert lost[-1] > 3.0


@pytest.mark.parametrize("integrator", [gs.RK4(step=0.01), gs.RK2(step=0.01), gs.Euler(step=0.01)], ids=str)
def test_fixed_steps_longer_than_the_contact_stop_with_an_explanation(integrator: gs.Integrator) -> None:
    with pytest.warns(GyrostatWarning, match=r"contact 'c' have touched for less than two steps of 0\.01 s"):
        motion = gs.simulate(
            adjustable_ball(), duration=1.0, initial={"h": 1 + RADIUS}, parameters={"g": GRAVITY}, integrator=integrator
        )
    assert motion.status.outcome is gs.Outcome.UNRESOLVED_CONTACT
    assert motion.status.time == pytest.approx(np.sqrt(2 / GRAVITY), abs=0.05)


LAWS = {
    "exponent 1": gs.HuntCrossley(1e4, 1, restitution=0.7),
    "exponent 2": gs.HuntCrossley(1e6, 2, restitution=0.7),
    "Kelvin-Voigt": gs.KelvinVoigt(1e4, 20),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("method", "order"), [(gs.RK4, 4), (gs.RK2, 2)])
def test_errors_fall_with_the_order_across_touch_and_lift_off(law: str, method: type, order: int) -> None:
    system, starts = falling_ball(LAWS[law]), 0.5 + 0.037 * np.arange(5)

    def ends(integrator: gs.Integrator) -> np.ndarray:
        runs = [gs.simulate(system, times=[0, 1.2], initial={"h": h}, integrator=integrator) for h in starts]
        assert all(run.status.switches >= 4 for run in runs)
        return np.array([(run.q[-1, 0], run.u[-1, 0]) for run in runs])

    exact = ends(gs.DOP853(1e-12, 1e-14))
    sizes = np.array([5e-4, 2.5e-4, 1.25e-4])
    errors = [np.sqrt(np.mean((ends(method(step=h)) - exact) ** 2)) for h in sizes]
    assert np.polyfit(np.log(sizes), np.log(errors), 1)[0] > order - 0.2


@pytest.mark.parametrize("method", [gs.DOP853, gs.RKF45, gs.Rodas5P])
def test_a_force_that_is_not_smooth_costs_at_most_twice_as_much_for_the_same_error(method: type) -> None:
    starts, tolerances = 0.5 + 0.031 * np.arange(8), (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)

    def work(law: gs.HuntCrossley) -> tuple[np.ndarray, np.ndarray]:
        """Return the logarithms of errors of the speed and of evaluations, at several tolerances."""
        system = falling_ball(law)

        def runs(integrator: gs.Integrator) -> list[gs.Trajectory]:
            return [gs.simulate(system, times=[0, 1.2], initial={"h": h}, integrator=integrator) for h in starts]

        exact, errors, evaluations = runs(gs.DOP853(1e-13, 1e-16)), [], []
        for tolerance in tolerances:
            found = runs(method(tolerance, 1e-3 * tolerance))
            differences = [abs(one.u[-1, 0] - other.u[-1, 0]) for one, other in zip(found, exact, strict=True)]
            errors.append(np.mean(np.log(differences)))
            evaluations.append(np.log(np.mean([one.status.evaluations for one in found])))
        return np.array(errors), np.array(evaluations)

    errors, evaluations = work(gs.HuntCrossley(1e5, 1, restitution=0.8))
    smooth = np.polynomial.Polynomial.fit(errors, evaluations, 1)
    errors, evaluations = work(gs.HuntCrossley(4e6, 1.5, restitution=0.8))
    assert np.exp(evaluations - smooth(errors)).max() < 2  # 1.71, 1.76, 1.32


def test_stops_of_a_joint_return_the_asked_part_of_the_speed() -> None:
    model = gs.Model("door")
    model.add(gs.Body("door", mass=1, inertia=(1, 1, 2)))
    model.add(gs.Revolute("a", "ground", "door"))
    law = gs.HuntCrossley(1e5, 1, restitution=0.6)
    model.add(gs.JointLimit("stop", "a", law, lower="-30*deg", upper=1.0))
    motion = gs.simulate(model, duration=3.0, initial={"a.rate": 2.0}, integrator=TIGHT)
    assert motion.u[-1, 0] == pytest.approx(2.0 * 0.6**2, rel=1e-7)
    assert motion["stop.upper.approach"].values[-1] == pytest.approx(2.0, rel=1e-9)
    assert motion["stop.lower.approach"].values[-1] == pytest.approx(1.2, rel=1e-7)
    account = motion.energy()
    assert np.abs(account.balance).max() < 1e-8


def test_stops_have_ends_in_order() -> None:
    law = gs.KelvinVoigt(1e3)
    with pytest.raises(gs.ModelError, match=r"it has no ends\. Give lower=…, upper=…, or both\."):
        gs.JointLimit("stop", "a", law)
    with pytest.raises(gs.ModelError, match=r"upper: 1 is not above lower, 2\. Exchange the two\."):
        gs.JointLimit("stop", "a", law, lower=2, upper=1)
