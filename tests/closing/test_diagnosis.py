"""States at which there is no finite answer: the error names the coordinate, the body or the element."""

from __future__ import annotations

import re

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.closing.diagnosis import explain_failure


def _refused(system: gs.System, message: str, q: object = None, **arguments: object) -> None:
    n_u = system.coordinates.n_u
    with pytest.raises(gs.StateError, match=message):
        system.forward_dynamics(
            system.initial_coordinates if q is None else q,  # type: ignore[arg-type]
            np.zeros(n_u),
            **arguments,  # type: ignore[arg-type]
        )


def test_a_coordinate_without_inertia() -> None:
    """A point mass on its hinge's axis only where a parameter is zero: the structure cannot show it."""
    model = gs.Model("hinge", gravity=(0, -9.81, 0), parameters={"d": 1.0})
    model.add(gs.Body("bob", gs.point_mass(2), points={"hook": ("d", 0, 0)}))
    model.add(gs.Revolute("hinge", "ground", "bob.hook"))
    system = gs.formulate(model)
    np.testing.assert_allclose(system.mass_matrix([0.0], parameters={"d": 1.0}), [[2.0]])
    _refused(system, r"Speed 'hinge\.rate' moves no mass at this state.*Give the body some", parameters={"d": 0.0})


def test_a_coordinate_without_inertia_but_for_rounding() -> None:
    """On an askew axis the inertia cancels to something near 1e-17, or to nothing: the message is the same.

    Which of them native code meets depends on the machine, hence the explanation is asked for directly.
    """
    model = gs.Model("hinge", gravity=(0, 0, -9.81), parameters={"x": 1.0})
    model.add(gs.Body("bob", gs.point_mass(2), com=("x", 0.2, 0.3)))
    model.add(gs.Revolute("hinge", "ground", "bob", axis=(0.1, 0.2, 0.3)))
    for angle in (0.0, 0.3, 1.1, 2.0):
        error = explain_failure(gs.formulate(model).coordinates, np.array([0.0, angle, 0.0, 0.1]))
        assert "Speed 'hinge.rate' moves no mass at this state" in str(error)


def _slides(axis: object) -> gs.System:
    model = gs.Model("slides", parameters={"c": 1.0, "s": 0.0})
    model.add(gs.Body("first", mass=0))
    model.add(gs.Body("bob", gs.point_mass(2)))
    model.add(gs.Prismatic("x", "ground", "first", axis="x"))
    model.add(gs.Prismatic("y", "first", "bob", axis=axis))
    return gs.formulate(model)


def test_a_singular_position() -> None:
    """Two slides move a bob the same way where parameters bring them into line."""
    error = explain_failure(_slides(("c", "s", 0)).coordinates, np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]))
    assert re.match(r"The mass matrix is singular at this state: a motion in which '[xy]\.rate' takes part", str(error))


def test_speeds_that_move_no_mass_together_at_any_position() -> None:
    _refused(_slides("x"), r"Some speeds move no mass together, so that accelerations cannot be solved for\. Give the")


def test_coordinates_that_are_singular() -> None:
    """First and last axis of a sequence of angles in line."""
    model = gs.Model("gimbal")
    model.add(gs.Body("b", mass=1, inertia=(1, 2, 2.5)))
    model.add(gs.Spherical("j", "ground", "b", angles="zxz"))
    message = (
        r"The coordinates of 'j' are singular at this position: 'j\.angle1\.rate' and 'j\.angle3\.rate' together move"
    )
    _refused(gs.formulate(model), message)


def test_a_spring_whose_ends_coincide() -> None:
    model = gs.Model("spring")
    model.add(gs.Body("bob", gs.point_mass(2)))
    model.add(gs.Prismatic("slide", "ground", "bob", axis="x"))
    model.add(gs.SpringDamper("coil", "ground", "bob", 10.0, 0, 1.0))
    system = gs.formulate(model)
    assert system.forward_dynamics([0.5], [0.0]) == pytest.approx(2.5)
    _refused(system, r"Force 'coil' has no finite value at this state: .* its ends coincide and it has no direction")


