"""Which coordinates an actuator or a torsion spring may act on."""

from __future__ import annotations

import numpy as np
import pytest
from float_system import float_system

import gyrostat as gs


def _satellite(*forces: gs.Actuator | gs.TorsionSpring, **rotor: object) -> gs.Model:
    model = gs.Model("satellite")
    wheel = gs.Rotor("wheel", "z", 0.2, **rotor)
    model.add(gs.Body("hull", mass=3, inertia=(1, 2, 3), rotors=[wheel]))
    model.add(gs.Free("flight", "ground", "hull"))
    for force in forces:
        model.add(force)
    return model


@pytest.mark.parametrize("coordinate", ["flight.x", "flight.e2"])
def test_loads_on_coordinates_whose_rates_are_no_speeds_are_refused(coordinate: str) -> None:
    for force in (gs.Actuator("motor", coordinate), gs.TorsionSpring("spring", coordinate, 2.0)):
        with pytest.raises(gs.ModelError, match=r"(?s)joint 'flight' are not rates .*no load acts on .*angles='zxz'"):
            _satellite(force, free=True).check()


def test_spherical_joints_with_angles_take_loads() -> None:
    model = gs.Model("ball")
    model.add(gs.Body("hull", mass=3, inertia=(1, 2, 3)))
    model.add(gs.Spherical("socket", "ground", "hull", angles="zxy"))
    model.add(gs.Actuator("motor", "socket.angle2"))
    model.check()


def test_loads_on_a_rotor_with_given_spin_are_refused() -> None:
    with pytest.raises(gs.ModelError, match=r"(?s)rotor 'wheel' of body 'hull' has a prescribed motion.*free=True"):
        _satellite(gs.Actuator("motor", "hull.wheel"), spin=3.0).check()


def test_an_unknown_rotor_is_refused() -> None:
    with pytest.raises(gs.ModelError, match="refers to joint 'hull', which is not in the model"):
        _satellite(gs.Actuator("motor", "hull.wheal"), free=True).check()


def test_actuator_spring_and_formula_act_on_a_free_rotor() -> None:
    """By hand: axial inertia A of the wheel, C of the hull, wheel included: A(ω̇ + ṡ) = τ and Cω̇ + Aṡ = 0 about z."""
    model = _satellite(
        gs.Actuator("motor", "hull.wheel"),
        gs.TorsionSpring("spring", "hull.wheel", 2.0, 0.5, torque="3*hull.wheel.rate**2"),
        free=True,
    )
    system = float_system(model)
    q, u = system.system.initial_coordinates, np.zeros(7)
    q[-1], u[-1] = 0.3, 0.7
    torque = 1.1 - 2.0 * 0.3 - 0.5 * 0.7 + 3 * 0.7**2
    found = system.forward_dynamics(q, u, inputs={"motor": 1.1})
    turning = -torque / (3 - 0.2)
    np.testing.assert_allclose(found[[2, 6]], [turning, torque / 0.2 - turning], rtol=1e-13)
