"""Sensitivities: exact derivatives agree with differences of linear models made anew."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from sensitive_models import half_hexagon, sprung_pendulum

import gyrostat as gs
from gyrostat.analysis.linear.sensitivities.changed import changed_linear_model, matching_mode

MODELS: dict[str, tuple[Any, dict[str, float]]] = {
    "tree": (sprung_pendulum, {"a1": 0.1}),
    "loop": (half_hexagon, {"h1": -np.pi / 3, "h2": np.pi / 3, "h3": np.pi / 3}),
}


@cache
def linear_of(name: str, choice: str = "joint") -> gs.LinearModel:
    build, guess = MODELS[name]
    system = gs.formulate(build(), choice)
    inputs = ["motor"] if name == "tree" else []
    return gs.linearize(system, gs.equilibrium(system, guess=guess), inputs=inputs)


def difference(linear: gs.LinearModel, parameter: str, value: float, quantity: Any) -> Any:
    """Return the derivative of a quantity of linear models by differences."""
    step = 1e-5 * abs(value)
    high, low = (quantity(changed_linear_model(linear, {parameter: value + h})) for h in (step, -step))
    return (high - low) / (2 * step)


@pytest.mark.parametrize(
    ("name", "choice"), [("tree", "joint"), ("tree", "absolute"), ("loop", "joint"), ("loop", "branch")]
)
def test_derivatives_of_eigenvalues_agree_with_differences(name: str, choice: str) -> None:
    linear = linear_of(name, choice)
    for mode in linear.modes():
        found = linear.sensitivity(mode)
        assert found.parameters == tuple(linear.system.model.parameters)
        for i, parameter in enumerate(found.parameters):

            def of(changed: gs.LinearModel, quantity: str) -> complex:
                return getattr(matching_mode(mode, changed), quantity)  # noqa: B023

            for quantity in ("eigenvalue", "frequency", "undamped_frequency", "damping_ratio"):
                expected = difference(linear, parameter, found.values[i], lambda changed, q=quantity: of(changed, q))
                assert getattr(found, quantity)[i] == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_scaling_laws_hold_exactly() -> None:
    """Frequencies go with √g and, all lengths alike, with 1/√l; masses do not matter (p/f₀ df₀/dp are the powers)."""
    linear = linear_of("loop")
    found = linear.sensitivity(0, ["g", "l", "b", "m", "c"])
    g, length, b, m, c = found.relative_undamped_frequency
    assert g == pytest.approx(0.5, abs=1e-9)
    assert length + b == pytest.approx(-0.5, abs=1e-9)
    assert m == pytest.approx(0.0, abs=1e-9)
    assert c == pytest.approx(0.0, abs=1e-9)


def test_the_shape_and_the_second_derivative_agree_with_differences() -> None:
    linear = linear_of("tree")
    mode = linear.modes()[0]
    found = linear.sensitivity(mode, ["l2"])
    expected = difference(linear, "l2", 1.0, lambda changed: matching_mode(mode, changed).motion)
    assert found.shape("l2").values == pytest.approx(expected, rel=1e-5, abs=1e-7)

    def first(changed: gs.LinearModel) -> complex:
        return complex(changed.sensitivity(matching_mode(mode, changed), ["l2"]).eigenvalue[0])

    assert found.second("l2") == pytest.approx(difference(linear, "l2", 1.0, first), rel=1e-6)


def test_the_equilibrium_moves_as_differences_say() -> None:
    linear = linear_of("tree")
    found = linear.point_sensitivity(["k", "a0", "m2"])
    for parameter in ("k", "a0", "m2"):
        value = linear.system.model.values()[parameter]
        expected = difference(linear, parameter, value, lambda changed: changed.point.q)
        assert found.sel(parameter=parameter).values == pytest.approx(expected, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize(
    "output", ["a2", "bar2.tip.acc.y", "a1.force.x", "a2.rate + 2*bar2.omega.z*l2", "spring.force"]
)
def test_responses_change_as_differences_say(output: str) -> None:
    linear = linear_of("tree")
    hertz = [0.3, 0.6, 2.0]
    found = linear.response_sensitivity("motor", output, hertz, ["l2", "c", "k"])
    observed = gs.linearize(linear.system, linear.point, inputs=["motor"], outputs=[output])
    response = observed.frequency_response(hertz).values.values[:, 0, 0]
    np.testing.assert_allclose(found["response"], response, rtol=1e-8, atol=1e-10)
    for parameter in ("l2", "c", "k"):
        value = linear.system.model.values()[parameter]

        def response(changed: gs.LinearModel) -> Any:
            return changed.response_sensitivity("motor", output, hertz, [])["response"].values

        expected = difference(linear, parameter, value, response)
        assert found["sensitivity"].sel(parameter=parameter).values == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_a_repeated_eigenvalue_splits() -> None:
    """Two equal oscillators: one follows each parameter, the other does not."""
    model = gs.Model("two slides", parameters={"k1": 40.0, "k2": 40.0, "m": 10.0})
    for i in (1, 2):
        model.add(gs.Body(f"b{i}", gs.point_mass("m")))
        model.add(gs.Prismatic(f"s{i}", "ground", f"b{i}", axis="x"))
        model.add(gs.TorsionSpring(f"k{i}_spring", f"s{i}", stiffness=f"k{i}"))
    linear = gs.linearize(model, {"s1": 0.0})
    mode = linear.modes()[0]
    assert mode.multiplicity == 2
    found = linear.sensitivity(mode, ["k1", "m"])
    omega = 2.0
    assert sorted(found.split[0].imag) == pytest.approx([0.0, omega / 80], abs=1e-9)
    assert found.split[1].imag == pytest.approx([-omega / 20] * 2, abs=1e-9)
    with pytest.raises(gs.StateError, match="occurs 2 times; any combination of its shapes is one"):
        found.shape("m")


def test_what_has_no_sensitivity_is_explained() -> None:
    linear = linear_of("tree")
    with pytest.raises(gs.StateError, match=r"There is no parameter 'l9' to be sensitive to\. Known: a0, c"):
        linear.sensitivity(0, ["l9"])
    with pytest.raises(gs.StateError, match=r"The output 'bar2\.tip' is a vector\. Use a component: bar2\.tip\.x"):
        linear.response_sensitivity("motor", "bar2.tip", [1.0])
    with pytest.raises(gs.StateError, match="There is no input 'l1' of this linear model"):
        linear.response_sensitivity("l1", "a1", [1.0])
    free = gs.Model("slide", parameters={"m": 1.0})
    free.add(gs.Body("body", gs.point_mass("m")))
    free.add(gs.Prismatic("s", "ground", "body", axis="x"))
    with pytest.raises(gs.StateError, match="Mode 0 has the eigenvalue zero, which no parameter changes"):
        gs.linearize(free, {"s": 0.0}).sensitivity(0)
    free.add(gs.TorsionSpring("law", "s", stiffness="m", damping="2*m"))
    with pytest.raises(gs.StateError, match="Mode 0 has a defective eigenvalue, 2 times with 1 eigenvectors"):
        gs.linearize(free, {"s": 0.0}).sensitivity(0)


def test_motions_that_turn_in_space_have_none() -> None:
    """The nutation of a free symmetric body: its linear model is constant only in axes that do not spin."""
    model = gs.Model("spinning", parameters={"I": 3.0})
    model.add(gs.Body("body", mass=1, inertia=(2, 2, "I")))
    model.add(gs.Free("flight", "ground", "body"))
    system = gs.formulate(model)
    linear = gs.linearize(system, gs.steady_motion(system, {"flight.w3": 2.0}))
    (nutation,) = [mode for mode in linear.modes() if mode.eigenvalue != 0]
    assert nutation.eigenvalue.imag == pytest.approx(3.0)
    expected = (
        rf"eigenvalue of mode {nutation.number} is not one of the equations in axes fixed in space.*gs\.root_locus"
    )
    with pytest.raises(gs.StateError, match=expected):
        linear.sensitivity(nutation)


def test_steady_motions_are_not_found_again() -> None:
    """The second derivative needs the operating point at other parameters, which only equilibria have."""
    model = gs.Model("conical pendulum", gravity=(0, 0, -9.81), parameters={"l": 1.0})
    model.add(gs.Body("arm", mass=0.1, inertia=(0.1, 0.1, 0.1)))
    model.add(gs.Body("bob", gs.point_mass(1)))
    model.add(gs.Revolute("turn", "ground", "arm", axis="z"))
    model.add(gs.Revolute("swing", "arm", ("bob", (0, 0, "l")), axis="y"))
    system = gs.formulate(model)
    linear = gs.linearize(system, gs.steady_motion(system, {"turn.rate": 5.0}, guess={"swing": 0.8}))
    (swinging,) = [mode for mode in linear.modes() if mode.oscillates]
    with pytest.raises(
        gs.StateError, match=r"Only equilibria are found again when parameters change\. Linearize steady"
    ):
        linear.sensitivity(swinging, ["l"]).second("l")


def test_a_mode_that_is_gone_is_not_recognised() -> None:
    """Strong damping leaves no oscillation of the spring."""
    linear = linear_of("tree")
    mode = linear.modes()[1]
    stiff = changed_linear_model(linear, {"c": 1e4})
    with pytest.raises(gs.StateError, match="Mode 1 cannot be recognised after the change of parameters: no shape is"):
        matching_mode(mode, stiff)


def test_tables_name_the_parameters() -> None:
    found = linear_of("tree").sensitivity(1, ["m1", "k"])
    assert list(found.table().index) == ["m1", "k"]
    assert str(found).splitlines()[0].startswith("Sensitivity of mode 1, undamped frequency f₀ = 1.9225 Hz")
    assert "  m1 " in str(found)


def test_the_table_is_of_undamped_frequencies_throughout() -> None:
    """A strongly damped slide: f₀ = √(k/m)/2π, whose derivative by damping is zero, that of the damped one not."""
    model = gs.Model("slide", parameters={"m": 2.0, "k": 8.0, "c": 4.0})
    model.add(gs.Body("body", gs.point_mass("m")))
    model.add(gs.Prismatic("x", "ground", "body", axis="x"))
    model.add(gs.TorsionSpring("spring", "x", stiffness="k", damping="c"))
    found = gs.linearize(gs.formulate(model)).sensitivity(0, wrt=["m", "k", "c"])
    _, header, *rows = str(found).splitlines()
    assert header.split("  ")[-3:] == ["df₀/dp (Hz)", "p/f₀ df₀/dp", "dζ/dp"]
    f0 = 1 / np.pi
    expected = {"m": (-f0 / 4, -0.5), "k": (f0 / 16, 0.5), "c": (0.0, 0.0)}
    for row in rows:
        name, *_, change, relative, _ = row.split()
        assert (float(change), float(relative)) == pytest.approx(expected[name], rel=1e-5, abs=1e-12)
    table = found.table()
    assert "frequency" not in table.columns
    assert table["relative_undamped_frequency"]["k"] == pytest.approx(0.5)
    assert found.frequency[2] < -0.01
