"""Gauss collocation: symplectic, symmetric, without drift."""

import numpy as np
import pytest
from rooted_trees import density, stage_weights, trees
from runs import (
    SWINGING_START,
    TOP_START,
    double_pendulum,
    drive,
    finish,
    four_bar,
    free_top,
    input_vector,
    make_run,
    stiff_chain,
    to_speeds,
)

import gyrostat as gs
from gyrostat.analysis.integrators import DOP853, RK4, GaussLegendre
from gyrostat.analysis.integrators.gauss_legendre import STAGES
from gyrostat.analysis.kernels.progress import DONE, EVALUATIONS, NOT_CONVERGED
from gyrostat.model.formula import Formula

each = pytest.mark.parametrize("stages", STAGES)


@pytest.fixture(scope="module")
def pendulum():
    return double_pendulum()


@each
def test_order_conditions(stages):
    tableau = GaussLegendre(1.0, stages).tableau
    defects = {
        n: max(abs(tableau.b @ stage_weights(t, tableau.a) - 1 / density(t)) for t in trees(n))
        for n in range(1, 2 * stages + 2)
    }
    assert max(defects[n] for n in range(1, 2 * stages + 1)) < 1e-15
    assert defects[2 * stages + 1] > 1e-5


@each
def test_the_tableau_is_symplectic(stages):
    """Sanz-Serna's condition: b_i a_ij + b_j a_ji = b_i b_j."""
    tableau = GaussLegendre(1.0, stages).tableau
    weighted = tableau.b[:, None] * tableau.a
    np.testing.assert_allclose(weighted + weighted.T, np.outer(tableau.b, tableau.b), atol=1e-17)


@each
def test_the_tableau_is_stable_in_the_left_half_plane_and_keeps_oscillations(stages):
    tableau = GaussLegendre(1.0, stages).tableau
    z = np.array([-0.1, -1e3, -3 + 40j, -1e-3 + 5j])
    assert (np.abs(tableau.stability(z)) < 1).all()
    np.testing.assert_allclose(np.abs(tableau.stability(1j * np.array([0.1, 3.0, 50.0]))), 1.0)


@each
def test_a_step_is_a_symplectic_map(stages, pendulum):
    """JᵀΩJ = Ω for the derivative J of (q, p) ↦ step(q, p), by differences of fourth order."""
    integrator = GaussLegendre(0.05, stages)
    start = make_run(pendulum, integrator, SWINGING_START, 0.15).y

    def three_steps(y):
        run = make_run(pendulum, integrator, SWINGING_START, 0.15)
        run.y[:] = y
        assert drive(run, integrator.stepper(run)) == DONE
        return run.y

    def slope(direction, d=1e-3):
        far, near = (three_steps(start + k * d * direction) - three_steps(start - k * d * direction) for k in (2, 1))
        return (8 * near - far) / (12 * d)

    J = np.array([slope(e) for e in np.eye(4)]).T
    omega = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.eye(2), np.zeros((2, 2))]])
    np.testing.assert_allclose(J.T @ omega @ J, omega, atol=1e-8)


def test_other_methods_are_not_symplectic(pendulum):
    """The test above can fail: with speeds instead of momenta the form is not kept."""
    integrator = RK4(0.05)

    def steps(y):
        run = make_run(pendulum, integrator, y, 0.15)
        assert drive(run, integrator.stepper(run)) == DONE
        return run.y

    J = np.array([(steps(SWINGING_START + 1e-5 * e) - steps(SWINGING_START - 1e-5 * e)) / 2e-5 for e in np.eye(4)]).T
    assert abs(np.linalg.det(J) - 1) > 1e-6


def energies(system, states):
    n_q = system.coordinates.n_q
    found = system.energy(states[:, :n_q], states[:, n_q:])
    return found.kinetic + found.gravity


@pytest.mark.parametrize(("stages", "step", "band"), [(2, 0.01, 1e-6), (3, 0.02, 1e-7)])
def test_energy_stays_in_a_band_over_a_hundred_thousand_steps(stages, step, band, pendulum):
    start = (0.5, -0.3, 0.0, 0.0)
    grid = np.linspace(0.0, 1e5 * step, 4001)[1:] - 0.4 * step
    states = finish(pendulum, GaussLegendre(step, stages), start, 1e5 * step, grid).states
    error = energies(pendulum, states) - energies(pendulum, np.array([start]))
    assert np.abs(error).max() < band
    early, late = np.abs(error[:1000]).max(), np.abs(error[-1000:]).max()
    assert late < 2 * early, "the band does not grow"
    slope = np.polyfit(grid / grid[-1], error, 1)[0]
    assert abs(slope) < 0.1 * np.ptp(error), "no drift in it"


