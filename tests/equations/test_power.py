"""Energy balance: the powers of forces, drivers and rotors are the rate of the energy, whatever the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import campaign
from float_system import FloatSystem, float_system
from random_models import random_inputs, random_model
from random_trees import Draw

import gyrostat as gs
from gyrostat.equations.newton_euler import joint_loads
from gyrostat.equations.power import driver_powers, rotor_powers
from gyrostat.kinematics.load_power import force_power

T = 0.6
STEP = 1e-3
WEIGHTS = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))


def _slope(function: Any) -> float:
    return float(sum(w * (function(k * STEP) - function(-k * STEP)) for k, w in WEIGHTS) / STEP)


class Balance:
    """A system in the motion of its forward dynamics at one state."""

    def __init__(self, system: FloatSystem, seed: int) -> None:
        self.system, draw = system, Draw(seed)
        self.q, self.u = draw.state(system.system)
        self.inputs = random_inputs(draw, system.system)
        self.udot = system.forward_dynamics(self.q, self.u, t=T, inputs=self.inputs)
        self.qdot = system.coordinate_rates(self.q, self.u, t=T)

    def along(self, s: float) -> tuple[Any, Any, float, Any]:
        return self.q + s * self.qdot, self.u + s * self.udot, T + s, self.inputs

    def energy_rate(self) -> float:
        def energy(s: float) -> float:
            q, u, t, inputs = self.along(s)
            return self.system.total_energy(q, u, t=t, inputs=inputs)

        return _slope(energy)

    def supplied(self) -> float:
        """The sum of all powers, by plain numbers; rates of stored energies by differences."""
        motion = self.system.motion(*self.along(0.0))
        found = joint_loads(motion, self.udot.tolist())
        powers = [*driver_powers(found).values(), *rotor_powers(found).values()]
        for force in self.system.system.model.forces.values():
            powers.append(force_power(force, motion))
            if force.stores_energy:
                powers.append(_slope(lambda s, f=force: f.potential(self.system.motion(*self.along(s)))))
        return float(sum(powers))

    def scale(self) -> float:
        """The size of what is balanced."""
        motion = self.system.motion(*self.along(0.0))
        found = joint_loads(motion, self.udot.tolist())
        forces = [force_power(force, motion) for force in self.system.system.model.forces.values()]
        every = [1.0, *driver_powers(found).values(), *rotor_powers(found).values(), *forces]
        return float(max(abs(power) for power in every))


@campaign(20)
def test_powers_are_the_rate_of_energy(seed: int) -> None:
    balance = Balance(float_system(random_model(seed, 2 + seed % 4)), seed)
    assert balance.supplied() == pytest.approx(balance.energy_rate(), abs=1e-8 * balance.scale())


@campaign(3)
def test_native_powers_are_the_rate_of_energy(seed: int) -> None:
    balance = Balance(float_system(random_model(40 + seed, 4)), seed)
    system = balance.system.system
    powers = system.powers(balance.q, balance.u, t=T, inputs=balance.inputs)
    assert powers.total == pytest.approx(balance.energy_rate(), abs=1e-8 * balance.scale())
    assert powers.forces.keys() == powers.stored_rates.keys() == system.model.forces.keys()
    assert tuple(powers.drivers) == tuple(system.coordinates.driven)
    motion = balance.system.motion(*balance.along(0.0))
    expected = rotor_powers(joint_loads(motion, balance.udot.tolist()))
    assert tuple(powers.rotors) == tuple(expected)
    for name, power in expected.items():
        assert powers.rotors[name] == pytest.approx(power, rel=1e-9, abs=1e-10)
    loads = system.driver_loads(balance.q, balance.u, t=T, inputs=balance.inputs)
    for name, load in loads.items():
        assert powers.drivers[name] == pytest.approx(load * motion.speed(name), rel=1e-12)


ROTORS: dict[str, dict[str, Any]] = {
    "steady spin": {"inertia": 0.2, "spin": 11.0},
    "changing spin": {"inertia": 0.3, "spin": "5*sin(2*t) + 3*t"},
    "momentum": {"momentum": "0.4 - 0.2*t**2"},
    "momentum and inertia": {"inertia": 0.1, "momentum": "0.4 - 0.2*t**2"},
}


@pytest.mark.parametrize("kind", ROTORS)
def test_motors_of_rotors_are_in_the_balance(kind: str) -> None:
    model = gs.Model("gyrostat", gravity=(0, 0, -9.81))
    wheel = gs.Rotor("wheel", (1, 2, 2), **ROTORS[kind])
    model.add(gs.Body("hull", mass=2, inertia=(1, 2, 2.5), com=(0.1, 0, 0.2), rotors=[wheel]))
    model.add(gs.Universal("joint", ("ground", (0, 0, 1)), "hull"))
    balance = Balance(float_system(model), 1)
    motion = balance.system.motion(*balance.along(0.0))
    power = rotor_powers(joint_loads(motion, balance.udot.tolist()))
    assert abs(power["hull.wheel"]) > 1e-2
    assert power["hull.wheel"] == pytest.approx(balance.energy_rate(), rel=1e-9)


def test_a_motor_spins_a_wheel_up_on_a_turntable() -> None:
    """About one axis: momentum C ω + h is constant, and the motor's torque is ḣ + I ω̇."""
    model = gs.Model("turntable")
    model.add(gs.Body("table", mass=1, inertia=(1, 1, 1.5), rotors=[gs.Rotor("wheel", "z", 0.2, spin="3*t**2")]))
    model.add(gs.Revolute("turn", "ground", "table"))
    powers = gs.formulate(model).powers([0.3], [0.7], t=T)
    wheel_acceleration = 6 * T
    table_acceleration = -0.2 * wheel_acceleration / 1.5
    torque = 0.2 * (wheel_acceleration + table_acceleration)
    assert powers.rotors["table.wheel"] == pytest.approx(torque * 3 * T**2, rel=1e-12)
    assert powers.total == pytest.approx(torque * 3 * T**2, rel=1e-12)


