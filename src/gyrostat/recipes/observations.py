"""Observations: recipes for the outputs of a trajectory beside its states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import casadi

from gyrostat.equations.dynamics import joint_loads
from gyrostat.equations.loads import applied_loads
from gyrostat.equations.momentum import momentum
from gyrostat.equations.power import driver_powers, mass_powers, rotor_powers
from gyrostat.kinematics.body_momentum import body_momenta
from gyrostat.kinematics.chords import chord_motion
from gyrostat.kinematics.laws import outputs_of
from gyrostat.kinematics.load_power import force_power
from gyrostat.kinematics.rates import coordinate_accelerations
from gyrostat.kinematics.world import WorldMotion, coordinate_rates
from gyrostat.model.kinds import End
from gyrostat.model.record import Component
from gyrostat.model.state_variable import StateOwner
from gyrostat.recipes.constraints import (
    accelerations,
    acting_loads_of,
    constraint_loads_of,
    constraint_powers_of,
    joint_loads_of,
)
from gyrostat.recipes.motion_in_time import moving_in_time
from gyrostat.recipes.ports import given_rotors
from gyrostat.recipes.states import full_rates, has_states, seeds_of, state_of
from gyrostat.recipes.trace import Trace
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import subtract, total
from gyrostat.scalar.jets import Jet
from gyrostat.scalar.traced import column, symbols


def form_body_motion(trace: Trace) -> dict[str, Any]:
    """Return positions, rotations R_WB row by row, velocities and angular velocities of all moving bodies."""
    return motion_of(trace, [link.body for _, link in trace.motion.tree.bodies])


def motion_of(trace: Trace, bodies: Iterable[str]) -> dict[str, list[Any]]:
    """Return positions, rotations R_WB row by row, velocities and angular velocities of bodies."""
    moving = [trace.motion.end(End(body)) for body in bodies]
    return {
        "positions": [x for body in moving for x in body.position],
        "rotations": [x for body in moving for row in body.rotation for x in row],
        "velocities": [x for body in moving for x in body.velocity],
        "omegas": [x for body in moving for x in body.omega],
    }


def motion_derivatives(trace: Trace, bodies: Iterable[str]) -> dict[str, Any]:
    """Return the derivatives of the motion of bodies by time and by the state, one column for each."""
    moving = column(x for part in motion_of(trace, bodies).values() for x in part)
    wrt = casadi.vertcat(trace.arguments["t"], state_of(trace))
    return {"derivatives": casadi.densify(casadi.jacobian(moving, wrt))}


def form_body_motion_along(trace: Trace) -> dict[str, Any]:
    """Return the derivatives of the outputs of `body_motion`, in order, along a direction in the state."""
    found = column(entry for part in form_body_motion(trace).values() for entry in part)
    return {"derivatives": casadi.densify(casadi.jtimes(found, state_of(trace), seeds_of(trace)))}


def form_body_accelerations(trace: Trace) -> dict[str, Any]:
    """Return accelerations of the origins of all moving bodies, and angular accelerations, in world axes."""
    moving = [trace.motion.end(End(link.body)) for _, link in trace.motion.tree.bodies]
    parts = {
        "accelerations": column(x for body in moving for x in body.velocity),
        "alphas": column(x for body in moving for x in body.omega),
    }
    return {name: casadi.densify(motion_rates(trace, part, trace.arguments["udot"])) for name, part in parts.items()}


def motion_rates(trace: Trace, values: Any, udot: Any) -> Any:
    """Return the total time derivative of values in the motion with rates of the speeds u̇.

    Inputs are constant, but for those that drive coordinates.
    """
    return casadi.jtimes(values, *_moving(trace, udot))


def _moving(trace: Trace, udot: Any) -> tuple[Any, Any]:
    """Return the arguments that change in the motion, and their rates."""
    by_itself, its_rates = moving_in_time(trace)
    rates = column(coordinate_rates(trace.motion.tree, trace.motion.state))
    if has_states(trace):
        by_itself = casadi.vertcat(trace.arguments["z"], by_itself)
        its_rates = casadi.vertcat(full_rates(trace, udot), its_rates)
    return casadi.vertcat(trace.arguments["q"], trace.arguments["u"], by_itself), casadi.vertcat(rates, udot, its_rates)


def form_body_momenta(trace: Trace) -> dict[str, Any]:
    """Return linear momenta of all moving bodies, and angular momenta about their mass centres, in world axes."""
    found = [body_momenta(trace.motion, link.body) for _, link in trace.motion.tree.bodies]
    return {
        "linear": [x for _, linear in found for x in linear],
        "angular": [x for angular, _ in found for x in angular],
    }


def form_inputs(trace: Trace) -> dict[str, Any]:
    """Return the values of the inputs, some of which may be formulas."""
    return {"values": column(trace.motion.state.inputs.values())}


def form_driven(trace: Trace) -> dict[str, Any]:
    """Return driven coordinates with their rates and accelerations."""
    jets = _jets(trace)
    return {
        "values": column(jet.value for jet in jets),
        "rates": column(jet.rate for jet in jets),
        "accelerations": column(jet.acceleration for jet in jets),
    }


def _jets(trace: Trace) -> list[Jet]:
    """Return all driven coordinates in time."""
    motion = trace.motion
    return [motion.state.in_time(formula, motion.tree.value) for formula in motion.tree.coordinates.all_driven.values()]


def form_force_outputs(trace: Trace) -> dict[str, Any]:
    """Return the outputs of all force elements, in the order of `signals.force_outputs`."""
    entries: list[Scalar] = []
    for force in trace.motion.tree.coordinates.topology.model.forces.values():
        observed = outputs_of(trace.motion, force)
        for label, output in force.all_outputs.items():
            entries.extend([observed[label]] if output.size == 1 else observed[label])
    return {"observed": column(entries)}


def form_momentum(trace: Trace) -> dict[str, Any]:
    """Return mass, mass times the mass centre's position, and momenta about the world's origin."""
    found = momentum(trace.motion)
    vectors = {name: column(getattr(found, name)) for name in ("moment", "linear", "angular")}
    return {"mass": column([found.mass]), **vectors}


def form_accelerations(trace: Trace) -> dict[str, Any]:
    """Return the second derivatives of all coordinates, the driven ones last."""
    motion = trace.motion
    free = coordinate_accelerations(motion.tree, motion.state, trace.rates)
    return {"accelerations": column([*free, *(jet.acceleration for jet in _jets(trace))])}


def form_chords(trace: Trace) -> dict[str, Any]:
    """Return the motion in joints that close loops, at given u̇."""
    return chord_parts(trace, trace.arguments["udot"])


def chord_parts(trace: Trace, udot: Any) -> dict[str, Any]:
    """Return coordinates of joints that close loops, their rates and accelerations, their speeds and rates of these.

    Euler parameters measured from a pose have no derivatives where one of them is zero. Accelerations are therefore
    formed as those of an arc: from coordinates, speeds, and the rates of the speeds.
    """

    motion, topology = trace.motion, trace.motion.tree.coordinates.topology
    state, moving = _moving(trace, udot)
    parts: dict[str, list[Any]] = {"values": [], "rates": [], "accelerations": [], "speeds": [], "speed_rates": []}
    for chord in motion.tree.coordinates.measured_joints:
        joint, value = topology.joints[chord], motion.tree.value
        found = chord_motion(motion, joint)
        coordinates = column(found.coordinates)
        speeds = column(joint.measured_speeds(found.coordinates, found.twist, value))
        q, q_entries = symbols("chord_q", len(joint.coordinates))
        u, u_entries = symbols("chord_u", len(joint.speed_labels))
        rates = column(joint.coordinate_rates(q_entries, u_entries, value))
        speed_rates = casadi.jtimes(speeds, state, moving)
        along = casadi.vertcat(rates, speed_rates)
        bending = casadi.jtimes(rates, casadi.vertcat(q, u), along)
        for name, part in (("rates", rates), ("accelerations", bending)):
            parts[name].append(casadi.substitute(part, casadi.vertcat(q, u), casadi.vertcat(coordinates, speeds)))
        parts["values"].append(coordinates)
        parts["speeds"].append(speeds)
        parts["speed_rates"].append(speed_rates)
    return {name: casadi.densify(casadi.vertcat(casadi.SX(0, 1), *part)) for name, part in parts.items()}


def form_powers(trace: Trace) -> dict[str, Any]:
    """Return the power of force elements' loads, the rates of their stored energies, and powers of other motors.

    States that store energy or receive power follow the force elements; their loads have no power.
    """
    motion, arguments = trace.motion, trace.arguments
    coordinates = motion.tree.coordinates
    forces = coordinates.topology.model.forces.values()
    owners = coordinates.topology.model.accounted.values()
    masses = mass_powers(motion, trace.rates)
    known = {name: power.supplied for name, power in masses.items()}
    supplied = {"supplied_powers": column(_supplied(owner, motion, known) for owner in owners)}
    net = {name: subtract(power.supplied, power.lost) for name, power in masses.items()}
    powers = [net[force.name] if force.name in net else force_power(force, motion) for force in forces]
    found = joint_loads_of(trace)
    drivers, rotors = driver_powers(found), rotor_powers(found)
    return {
        "force_powers": column([*powers, *[0] * (len(owners) - len(forces))]),
        "stored_rates": casadi.densify(_stored_rates(trace, owners, _stored_powers(motion, owners), arguments["udot"])),
        "driver_powers": column(drivers[name] for name in coordinates.driven),
        "rotor_powers": column(rotors[name] for name in given_rotors(coordinates)),
        "constraint_powers": column(constraint_powers_of(trace, constraint_loads_of).values()),
        **(supplied if any(owner.supplies_power for owner in owners) else {}),
        **({"carried_powers": column(power.carried for power in masses.values())} if masses else {}),
    }


def form_net_power(trace: Trace) -> dict[str, Any]:
    """Return the rate of kinetic and potential energy by the account of powers: their sum, with u̇ of the motion.

    `flow` is the sum of the absolute powers of elements of networks, which is often far more than the rate.
    """
    motion, coordinates, udot = trace.motion, trace.motion.tree.coordinates, trace.arguments["udot"]
    model = coordinates.topology.model
    powers = _force_powers(motion, trace.rates)
    if coordinates.driven or given_rotors(coordinates):
        loads = joint_loads_of(trace)
        drivers = driver_powers(loads)
        powers += [*(drivers[name] for name in coordinates.driven), *rotor_powers(loads).values()]
    powers += constraint_powers_of(trace, constraint_loads_of).values()
    parts = _stored_powers(motion, model.accounted.values())
    stored = _stored_rates(trace, model.accounted.values(), parts, udot)
    power = casadi.sum1(column(powers)) + casadi.sum1(stored)
    if casadi.depends_on(power, udot):
        power = casadi.substitute(power, udot, column(accelerations(trace)))
    flow = casadi.sum1(casadi.fabs(column(power for powers in parts if powers is not None for power in powers)))
    return {"power": casadi.densify(power), "flow": casadi.densify(flow)}


def form_load_power(trace: Trace) -> dict[str, Any]:
    """Return the rate of kinetic energy and those of gravity and networks by the powers of all loads.

    Springs count as loads. It needs no derivative of an energy, so that rolled code has it; `net_power` counts the
    energies stored in force elements as well.
    """
    motion, coordinates = trace.motion, trace.motion.tree.coordinates
    model = coordinates.topology.model
    shifts = any(element.shifts for element in motion.tree.varying_masses)
    powers = _force_powers(motion, accelerations(trace) if shifts else trace.rates)
    found = _stored_powers(motion, model.states.values())
    powers += [power for parts in found if parts is not None for power in parts]
    if coordinates.driven or given_rotors(coordinates):
        on_bodies = applied_loads(motion, extra=acting_loads_of(trace).total)
        loads = joint_loads(motion, accelerations(trace), on_bodies)
        powers += [*driver_powers(loads).values(), *rotor_powers(loads).values()]
    powers += constraint_powers_of(trace, acting_loads_of).values()
    return {"power": [total(powers)]}


def _stored_powers(motion: WorldMotion, owners: Iterable[StateOwner]) -> list[Sequence[Scalar] | None]:
    """Return for each component the powers that add up to the rate of its stored energy; None if that is unknown."""
    return [owner.stored_powers(motion) if owner.stores_energy else () for owner in owners]


def _stored_rates(
    trace: Trace, owners: Iterable[StateOwner], parts: Iterable[Sequence[Scalar] | None], udot: Any
) -> Any:
    """Return the rates of the stored energies of components: the sums of their powers, or derivatives."""
    pairs = list(zip(owners, parts, strict=True))
    energies = column(owner.potential(trace.motion) if powers is None else 0 for owner, powers in pairs)
    return column(total(powers or ()) for _, powers in pairs) + motion_rates(trace, energies, udot)


def _force_powers(motion: WorldMotion, rates: Sequence[Scalar]) -> list[Scalar]:
    """Return the powers of force elements; of masses that vary, the rate of the system's energy through them."""
    masses, forces = mass_powers(motion, rates), motion.tree.coordinates.topology.model.forces.values()
    return [masses[force.name].net if force.name in masses else force_power(force, motion) for force in forces]


def _supplied(owner: StateOwner, motion: WorldMotion, known: Mapping[str, Scalar]) -> Scalar:
    name = owner.name if isinstance(owner, Component) else ""
    if name in known:
        return known[name]
    return owner.supplied_power(motion) if owner.supplies_power else 0