def test_ends_that_a_rotation_brings_together() -> None:
    """Sines and cosines that happen to be zero and one must not hide the division."""
    model = gs.Model("spring", gravity=(0, -9.81, 0))
    model.add(gs.Body("arm", mass=2, com=(0.5, 0, 0), inertia=(1, 1, 1), points={"tip": (1, 0, 0)}))
    model.add(gs.Revolute("hinge", "ground", "arm"))
    model.add(gs.SpringDamper("coil", ("ground", (1, 0, 0)), "arm.tip", 10.0, 0, 0.2))
    _refused(gs.formulate(model), "Force 'coil' has no finite value at this state: .* its ends coincide")


@pytest.mark.parametrize(
    ("law", "reason"),
    [
        ("sqrt(angle - 1)", "math domain error"),
        ("1/angle", "it divides by zero"),
        ("log(angle)", "math domain error|expected a positive input"),
        ("exp(1000*cos(angle))", "math range error"),
    ],
)
def test_a_law_without_a_value(law: str, reason: str) -> None:
    model = gs.Model("law")
    model.add(gs.Body("bob", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("hinge", "ground", "bob"))
    model.add(gs.TorsionSpring("motor", "hinge", torque=law))
    _refused(gs.formulate(model), rf"Force 'motor' has no finite value at this state: ({reason})", [0.0])


def test_a_law_that_overflows_quietly() -> None:
    model = gs.Model("law")
    model.add(gs.Body("bob", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("hinge", "ground", "bob"))
    model.add(gs.TorsionSpring("motor", "hinge", torque="1e200*angle*1e200"))
    _refused(
        gs.formulate(model), "Force 'motor' has no finite value at this state: its law gives no finite number", [1.0]
    )


def test_a_driver_without_a_value() -> None:
    model = gs.Model("driver")
    model.add(gs.Body("arm", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Body("bob", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("motor", "ground", "arm", driven="sqrt(t - 1)"))
    model.add(gs.Revolute("hinge", "arm", "bob"))
    _refused(gs.formulate(model), r"A dimension or driven coordinate of the model has no value at t = 0\.5", t=0.5)


def test_speeds_beyond_all_measure() -> None:
    model = gs.Model("pendulum")
    model.add(gs.Body("bob", mass=1, com=(1, 0, 0), inertia=(1, 1, 1)))
    model.add(gs.Free("flight", "ground", "bob"))
    system = gs.formulate(model)
    with pytest.raises(gs.StateError, match=r"are not finite at this state\. Speeds or loads may have overflowed"):
        system.forward_dynamics(system.initial_coordinates, np.full(6, 1e200))


def test_the_first_bad_state_of_many_is_explained() -> None:
    model = gs.Model("spring")
    model.add(gs.Body("bob", gs.point_mass(2)))
    model.add(gs.Prismatic("slide", "ground", "bob", axis="x"))
    model.add(gs.SpringDamper("coil", "ground", "bob", 10.0, 0, 1.0))
    system = gs.formulate(model)
    with pytest.raises(gs.StateError, match=re.escape("Force 'coil'")):
        system.forward_dynamics(np.array([[0.5], [0.2], [0.0]]), [0.0])


def test_energies_and_reactions_fail_alike() -> None:
    model = gs.Model("spring")
    model.add(gs.Body("bob", gs.point_mass(2)))
    model.add(gs.Prismatic("slide", "ground", "bob", axis="x"))
    model.add(gs.SpringDamper("coil", "ground", "bob", 10.0, 0, 1.0))
    system = gs.formulate(model)
    with pytest.raises(gs.StateError, match="Force 'coil'"):
        system.reactions([0.0], [0.0], [0.0])
    with pytest.raises(gs.StateError, match="Force 'coil'"):
        system.inverse_dynamics([0.0], [0.0], [0.0])
    with pytest.raises(gs.StateError, match="Force 'coil'"):
        system.forward_dynamics_derivatives([0.0], [0.0])
    # the length itself is fine where the ends coincide
    assert float(system.energy([0.0], [0.0])) == pytest.approx(5.0)


def test_an_end_of_a_rope_within_a_sheave() -> None:
    model = gs.Model("hoist")
    model.add(gs.Body("load", gs.point_mass(1.0)))
    model.add(gs.Translation("at", "ground", "load", initial={"x": 3.0}))
    path = [("ground", (-2, 0.5, 0)), gs.Pulley("top", "ground", 0.5, "right"), "load"]
    model.add(gs.Reeving("rope", path, length=4, EA=1e6))
    _refused(gs.formulate(model), "Force 'rope' has no finite value .* lies within a sheave", [0.1, 0.0, 0.0])
