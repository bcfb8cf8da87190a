"""Errors fall with the order of the method, on nonlinear motions and with rotations given by Euler parameters."""

import numpy as np
import pytest
from runs import SWINGING_START, TOP_START, double_pendulum, finish, free_top

from gyrostat.analysis.integrators import DOP853, RK2, RK4, RKF45, Euler, GaussLegendre, Rodas4, Rodas5P, RotationUpdate
from gyrostat.analysis.kernels.progress import DONE

FIXED = {
    # method of a step, order, steps that show it above rounding
    "Euler": (Euler, 1, (2e-4, 1e-4)),
    "RK2": (RK2, 2, (4e-3, 2e-3)),
    "RK4": (RK4, 4, (0.02, 0.01)),
    "RKF45": (lambda h, **options: RKF45(step=h, **options), 5, (0.0125, 0.00625)),
    "DOP853": (lambda h, **options: DOP853(step=h, **options), 8, (0.1, 0.05)),
}
GAUSS = {s: (lambda h, s=s: GaussLegendre(h, s), 2 * s, steps) for s, steps in ((1, (0.02, 0.01)), (2, (0.02, 0.01)))}
GAUSS[3] = (lambda h: GaussLegendre(h, 3), 6, (0.04, 0.02))
ROSENBROCK = {
    "Rodas4": (lambda h: Rodas4(step=h), 4, (0.005, 0.0025)),
    "Rodas5P": (lambda h: Rodas5P(step=h), 5, (0.02, 0.01)),
}
EXACT = DOP853(rtol=1e-13, atol=1e-14)


@pytest.fixture(scope="module")
def pendulum():
    return double_pendulum()


@pytest.fixture(scope="module")
def top():
    return free_top()


def slope(system, start, end, method, steps, exact):
    """Return the power of the step with which the largest error at the end falls."""
    errors = []
    for h in steps:
        finished = finish(system, method(h), start, end, (end,))
        assert finished.reason == DONE
        errors.append(np.abs(finished.states - exact).max())
    return np.log2(errors[0] / errors[1]) / np.log2(steps[0] / steps[1])


@pytest.mark.parametrize("name", FIXED)
def test_order_on_a_double_pendulum(name, pendulum):
    method, order, steps = FIXED[name]
    exact = finish(pendulum, EXACT, SWINGING_START, 1.0, (1.0,)).states
    assert slope(pendulum, SWINGING_START, 1.0, method, steps, exact) == pytest.approx(order, abs=0.35)


@pytest.mark.parametrize("stages", GAUSS)
def test_order_of_gauss_methods(stages, pendulum):
    method, order, steps = GAUSS[stages]
    exact = finish(pendulum, EXACT, SWINGING_START, 1.0, (1.0,)).states
    assert slope(pendulum, SWINGING_START, 1.0, method, steps, exact) == pytest.approx(order, abs=0.2)


@pytest.mark.parametrize("update", RotationUpdate)
@pytest.mark.parametrize("name", FIXED)
def test_rotations_do_not_lower_the_order(name, update, top):
    method, order, steps = FIXED[name]
    wide = {4: (0.08, 0.04), 5: (0.1, 0.05), 8: (0.4, 0.2)}.get(order, steps)
    exact = finish(top, EXACT, TOP_START, 4.0, (4.0,)).states

    def with_update(h):
        return method(h, rotations=update)

    found = slope(top, TOP_START, 4.0, with_update, wide, exact)
    assert found > order - 0.4


@pytest.mark.parametrize("stages", GAUSS)
def test_rotations_do_not_lower_the_order_of_gauss_methods(stages, top):
    method, order, _ = GAUSS[stages]
    exact = finish(top, EXACT, TOP_START, 4.0, (4.0,)).states
    assert slope(top, TOP_START, 4.0, method, (0.1, 0.05), exact) > order - 0.3


@pytest.mark.parametrize("name", ROSENBROCK)
def test_order_of_rosenbrock_methods(name, pendulum, top):
    """The error of Rodas4 has a small term of order 4 beside a large one of order 5."""
    method, order, steps = ROSENBROCK[name]
    exact = finish(pendulum, EXACT, SWINGING_START, 1.0, (1.0,)).states
    margin = {"Rodas4": 0.7, "Rodas5P": 0.3}[name]
    assert slope(pendulum, SWINGING_START, 1.0, method, steps, exact) == pytest.approx(order, abs=margin)
    exact = finish(top, EXACT, TOP_START, 4.0, (4.0,)).states
    assert slope(top, TOP_START, 4.0, method, (0.1, 0.05), exact) > order - 0.3


@pytest.mark.parametrize("update", RotationUpdate)
def test_euler_parameters_keep_their_length(update, top):
    states = finish(top, RK4(0.02, rotations=update), TOP_START, 4.0, np.linspace(0.01, 4, 57)).states
    np.testing.assert_allclose((states[:, :4] ** 2).sum(axis=1), 1.0, atol=1e-15 * 4)


def test_both_updates_of_rotations_agree(top):
    states = [
        finish(top, DOP853(rtol=1e-12, atol=1e-13, rotations=update), TOP_START, 4.0, (1.3, 4.0)).states
        for update in RotationUpdate
    ]
    np.testing.assert_allclose(states[0], states[1], atol=1e-10)


@pytest.mark.parametrize("name", ["RK4", "RKF45", "DOP853", "Rodas4", "Rodas5P"])
def test_order_of_dense_output(name, pendulum):
    """Between the ends of a step the error is that of a step whose dense output has its order."""
    method, _, steps = (FIXED | ROSENBROCK)[name]
    dense = {"RK4": 3, "RKF45": 4, "DOP853": 7, "Rodas4": 3, "Rodas5P": 4}[name]
    errors = []
    for h in steps:
        grid = np.arange(1, 8) * h / 8  # in the first step
        exact = finish(pendulum, EXACT, SWINGING_START, h, grid).states
        errors.append(np.abs(finish(pendulum, method(h), SWINGING_START, h, grid).states - exact).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(dense + 1, abs=0.8)


@pytest.mark.parametrize("name", [*FIXED, *GAUSS, *ROSENBROCK])
def test_dense_output_is_continuous(name, pendulum):
    method, _, steps = (FIXED | GAUSS | ROSENBROCK)[name]
    h = steps[0]
    joints = h * np.arange(1, 6)
    grid = np.sort(np.concatenate((joints, joints * (1 + 1e-13), joints * (1 - 1e-13))))
    states = finish(pendulum, method(h), SWINGING_START, 6 * h, grid).states.reshape(5, 3, 4)
    assert np.ptp(states, axis=1).max() < 1e-11
