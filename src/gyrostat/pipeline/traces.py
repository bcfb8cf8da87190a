"""Traces: the formulas of mechanics run once on the traced engine, giving the function that a program is made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gyrostat.coordinates import Coordinates
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.formula import Formula
from gyrostat.pipeline.observations import OBSERVATIONS
from gyrostat.scalar import Scalar

ARGUMENTS = ("t", "q", "u", "z", "parameters", "inputs")
"""The inputs that every program of a system has, in order; z are first-order states of components."""


@dataclass(frozen=True)
class Trace:
    """A system at a symbolic state: the arguments as columns, and the motion whose formulas are asked for."""

    arguments: dict[str, Any]
    motion: WorldMotion
    rates: list[Scalar]
    """u̇ as symbols, for what depends on it."""


def begin_trace(coordinates: Coordinates) -> Trace:
    """Return a system at a symbolic state."""
    from gyrostat.kinematics.link import build_tree
    from gyrostat.kinematics.state import State
    from gyrostat.model.evaluator import Evaluator
    from gyrostat.scalar.traced import TracedScalars, symbols

    model = coordinates.topology.model
    inputs = model.inputs
    sizes = {
        "t": 1,
        "q": coordinates.n_q,
        "u": coordinates.n_u,
        "z": 0,
        "parameters": len(model.parameters),
        "inputs": len(inputs),
        "udot": coordinates.n_u,
    }
    columns: dict[str, Any] = {}
    entries: dict[str, list[Scalar]] = {}
    for name, size in sizes.items():
        columns[name], entries[name] = symbols(name, size)
    values = dict(zip(model.parameters, entries["parameters"], strict=True))
    tree = build_tree(coordinates, Evaluator(TracedScalars(), values.__getitem__))
    state = State(entries["q"], entries["u"], entries["t"][0], dict(zip(inputs, entries["inputs"], strict=True)))
    return Trace(columns, WorldMotion.of(tree, state), entries["udot"])


@dataclass(frozen=True)
class Recipe:
    """What a program computes: output columns by name, from a trace; with `udot`, accelerations are an input too."""

    outputs: Callable[[Trace], dict[str, Any]]
    udot: bool = False


def build_function(
    name: str, recipe: Recipe, coordinates: Coordinates, inputs: Mapping[str, Formula] | None = None
) -> Any:
    """Return the function of a recipe, with named inputs and outputs; some of the system's inputs may be formulas."""
    import casadi

    arguments = [*ARGUMENTS, *(("udot",) if recipe.udot else ())]
    trace = begin_trace(coordinates)
    if inputs:
        from gyrostat.pipeline.input_formulas import with_input_formulas

        trace = with_input_formulas(trace, inputs)
    outputs = recipe.outputs(trace)
    columns = [trace.arguments[argument] for argument in arguments]
    return casadi.Function(name, columns, list(outputs.values()), arguments, list(outputs))


def _rates(trace: Trace) -> dict[str, Any]:
    from gyrostat.equations.articulated_body import forward_dynamics
    from gyrostat.kinematics.world import coordinate_rates
    from gyrostat.scalar.traced import column

    motion = trace.motion
    return {"qdot": column(coordinate_rates(motion.tree, motion.state)), "udot": column(forward_dynamics(motion))}


def _forward_dynamics(trace: Trace) -> dict[str, Any]:
    from gyrostat.equations.articulated_body import forward_dynamics
    from gyrostat.scalar.traced import column

    return {"udot": column(forward_dynamics(trace.motion))}


def _inverse_dynamics(trace: Trace) -> dict[str, Any]:
    from gyrostat.equations.newton_euler import inverse_dynamics
    from gyrostat.scalar.traced import column

    return {"loads": column(inverse_dynamics(trace.motion, trace.rates))}


def _mass_matrix(trace: Trace) -> dict[str, Any]:
    from gyrostat.equations.composite_body import mass_matrix

    return {"mass_matrix": symmetric_sx(mass_matrix(trace.motion), len(trace.rates))}