def test_energy_error_falls_with_the_order(pendulum):
    grid = np.linspace(0.1, 20, 200)
    for stages, step in ((1, 0.01), (2, 0.01), (3, 0.02)):
        worst = [
            np.ptp(energies(pendulum, finish(pendulum, GaussLegendre(h, stages), SWINGING_START, 20.0, grid).states))
            for h in (step, step / 2)
        ]
        assert np.log2(worst[0] / worst[1]) == pytest.approx(2 * stages, abs=0.7)


def test_steps_backwards_undo_steps_forwards(pendulum):
    """The method is symmetric: reversing momenta and going on leads back, to rounding."""
    integrator = GaussLegendre(0.02, 2)
    run = make_run(pendulum, integrator, SWINGING_START, 2.0)
    start = run.y.copy()
    drive(run, integrator.stepper(run))
    back = make_run(pendulum, integrator, SWINGING_START, 2.0)
    back.y[:] = run.y * (1, 1, -1, -1)
    drive(back, integrator.stepper(back))
    np.testing.assert_allclose(back.y * (1, 1, -1, -1), start, atol=1e-12)


def test_quadratic_invariants_of_a_free_body():
    """Energy and the size of angular momentum are quadratic in p and stay to rounding, though the step is long."""
    top = free_top()
    grid = np.arange(1.0, 501.0)
    states = finish(top, GaussLegendre(0.1, 2), TOP_START, 500.0, grid).states
    inertia = np.array([1.0, 2.0, 3.0])
    w = states[:, 4:]
    start = np.array(TOP_START[4:])
    np.testing.assert_allclose((inertia * w**2).sum(axis=1), (inertia * start**2).sum(), rtol=1e-12)
    np.testing.assert_allclose((inertia**2 * w**2).sum(axis=1), (inertia**2 * start**2).sum(), rtol=1e-12)


def test_a_step_that_is_too_long_says_so(pendulum):
    integrator = GaussLegendre(1.0)
    finished = finish(pendulum, integrator, SWINGING_START, 5.0, (5.0,))
    assert finished.reason == NOT_CONVERGED
    assert finished.run.time == 0.0
    assert "smaller step than 1 s" in integrator.advice


def test_a_stiff_system_is_not_for_iteration():
    assert finish(stiff_chain(), GaussLegendre(0.01), (0.3, *[0.0] * 9), 1.0).reason == NOT_CONVERGED


def test_starting_values_from_the_last_step_save_iterations(pendulum):
    run = finish(pendulum, GaussLegendre(0.005, 2), SWINGING_START, 1.0).run
    assert run.counts[EVALUATIONS] < 20 * run.steps


def test_closed_loops_are_refused():
    with pytest.raises(gs.StateError, match=r"closed loops and constraints bind.*Use integrator=gs\.DOP853\(\)"):
        gs.simulate(four_bar(), duration=1, initial={"j1": 1.0}, integrator=GaussLegendre(0.01))


@pytest.mark.parametrize("stages", [0, 4, "two", 2.5])
def test_the_number_of_stages_is_one_two_or_three(stages):
    with pytest.raises(gs.StateError, match=r"the number of stages must be 1, 2 or 3"):
        GaussLegendre(0.1, stages)


# --- momenta --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gyrostat():
    """A tree with a driven joint, Euler parameters and all kinds of rotors."""
    model = gs.Model("gyrostat", gravity=(0, 0, -9.81))
    model.add(
        gs.Body(
            "a",
            mass=1.0,
            inertia=(1, 2, 2.5),
            com=(0.1, 0.2, 0.3),
            rotors=(gs.Rotor("given", "z", 0.1, spin="3*t"), gs.Rotor("free", "x", 0.2, free=True)),
        )
    )
    model.add(
        gs.Body("b", mass=2.0, inertia=(1, 1, 1.5), com=(0.1, 0, 0), rotors=(gs.Rotor("h", "y", momentum="2+t"),))
    )
    model.add(gs.Body("c", mass=0.5, inertia=(1, 1, 1), com=(0, 0.3, 0)))
    model.add(gs.Spherical("s", "ground", "a"))
    model.add(gs.Revolute("d", ("a", (1, 0, 0)), "b", axis="x", driven="sin(2*t)"))
    model.add(gs.Revolute("j", ("b", (0, 1, 0)), "c", axis="y"))
    return gs.formulate(model)


