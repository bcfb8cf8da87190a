"""Classic examples of contact: a tippe top, Newton's cradle, dominoes."""

from __future__ import annotations

import numpy as np
import pytest
import rigid_contact_models as models
from campaign import SOAK
from contact_models import GRAVITY, floor
from scipy.integrate import solve_ivp

import gyrostat as gs

R, OFFSET, MASS, I_1, I_3 = 0.015, 0.003, 0.006, 8e-7, 7e-7
"""The tippe top of Leine and Glocker (2003), without its stem."""


def tippe_top() -> gs.Model:
    """Return a ball whose mass centre lies below its middle, on a rough floor."""
    model = gs.Model("tippe top", gravity=(0, 0, -GRAVITY))
    model.add(floor())
    ball = {"ball": gs.shapes.Sphere(R, at=(0, 0, OFFSET))}
    model.add(gs.Body("top", mass=MASS, inertia=(I_1, I_1, I_3), surfaces=ball))
    model.add(gs.Free("f", "ground", "top"))
    model.add(gs.Contact("c", "top", "ground.floor", gs.HuntCrossley(2e3, 1, chi=20.0), gs.Coulomb(0.3, 0.01)))
    return model


def test_a_tippe_top_inverts_and_keeps_its_jellett_integral() -> None:
    lean, spin = 0.1, 180.0
    height = R - OFFSET * np.cos(lean) - MASS * GRAVITY / 2e3
    initial = {"f.z": height, "f.e0": np.cos(lean / 2), "f.e1": np.sin(lean / 2), "f.w3": spin}
    run = gs.simulate(tippe_top(), duration=8, step=0.1, initial=initial, integrator=gs.DOP853(1e-7, 1e-9))
    e, omega = run["top.quaternion"].values.T, run["top.omega"].values
    axis = np.array(
        [2 * (e[1] * e[3] + e[0] * e[2]), 2 * (e[2] * e[3] - e[0] * e[1]), 1 - 2 * (e[1] ** 2 + e[2] ** 2)]
    ).T
    assert axis[-1, 2] < np.cos(np.radians(165))
    momentum = I_1 * omega + (I_3 - I_1) * np.sum(omega * axis, axis=1)[:, None] * axis
    to_floor = OFFSET * axis - R * np.array([0, 0, 1])  # from the mass centre to the point of contact, of a hard ball
    jellett = -np.sum(momentum * to_floor, axis=1)
    np.testing.assert_allclose(jellett, jellett[0], rtol=4e-3)  # the floor yields by 2e-3 of the radius
    # I₃ ω (R − a) upright, I₃ ω (R + a) upside down
    assert omega[-1, 2] == pytest.approx(spin * (R - OFFSET) / (R + OFFSET), rel=0.02)
    assert run["top"].values[-1, 2] > R + 0.9 * OFFSET
    account = run.energy()
    assert np.diff(account.total.values).max() < 0
    assert abs(account.balance.values).max() < 1e-9


def test_balls_of_steel_in_a_cradle_share_the_impact_by_hertz() -> None:
    radius, speed, count = 0.02, 1.0, 5
    mass = 7800 * 4 / 3 * np.pi * radius**3
    law = gs.Hertz(2.1e11, 0.3, [radius], radii_b=[radius])
    model = gs.Model("cradle")
    for i in range(count):
        model.add(gs.Body(f"b{i}", gs.sphere(mass, radius)))
        model.add(gs.Prismatic(f"x{i}", "ground", f"b{i}", axis="x", initial=2 * radius * i))
    for i in range(count - 1):
        model.add(gs.Contact(f"c{i}", f"b{i}", f"b{i + 1}", law))
    run = gs.simulate(model, duration=5e-4, initial={"x0.rate": speed}, integrator=gs.DOP853(1e-10, 1e-14))

    def rates(_, y):  # in units in which mass, stiffness and speed are 1: the result depends on no number
        force = np.maximum(y[: count - 1] - y[1:count], 0) ** 1.5
        return np.concatenate((y[count:], np.diff(force, prepend=0, append=0) * -1))

    start = np.concatenate((np.zeros(count), [1.0], np.zeros(count - 1)))
    alone = solve_ivp(rates, (0, 60), start, method="DOP853", rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(run.u[-1] / speed, alone.y[count:, -1], atol=1e-7)
    assert run.u[-1, -1] == pytest.approx(0.98878, abs=1e-5)
    assert run.u[-1].sum() == pytest.approx(speed, rel=1e-9)
    assert (run.u[-1] ** 2).sum() == pytest.approx(speed**2, rel=1e-8)


def test_a_row_of_dominoes_falls_with_a_wave_that_tends_to_a_constant_speed() -> None:
    count = 20 if SOAK else 8
    run = gs.simulate(models.hinged_dominoes(count), duration=0.21 + 0.027 * count, integrator=gs.DOP853(1e-9, 1e-11))
    assert run.status.success
    hits = [next(one.time for one in run.events if one.event == f"h{i}.touch") for i in range(count - 1)]
    intervals = np.diff(hits)
    assert (np.diff(intervals) < 1e-6).all()  # the wave gets faster
    assert abs(intervals[-1] / intervals[-2] - 1) < (2e-3 if SOAK else 0.1)  # and tends to a constant speed
    assert np.diff(run.energy().total.values).max() < 1e-12
    assert min(run[f"h{i}.gap"].values.min() for i in range(count - 1)) > -1e-13


@pytest.mark.filterwarnings("ignore:From t =")
@pytest.mark.parametrize("count", [3, 4])
def test_dominoes_that_lean_on_each_other_come_to_rest(count: int) -> None:
    """Loads are indeterminate there, and those of least squares pull: contacts opened and closed for ever."""
    run = gs.simulate(models.hinged_dominoes(count), duration=1, integrator=gs.DOP853(1e-9, 1e-11))
    assert run.status.success
    contacts = [f"h{i}" for i in range(count - 1)] + [f"f{i}" for i in range(1, count)]
    assert min(run[f"{name}.gap"].values.min() for name in contacts) > -1e-13
    assert min(run[f"{name}.force"].values.min() for name in contacts) > -1e-12
    assert np.diff(run.energy().total.values).max() < 1e-10
    np.testing.assert_allclose(run.u[-1], 0.0, atol=1e-12)
