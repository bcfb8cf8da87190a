"""Regions of stability: known curves, and the growth of steps on both sides."""

import numpy as np
import pytest
from runs import finish

import gyrostat as gs
from gyrostat.analysis.integrators import CVODE, DOP853, RK2, RK4, RKF45, Euler, GaussLegendre

METHODS = [Euler(1.0), RK2(1.0), RK4(1.0), RKF45(), DOP853()]
each = pytest.mark.parametrize("integrator", METHODS, ids=lambda integrator: type(integrator).__name__)


def test_eulers_region_is_a_circle():
    np.testing.assert_allclose(np.abs(gs.stability_boundary(Euler(0.1)) + 1), 1.0, atol=1e-12)


@pytest.mark.parametrize(
    ("integrator", "reach"), [(RK2(1.0), 2.0), (RK4(1.0), 2.785293563405282), (RK4(0.1), 2.785293563405282)]
)
def test_where_curves_meet_the_real_axis(integrator, reach):
    assert gs.stability_boundary(integrator, 4001).real.min() == pytest.approx(-reach, abs=1e-5)


def test_where_the_curve_of_rk4_leaves_the_imaginary_axis():
    """RK4 does not amplify oscillations up to h ω = 2√2."""
    curve = gs.stability_boundary(RK4(1.0), 20001)
    right = curve[(curve.real < 0) & (curve.imag > 2.5)]
    assert right.imag[np.argmax(right.real)] == pytest.approx(2 * np.sqrt(2), abs=1e-3)


@each
def test_the_curve_is_closed_symmetric_and_on_the_edge(integrator):
    curve = gs.stability_boundary(integrator, 501)
    assert len(curve) == 501
    assert abs(curve[0]) < 1e-12
    assert abs(curve[-1]) < 1e-8
    np.testing.assert_allclose(np.abs(integrator.tableau.stability(curve)), 1.0, atol=1e-9)
    np.testing.assert_allclose(curve[::-1].conj(), curve, atol=1e-3)
    inside = integrator.tableau.stability(np.array([0.97 * curve.real.min()]))
    outside = integrator.tableau.stability(np.array([1.03 * curve.real.min()]))
    assert abs(inside[0]) < 1 < abs(outside[0])


@pytest.mark.parametrize(("factor", "grows"), [(0.98, False), (1.02, True)])
@pytest.mark.parametrize(("method", "reach"), [(Euler, 2.0), (RK4, 2.785293563)])
def test_a_damped_slide_decays_or_grows_as_the_region_says(method, reach, factor, grows):
    """ẍ = −λ ẋ is the test equation (003 eq C.5) for the speed."""
    model = gs.Model("slide", gravity=(0, 0, 0))
    model.add(gs.Body("cart", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.TorsionSpring("d", "x", stiffness=0.0, damping=50.0))
    finished = finish(gs.formulate(model), method(factor * reach / 50.0), (0.0, 1.0), 60.0, (60.0,))
    assert (abs(finished.states[-1, 1]) > 1) == grows


def test_methods_without_a_closed_curve_are_refused():
    with pytest.raises(gs.StateError, match=r"CVODE has no region of stability of one step"):
        gs.stability_boundary(CVODE())
    with pytest.raises(gs.StateError, match=r"GaussLegendre is implicit: it is stable in the whole left half-plane"):
        gs.stability_boundary(GaussLegendre(0.1))


def test_the_drawing(tmp_path):
    pytest.importorskip("matplotlib")
    figure = gs.stability_regions({"first": Euler(1.0), "fourth": RK4(1.0)}, tmp_path / "regions.svg")
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels == ["first", "fourth"]
    assert (tmp_path / "regions.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>")