def test_stores_that_change_in_time_and_with_speed() -> None:
    model = gs.Model("store")
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Prismatic("x", "ground", "b", axis="x"))
    model.add(gs.TorsionSpring("spring", "x", "3 + t**2 + x.rate", 0.5, "sin(t)"))
    model.add(gs.Actuator("push", "x"))
    balance = Balance(float_system(model), 4)
    powers = balance.system.system.powers(balance.q, balance.u, t=T, inputs=balance.inputs)
    assert powers.total == pytest.approx(balance.energy_rate(), rel=1e-9)
    assert powers.stored_rates["push"] == 0
    assert powers.forces["push"] == pytest.approx(balance.inputs["push"] * balance.u[0])
    assert powers.nonconservative["push"] == powers.forces["push"]


def test_powers_keep_leading_axes() -> None:
    model = gs.Model("slide")
    model.add(gs.Body("b", mass=2))
    model.add(gs.Prismatic("x", "ground", "b", axis="x"))
    model.add(gs.TorsionSpring("damper", "x", damping=0.5))
    system = gs.formulate(model)
    u = np.linspace(-1, 1, 6).reshape(3, 2, 1)
    powers = system.powers([0.1], u)
    np.testing.assert_allclose(powers.total, -0.5 * u[..., 0] ** 2)
    given = system.powers([0.1], u, [3.0])
    np.testing.assert_allclose(given.nonconservative["damper"], -0.5 * u[..., 0] ** 2)
    bare = gs.Model("bare")
    bare.add(gs.Body("b", mass=2))
    bare.add(gs.Prismatic("x", "ground", "b", axis="x"))
    assert gs.formulate(bare).powers([0.1], [1.0]).total == 0