def symmetric_sx(entries: dict[tuple[int, int], Scalar], size: int) -> Any:
    """Return a sparse symmetric SX matrix from the entries of its lower half."""
    import casadi

    from gyrostat.scalar.traced import as_sx

    matrix = casadi.SX(size, size)
    for (i, j), entry in entries.items():
        matrix[i, j] = as_sx(entry)
        matrix[j, i] = as_sx(entry)
    return matrix


def _energy(trace: Trace) -> dict[str, Any]:
    from gyrostat.equations.energy import energy
    from gyrostat.scalar.traced import column

    found = energy(trace.motion)
    return {
        "kinetic": column([found.kinetic]),
        "gravity": column([found.gravity]),
        "stored": column(found.stored.values()),
    }


def _poses(trace: Trace) -> dict[str, Any]:
    from gyrostat.scalar.traced import column
    from gyrostat.spatial import apply, plus, product

    motion = trace.motion
    rotations: list[Scalar] = []
    positions: list[Scalar] = []
    for i, link in motion.tree.bodies:
        pose = motion.pose(i)
        rotations.extend(x for row in product(pose.R_WH, link.R_HB) for x in row)
        positions.extend(plus(pose.r_WH_W, apply(pose.R_WH, link.r_HB_H)))
    return {"rotations": column(rotations), "positions": column(positions)}


def _reactions(trace: Trace) -> dict[str, Any]:
    from gyrostat.equations.newton_euler import driver_loads, joint_loads, reaction
    from gyrostat.scalar.traced import column
    from gyrostat.spatial import apply

    motion = trace.motion
    found = joint_loads(motion, trace.rates)
    forces: list[Scalar] = []
    moments: list[Scalar] = []
    for i, _ in motion.tree.bodies:
        R_WH, load = motion.pose(i).R_WH, reaction(found, i)
        forces.extend(apply(R_WH, load.force))
        moments.extend(apply(R_WH, load.moment))
    drivers = driver_loads(found)
    order = motion.tree.coordinates.driven
    return {"forces": column(forces), "moments": column(moments), "drivers": column(drivers[name] for name in order)}


def _derivatives(trace: Trace) -> dict[str, Any]:
    """Return ∂u̇/∂(q, u, inputs) as −M⁻¹ ∂(inverse dynamics): shorter by far than differentiating the recursion."""
    import casadi

    from gyrostat.equations.articulated_body import forward_dynamics
    from gyrostat.equations.composite_body import factorise, mass_matrix
    from gyrostat.equations.newton_euler import inverse_dynamics
    from gyrostat.scalar.traced import Traced, as_sx, column

    motion = trace.motion
    loads = column(inverse_dynamics(motion, trace.rates))
    factor = factorise(motion, mass_matrix(motion))
    rates = column(forward_dynamics(motion))
    outputs: dict[str, Any] = {"udot": rates}
    for name in ("q", "u", "inputs"):
        slopes = casadi.substitute(casadi.jacobian(loads, trace.arguments[name]), trace.arguments["udot"], rates)
        rows, columns = slopes.shape
        solved = casadi.SX(rows, columns)
        for j in range(columns):
            right = [-Traced(slopes[i, j]) if slopes.has_nz(i, j) else 0 for i in range(rows)]
            for i, x in enumerate(factor.solve(right)):
                solved[i, j] = as_sx(x)
        outputs[f"udot_{name}"] = casadi.densify(solved)
    return outputs


RECIPES: dict[str, Recipe] = {
    "rates": Recipe(_rates),
    "forward_dynamics": Recipe(_forward_dynamics),
    "inverse_dynamics": Recipe(_inverse_dynamics, udot=True),
    "mass_matrix": Recipe(_mass_matrix),
    "energy": Recipe(_energy),
    "poses": Recipe(_poses),
    "reactions": Recipe(_reactions, udot=True),
    "forward_dynamics_derivatives": Recipe(_derivatives),
    **{name: Recipe(outputs, udot) for name, (outputs, udot) in OBSERVATIONS.items()},
}
"""The programs of a system, by name."""
