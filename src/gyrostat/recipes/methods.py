"""Accelerations by each method of joint coordinates, traced for comparison; the recipe of motion takes the shortest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gyrostat.equations.articulated_body import forward_dynamics as by_articulated_bodies
from gyrostat.equations.dynamics import inverse_dynamics, mass_matrix, weak_speeds
from gyrostat.equations.roberson_schwertassek import RobersonSchwertassek
from gyrostat.equations.saddle_point import factorise_saddle_point
from gyrostat.equations.state_space_form import forcing as literal_forcing
from gyrostat.equations.state_space_form import mass_matrix as literal_mass_matrix
from gyrostat.equations.velocity_transformation import velocity_transformation
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.recipes.constraints import constrained, constraints_of
from gyrostat.recipes.trace import Recipe, Trace
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import negate

Form = Callable[[Trace], tuple[dict[tuple[int, int], Scalar], Sequence[Scalar]]]
"""The lower half of a mass matrix, and the forcing."""


def _tree(trace: Trace) -> TreeMotion:
    assert isinstance(trace.motion, TreeMotion), "methods of joint coordinates have a tree"
    return trace.motion


def _composite_bodies(trace: Trace) -> tuple[dict[tuple[int, int], Scalar], Sequence[Scalar]]:
    still = [0] * len(trace.rates)
    return mass_matrix(trace.motion), [negate(load) for load in inverse_dynamics(trace.motion, still)]


def _velocity_transformation(trace: Trace) -> tuple[dict[tuple[int, int], Scalar], Sequence[Scalar]]:
    method = velocity_transformation(_tree(trace))
    return _lower(method.mass_matrix()), method.forcing()


def _roberson_schwertassek(trace: Trace) -> tuple[dict[tuple[int, int], Scalar], Sequence[Scalar]]:
    method = RobersonSchwertassek(trace.motion)
    return _lower(literal_mass_matrix(method)), literal_forcing(method)


def _lower(M: Sequence[Sequence[Scalar]]) -> dict[tuple[int, int], Scalar]:
    return {(i, j): M[i][j] for i in range(len(M)) for j in range(i + 1)}


def _solved(form: Form) -> Callable[[Trace], dict[str, Any]]:
    """Return the outputs of a recipe that solves M u̇ = forcing + Aᵀ λ, A u̇ = γ by a sparse factor."""

    def outputs(trace: Trace) -> dict[str, Any]:
        M, loads = form(trace)
        entries, rates = {}, list[Scalar]()
        if constrained(trace):
            found = constraints_of(trace)
            entries, rates = found.entries, found.rates
        weak = weak_speeds(trace.motion)
        factor = factorise_saddle_point(M, entries, len(trace.rates), len(rates), softness=trace.softness, weak=weak)
        return {"udot": factor.solve(loads, rates)[0]}

    return outputs


JOINT_METHODS = {
    "composite bodies": Recipe(_solved(_composite_bodies)),
    "velocity transformation": Recipe(_solved(_velocity_transformation)),
    "Roberson–Schwertassek": Recipe(_solved(_roberson_schwertassek)),
}
"""Methods in joint coordinates that form a mass matrix."""
ARTICULATED_BODIES = Recipe(lambda trace: {"udot": by_articulated_bodies(_tree(trace))})
"""The recursion of open trees, which forms none."""
