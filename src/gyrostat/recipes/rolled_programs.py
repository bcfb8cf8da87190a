"""Rolled programs of one system, and the choice of systems that have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.coordinates import Coordinates
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.lazy import LaterClass, later
from gyrostat.model.constraints import ConstraintRow
from gyrostat.model.forces import mass_elements
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.recipes.table import known_recipe
from gyrostat.recipes.trace import Recipe, Trace

if TYPE_CHECKING:
    from gyrostat.model.flexible.polynomial_arm import MassArm
    from gyrostat.recipes import constraints, rolled, rolled_derivatives
    from gyrostat.recipes.rolled import RolledTree
    from gyrostat.recipes.rolled_derivatives import Derivatives
    from gyrostat.scalar import Scalar
    from gyrostat.scalar.tape import Tape
else:
    MassArm = LaterClass("gyrostat.model.flexible.polynomial_arm", "MassArm")
    constraints, rolled, rolled_derivatives = later("gyrostat.recipes", "constraints", "rolled", "rolled_derivatives")

_LINK_THRESHOLD = 10
"""Trees with fewer links are compiled as a whole, in less than a tenth of a second."""

_LOOP_LINK_THRESHOLD = 24
"""Closed loops of fewer bodies are compiled as a whole: in a second, to programs that are several times as fast."""

DERIVATIVES = frozenset(("forward_dynamics_derivatives", "rates_jacobian", "rates_in_time"))
"""Programs of derivatives that trees of many links have as rolled code."""

_TRIALS, _DIFFERENCE_TOLERANCE = 16, 1e-6
"""Arguments at which switching functions are compared, and their difference by rounding relative to their size."""

VARIATIONS = "tree_variations"
"""The program of all terms of a tree's linear model: see `rolled_derivatives`."""


class RolledPrograms(dict[str, Program]):
    """Rolled programs by name; they hold addresses of this process, so that another one makes them again.

    `softness` is the relative compliance of constraints, where some are redundant.
    """

    def __init__(self, coordinates: Coordinates, softness: float = 0.0, *, locked: bool = False) -> None:
        super().__init__()
        self._coordinates, self._softness, self._locked = coordinates, softness, locked

    @cached_property
    def tree(self) -> RolledTree:
        """The mechanism that all programs share."""
        return rolled.RolledTree(self._coordinates, self._softness, locked=self._locked)

    def program(self, name: str) -> Program:
        """Return the program of a recipe for any engine."""
        if name == VARIATIONS or name in DERIVATIVES:
            return self.differentiated(name, rolled_derivatives.DERIVATIVES[name])
        return self.recorded(name, known_recipe(name))

    def recorded(self, name: str, recipe: Recipe) -> Program:
        """Return the program of a recipe for any engine, which its name tells."""
        if name not in self:
            self[name] = self.tree.program(name, recipe)
        return self[name]

    def differentiated(self, name: str, form: Callable[[Trace, Tape], Derivatives]) -> Program:
        """Return the program of derivatives that a function forms, which its name tells."""
        if name not in self:
            self[name] = self.tree.derivatives(name, form)
        return self[name]

    @cached_property
    def serve(self) -> bool:
        """Whether the system has many links, and programs that may be rolled.

        With constraints, only where many links are alike: zeros in their constants tell which rows are trivial. That
        holds for the sections of beams of order exact, which in a loop would take seconds to compile as a whole.
        """
        coordinates = self._coordinates
        topology = coordinates.topology
        if topology.model.solved_inputs or mass_elements(topology.model.forces.values()):
            return False  # loads that follow from accelerations, and masses that several bodies move, are traced whole
        if arms := flexible_arms(coordinates):
            return coordinates.are_joint_coordinates and all(arm.chained for arm in arms)
        links = len(topology.tree.order)
        if has_constraints(coordinates):
            return links > _LOOP_LINK_THRESHOLD and self.tree.regular
        return links > _LINK_THRESHOLD and coordinates.are_joint_coordinates

    @property
    def constraint_rows(self) -> tuple[ConstraintRow, ...]:
        """The nontrivial constraint rows of the system, without their formulas."""
        if not has_constraints(self._coordinates):
            return ()
        return self.tree.constraint_rows if self.serve else constraints.named_rows(self._coordinates)

    @cached_property
    def with_modes(self) -> RolledPrograms:
        """The programs with locked conditions: modes take their places, in one more input."""
        return RolledPrograms(self._coordinates, self._softness, locked=True)

    def switch_values(self) -> Program:
        """Return the program of the values of all switching functions, where conditions are locked."""
        return self.recorded("switch_values", Recipe(_switch_values, any_engine=True))

    def __reduce__(self) -> tuple[type[RolledPrograms], tuple[Coordinates, float], dict[str, bool]]:
        return RolledPrograms, (self._coordinates, self._softness), {"_locked": self._locked}


def _switch_values(trace: Trace) -> dict[str, list[Scalar]]:
    assert trace.switches is not None, "conditions are locked"
    return {"values": [switch.function for switch in trace.switches.switches]}


def have_same_modes(rolled: Program, straight: Program) -> bool:
    """Tell whether two programs give the values of the same switching functions, in the same order.

    Engines simplify differently, so that conditions that are equal to one may differ for the other: values at random
    arguments are compared, of each function where it is defined.
    """
    places = straight.output_slice("values")
    if rolled.input_size != straight.input_size or rolled.output_size != places.stop - places.start:
        return False
    rows = np.random.default_rng(0).uniform(0.5, 1.5, (_TRIALS, rolled.input_size))
    found, expected = rolled.loop(rows), straight.loop(rows)[:, places]
    defined = np.isfinite(found) & np.isfinite(expected)
    close = np.abs(found - expected) <= _DIFFERENCE_TOLERANCE * np.maximum(np.abs(expected), 1.0)
    return bool(np.all(close | ~defined) and np.all(defined.any(axis=0)))


def flexible_arms(coordinates: Coordinates) -> tuple[MassArm, ...]:
    """Return one arm of each flexible body."""
    arms = (joint for joint in coordinates.topology.joints.values() if isinstance(joint, MassArm))
    return tuple({arm.parent.body: arm for arm in arms}.values())
