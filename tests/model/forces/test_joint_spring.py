"""JointSpring: one element for slides and hinges; Force and Torque with a body that bears the reaction."""

from __future__ import annotations

import numpy as np
import pytest

import gyrostat as gs


def _slide(spring: gs.JointSpring) -> gs.Model:
    model = gs.Model("slide", parameters={"k": 50.0})
    model.add(gs.Body("b", mass=2, inertia=(1, 1, 1)))
    model.add(gs.Cylindrical("c", "ground", "b", axis="z"))
    model.add(spring)
    return model


def test_a_spring_on_a_slide_and_on_a_hinge() -> None:
    times = np.linspace(0, 1, 5)
    run = gs.simulate(
        _slide(gs.JointSpring("s", "c.displacement", "k", 0, length=0.1)), times=times, initial={"c.displacement": 0.3}
    )
    np.testing.assert_allclose(run["c.displacement"], 0.1 + 0.2 * np.cos(5 * times), atol=1e-8)
    assert run["s.force"].attrs["units"] == "N"
    run = gs.simulate(_slide(gs.JointSpring("s", "c.angle", 9, angle=-0.5)), times=times)
    np.testing.assert_allclose(run["c.angle"], -0.5 + 0.5 * np.cos(3 * times), atol=1e-8)
    assert run["s.force"].attrs["units"] == "N·m"
    np.testing.assert_allclose(run["s.energy"], 4.5 * (run["c.angle"] + 0.5) ** 2, atol=1e-12)


def test_its_law_equals_that_of_a_torsion_spring() -> None:
    first = _slide(gs.JointSpring("s", "c.angle", 3, 0.5, angle=0.2, force="sin(angle) - 0.1*rate**3 + length"))
    second = _slide(gs.TorsionSpring("s", "c.angle", 3, 0.5, 0.2, "sin(angle) - 0.1*rate**3 + angle"))  # type: ignore[arg-type]
    q, u = np.random.default_rng(1).normal(size=(2, 5, 2))
    found, expected = (gs.formulate(model).forward_dynamics(q, u) for model in (first, second))
    np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "force 's': it has no stiffness, damping or force. Give at least one"),
        ({"stiffness": 1, "length": 1, "angle": 1}, "it has a natural length and a natural angle. Give the one"),
        (
            {"stiffness": 1, "length": 1},
            r"force 's', length: the coordinate 'c.angle' is an angle, which has no length",
        ),
    ],
)
def test_faults_are_explained(given: dict[str, object], message: str) -> None:
    with pytest.raises(gs.ModelError, match=message):
        _slide(gs.JointSpring("s", "c.angle", **given)).check()  # type: ignore[arg-type]


def test_an_angle_on_a_slide_is_refused() -> None:
    with pytest.raises(gs.ModelError, match=r"the coordinate 'c\.displacement' is a displacement, which has no angle"):
        _slide(gs.JointSpring("s", "c.displacement", 1, angle=1)).check()


def _pair(*forces: gs.Force | gs.Torque) -> gs.Model:
    model = gs.Model("pair")
    for name in ("a", "b"):
        model.add(gs.Body(name, mass=1.5, inertia=(0.2, 0.3, 0.4), points={"p": (0.1, 0.2, -0.3)}))
        model.add(gs.Free(f"{name}_motion", "ground", name))
    for force in forces:
        model.add(force)
    return model


def test_a_load_and_its_reaction_have_no_resultant() -> None:
    push = gs.Force("push", "a.p", ("3*t", -2, 1), axes="body", reaction="b.p")
    twist = gs.Torque("twist", "a", (1, "t", 0.5), reaction="b")
    run = gs.simulate(_pair(push, twist), 1, initial={"b_motion.x": 0.7, "a_motion.w1": 2})
    momentum = run.momentum()
    for part in ("linear", "angular"):
        change = momentum[part] - momentum[part][0]
        assert np.abs(change).max() < 1e-8
    assert np.abs(run["a.momentum"].values[-1]).max() > 1
    assert np.abs(run.energy().balance).max() < 1e-8


def test_a_load_and_its_reaction_on_one_body_cancel() -> None:
    for force in (gs.Force("f", "a.p", (1, 0, 0), reaction="a"), gs.Torque("f", "a", (1, 0, 0), reaction="a")):
        with pytest.raises(gs.ModelError, match="force 'f', reaction: body 'a' bears both the load and its reaction"):
            _pair(force).check()
