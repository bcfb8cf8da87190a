"""Refusals of results of an approximate solution, with the reason."""

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.analysis.scales import Oscillators, multiple_scales
from gyrostat.analysis.scales.certificate import OriginalEquations
from gyrostat.analysis.scales.continuation import Branches
from gyrostat.program.warning import GyrostatWarning


@pytest.fixture(scope="module")
def forced():
    equation = "x'' + w0**2*x + 2*eps*mu*x' + eps*alpha*x**3 = eps*F*cos(Omega*t)"
    return multiple_scales(Oscillators(equation), 1, ["Omega = w0 + eps*sigma"])


@pytest.fixture(scope="module")
def swinging():
    model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1, "g": 9.81})
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("a1", "ground", "bar.top", symbol="theta"))
    return gs.multiple_scales(model)


def test_certificates_need_values(forced):
    with pytest.raises(gs.StateError, match=r"'eps' has no value\. .* A certificate keeps detunings while the small"):
        forced.certificate(values={"w0": 1.0})


def test_oscillators_have_no_mechanism(forced):
    with pytest.raises(gs.StateError, match=r"were given directly: there is no mechanism\. Use solution\(\)"):
        forced.coordinate("x")


def test_branches_of_what_is_not_there(forced):
    values = {"w0": 1.0, "mu": 0.1, "alpha": 1.0, "F": 1.0, "eps": 0.1}
    branches = forced.continuation("sigma", (-1, 1), values=values)
    with pytest.raises(gs.StateError, match=r"There is no oscillator 'y'\. Known: x\."):
        branches.plot("y")


def test_coordinates_of_a_mechanism(swinging):
    with pytest.raises(gs.StateError, match=r"There is no coordinate 'a2'\. Known: a1\."):
        swinging.coordinate("a2")
    with pytest.raises(gs.StateError, match=r"There is no independent coordinate 'b'\. Known: a1, a1\.rate"):
        swinging.mechanism.modal({"b": 1.0})


def test_a_mechanism_is_expanded_as_far_as_it_is(swinging):
    with pytest.raises(gs.StateError, match=r"was expanded to order 1 and order 3 is requested\. Expand it with"):
        gs.multiple_scales(swinging.mechanism, order=3)


def test_amplitudes_that_grow_beyond_all_bounds():
    """a′ = 3 ε a³/8 has no solution after t = 4/(3 ε a₀²)."""
    growing = multiple_scales(Oscillators("x'' + x = eps*x'**3"))
    with pytest.raises(
        gs.StateError, match="The modulation equations could not be integrated to the end: Required step size"
    ):
        growing.motion(10.0, {"x": 1.0}, values={"eps": 0.5}, step=0.5)


def test_two_detunings_have_no_common_frame():
    equation = "x'' + x + eps*x**3 = eps*F*cos(O1*t) + eps*G*cos(O2*t)"
    found = multiple_scales(Oscillators(equation), 1, ["O1 = 1 + eps*s1", "O2 = 1 + eps*s2"])
    with pytest.raises(gs.StateError, match=r"depend on time: no frame rotates with all of the frequencies O1, O2\."):
        found.steady_states({"F": 1, "G": 1, "s1": 0.1, "s2": 0.3, "eps": 0.1})


def test_original_equations():
    implicit = OriginalEquations(Oscillators("x'' + x = eps*(-x**2*x'' - x*x'**2)"), {"eps": 1.0})
    with pytest.raises(gs.StateError, match=r"Accelerations on the right-hand sides could not be solved for\. Take"):
        implicit.accelerations(0.0, [2.0], [0.0])
    softening = OriginalEquations(Oscillators("x'' + x = eps*x**3"), {"eps": 1.0})
    with pytest.raises(gs.StateError, match="The original equations could not be integrated to the end: Required step"):
        softening.integrate(np.linspace(0, 10, 50), np.array([2.0]), np.array([0.0]))
    with pytest.raises(gs.StateError, match=r"The frequency of x has no value\. Give values for all parameters\."):
        OriginalEquations(Oscillators("x'' + w**2*x = eps*x**3"), {"eps": 1.0})


def test_original_equations_by_hand():
    """x″ = −4 x + 0.5 x² x′ sin(3 t + 0.2) − 0.5 at one state."""
    equations = OriginalEquations(
        Oscillators("x'' + w**2*x = eps*x**2*x'*sin(Omega*t + phi) - eps"),
        {"w": 2.0, "eps": 0.5, "Omega": 3.0, "phi": 0.2},
    )
    (found,) = equations.accelerations(0.7, [0.3], [-1.1])
    assert found == pytest.approx(-4 * 0.3 + 0.5 * 0.09 * -1.1 * np.sin(2.3) - 0.5, rel=1e-14)


def test_a_comparison_that_breaks_off():
    """Far out the law pulls away ever harder, and ends at half a metre."""
    model = gs.Model("pole", gravity=(0, 0, 0), parameters={"k": 1.0})
    model.add(gs.Body("body", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "body", axis="x"))
    model.add(gs.TorsionSpring("law", "x", torque="-k*angle + 4*k*angle**3/sqrt(0.25 - angle**2)"))
    scales = gs.multiple_scales(model)
    expected = (
        r"could not be simulated for the comparison beyond t = 0\.\d+ s: the step became too small\. Take smaller"
    )
    with pytest.warns(GyrostatWarning, match="ended at t"), pytest.raises(gs.StateError, match=expected):
        scales.certificate(initial={"x": 0.45}, small=(1.0, 0.5))


def test_motions_too_large_for_the_expansion():
    ms = gs.multiple_scales(gs.Oscillators("x'' + x + eps*x**2 = 0"), 2)
    with pytest.raises(gs.StateError, match="No amplitudes give these initial values: they are too large for the exp"):
        ms.motion(1.0, {"x": 3.0}, values={"eps": 1.0})


def test_a_plot_of_no_branches():
    with pytest.raises(gs.StateError, match=r"There are no branches to plot\. Take a wider interval or a larger size"):
        Branches("sigma", ()).plot()