@pytest.fixture(scope="module")
def state(gyrostat):
    rng = np.random.default_rng(3)
    y = rng.standard_normal(gyrostat.coordinates.n_q + gyrostat.coordinates.n_u)
    first = gyrostat.coordinate_names.index("s.e0")
    y[first : first + 4] /= np.linalg.norm(y[first : first + 4])
    return y


def test_momenta_are_slopes_of_the_kinetic_energy(gyrostat, state):
    n_q = gyrostat.coordinates.n_q
    q, u = state[:n_q], state[n_q:]
    momenta = gyrostat.program("momenta").loop(input_vector(gyrostat, 0.7, state)[None])[0]

    def kinetic(u):
        return gyrostat.energy(q, u, t=0.7).kinetic

    slopes = [(kinetic(u + 1e-4 * e) - kinetic(u - 1e-4 * e)) / 2e-4 for e in np.eye(len(u))]  # exact for quadratics
    np.testing.assert_allclose(momenta, slopes, atol=1e-9)


def test_speeds_follow_from_momenta(gyrostat, state):
    momenta = gyrostat.program("momenta").loop(input_vector(gyrostat, 0.7, state)[None])[0]
    y = np.concatenate((state[: gyrostat.coordinates.n_q], momenta))
    np.testing.assert_allclose(to_speeds(gyrostat, np.array([0.7]), y[None])[0], state, atol=1e-14)


def test_canonical_rates_are_those_of_forward_dynamics(gyrostat, state):
    n_q = gyrostat.coordinates.n_q
    rates = gyrostat.program("rates").loop(input_vector(gyrostat, 0.7, state)[None])[0]

    def momenta(h):
        return gyrostat.program("momenta").loop(input_vector(gyrostat, 0.7 + h, state + h * rates)[None])[0]

    y = np.concatenate((state[:n_q], momenta(0.0)))
    found = gyrostat.program("canonical_rates").loop(input_vector(gyrostat, 0.7, y)[None])[0]
    np.testing.assert_allclose(found[:n_q], rates[:n_q], atol=1e-14)
    np.testing.assert_allclose(found[n_q:], (momenta(1e-5) - momenta(-1e-5)) / 2e-5, atol=1e-8)


def test_event_functions_over_momenta(gyrostat, state):
    formulas = {"one": Formula.of("j.rate + s.w2"), "two": Formula.of("j*t")}
    expected = gyrostat.signals(formulas).values_and_rates.loop(input_vector(gyrostat, 0.7, state)[None])[0]
    momenta = gyrostat.program("momenta").loop(input_vector(gyrostat, 0.7, state)[None])[0]
    y = np.concatenate((state[: gyrostat.coordinates.n_q], momenta))
    found = gyrostat.canonical_signals(formulas).loop(input_vector(gyrostat, 0.7, y)[None])[0]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_driven_gyrostat_moves_as_with_other_methods(gyrostat, state):
    exact = finish(gyrostat, DOP853(rtol=1e-12, atol=1e-13), state, 1.0, (1.0,)).states
    states = finish(gyrostat, GaussLegendre(5e-3, 3), state, 1.0, (1.0,)).states
    np.testing.assert_allclose(states, exact, atol=1e-9)


@pytest.mark.parametrize("step", [0.02, 0.003])
def test_a_load_that_sets_in_from_rest_is_followed(step: float) -> None:
    """The rates of the step before are zero; those of the next one are not."""
    model = gs.Model("cart")
    model.add(gs.Body("cart", gs.box(2.0, (1, 1, 1))))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Actuator("push", "x"))
    course = {"push": "100*max(0, 1 - abs(t - 0.3)/0.1)"}
    run = gs.simulate(model, 1, step=1, inputs=course, integrator=gs.GaussLegendre(step=step))
    assert run.status.success
    assert run["x.rate"].values[-1] == pytest.approx(5.0, rel=1e-12)


@pytest.mark.parametrize(("course", "rate"), [("abs(t - 0.5)", -3.0), ("where(t > 0.5, t - 0.5, 0)", -1.5)])
def test_the_impulse_of_a_kink_acts_once(course: str, rate: float) -> None:
    """A uniform rod of 1 m that hangs on a driven slider, without gravity."""
    model = gs.Model("slider")
    model.add(gs.Body("slider", gs.box(1.0, (0.1, 0.1, 0.1))))
    model.add(gs.Prismatic("x", "ground", "slider", axis="x", driven=course))
    model.add(gs.Body("rod", gs.slender_rod(1.0, 1.0, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("h", "slider", "rod.top"))
    run = gs.simulate(model, 1, step=1, integrator=gs.GaussLegendre(step=0.002))
    assert run["h.rate"].values[-1] == pytest.approx(rate, rel=1e-9)
