"""Observations: recipes for what a trajectory can offer beside its states, at many states at once."""

from __future__ import annotations

from typing import Any

from gyrostat.coordinates import Coordinates
from gyrostat.model.kinds import End
from gyrostat.recipes.trace import Recipe, Trace
from gyrostat.scalar import Scalar
from gyrostat.scalar.jets import Jet


def given_rotors(coordinates: Coordinates) -> tuple[str, ...]:
    """Return the rotors whose motion is given, as body.rotor, in the order of the program of powers."""
    topology = coordinates.topology
    bodies = [topology.model.bodies[name] for name in topology.tree.order[1:]]
    return tuple(f"{body.name}.{rotor.name}" for body in bodies for rotor in body.rotors if not rotor.free)


def _body_motion(trace: Trace) -> dict[str, Any]:
    """Return how the frames of all moving bodies stand and move: rotations R_WB row by row, all in world axes."""
    from gyrostat.scalar.traced import column

    moving = [trace.motion.end(End(link.body)) for _, link in trace.motion.tree.bodies]
    return {
        "positions": column(x for body in moving for x in body.position),
        "rotations": column(x for body in moving for row in body.rotation for x in row),
        "velocities": column(x for body in moving for x in body.velocity),
        "omegas": column(x for body in moving for x in body.omega),
    }


def _inputs(trace: Trace) -> dict[str, Any]:
    """Return the inputs themselves, which are of interest where some of them are formulas."""
    from gyrostat.scalar.traced import column

    return {"values": column(trace.motion.state.inputs.values())}


def _driven(trace: Trace) -> dict[str, Any]:
    """Return driven coordinates with their rates and accelerations."""
    from gyrostat.scalar.traced import column

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


def _force_outputs(trace: Trace) -> dict[str, Any]:
    """Return all that force elements report, one after the other in the order in which elements declare it."""
    from gyrostat.scalar.traced import column

    entries: list[Scalar] = []
    for force in trace.motion.tree.coordinates.topology.model.forces.values():
        observed = force.observed(trace.motion)
        for label, output in force.outputs.items():
            entries.extend([observed[label]] if output.size == 1 else observed[label])
    return {"observed": column(entries)}


def _momentum(trace: Trace) -> dict[str, Any]:
    """Return mass, mass times the mass centre's position, and momenta about the world's origin."""
    from gyrostat.equations.momentum import momentum
    from gyrostat.scalar.traced import column

    found = momentum(trace.motion)
    vectors = {name: column(getattr(found, name)) for name in ("moment", "linear", "angular")}
    return {"mass": column([found.mass]), **vectors}


def _accelerations(trace: Trace) -> dict[str, Any]:
    """Return the second derivatives of all coordinates, the driven ones last."""
    from gyrostat.kinematics.coordinate_accelerations import coordinate_accelerations
    from gyrostat.scalar.traced import column

    motion = trace.motion
    free = coordinate_accelerations(motion.tree, motion.state, trace.rates)
    return {"accelerations": column([*free, *(jet.acceleration for jet in _jets(trace))])}


def _chords(trace: Trace) -> dict[str, Any]:
    """Return the motion in joints that close loops, at given u̇."""
    return chord_parts(trace, trace.arguments["udot"])


def chord_parts(trace: Trace, udot: Any) -> dict[str, Any]:
    """Return coordinates of joints that close loops, their rates and accelerations, their speeds and rates of these.

    Euler parameters measured from a pose have no derivatives where one of them is zero. Accelerations are therefore
    formed as those of an arc: from coordinates, speeds, and the rates of the speeds.
    """
    import casadi

    from gyrostat.kinematics.chords import chord_motion
    from gyrostat.kinematics.world import coordinate_rates
    from gyrostat.scalar.traced import column, symbols

    motion, arguments, topology = trace.motion, trace.arguments, trace.motion.tree.coordinates.topology
    state = casadi.vertcat(arguments["q"], arguments["u"], arguments["t"])
    moving = casadi.vertcat(column(coordinate_rates(motion.tree, motion.state)), udot, 1)
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


def _powers(trace: Trace) -> dict[str, Any]:
    """Return the power of force elements' loads, the rates of their stored energies, and powers of other motors."""
    import casadi

    from gyrostat.equations.power import driver_powers, force_power, rotor_powers
    from gyrostat.kinematics.world import coordinate_rates
    from gyrostat.recipes.constraints import constraint_powers_of, joint_loads_of
    from gyrostat.scalar.traced import column

    motion, arguments = trace.motion, trace.arguments
    coordinates = motion.tree.coordinates
    forces = coordinates.topology.model.forces.values()
    stored = column(force.potential(motion) if force.stores_energy else 0 for force in forces)
    state = casadi.vertcat(arguments["q"], arguments["u"], arguments["t"])
    rates = casadi.vertcat(column(coordinate_rates(motion.tree, motion.state)), arguments["udot"], 1)
    found = joint_loads_of(trace)
    drivers, rotors = driver_powers(found), rotor_powers(found)
    return {
        "force_powers": column(force_power(force, motion) for force in forces),
        "stored_rates": casadi.densify(casadi.jtimes(stored, state, rates)),
        "driver_powers": column(drivers[name] for name in coordinates.driven),
        "rotor_powers": column(rotors[name] for name in given_rotors(coordinates)),
        "constraint_powers": column(constraint_powers_of(trace).values()),
    }


OBSERVATIONS: dict[str, Recipe] = {
    "body_motion": Recipe(_body_motion),
    "inputs": Recipe(_inputs),
    "driven": Recipe(_driven),
    "force_outputs": Recipe(_force_outputs),
    "momentum": Recipe(_momentum),
    "accelerations": Recipe(_accelerations, udot=True),
    "powers": Recipe(_powers, udot=True),
    "chords": Recipe(_chords, udot=True),
}
"""The programs of observations, by name."""
