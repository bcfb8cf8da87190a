"""Compiled programs of one system: each recipe once, in memory and on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from gyrostat.coordinates import Coordinates
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.lazy import later
from gyrostat.model.formula import Formula
from gyrostat.once import cached_property
from gyrostat.program import (
    Port,
    Program,
    compile_program,
    jacobian_by_columns,
    load_or_compile,
    values_and_jacobian_by_columns,
)
from gyrostat.recipes.digest import program_key
from gyrostat.recipes.rolled_programs import DERIVATIVES, VARIATIONS, RolledPrograms, flexible_arms, have_same_modes
from gyrostat.recipes.table import known_recipe
from gyrostat.recipes.trace import SEED_INPUTS, SEEDS, Recipe
from gyrostat.signals.formulas import check_input_formulas
from gyrostat.signals.table import SignalTable

if TYPE_CHECKING:
    from gyrostat.recipes import tracing
else:
    (tracing,) = later("gyrostat.recipes", "tracing")

_LONGEST_SOLUTION = 50_000
_TWO_TREE_SPEED_LIMIT = 60
"""The number of speeds on two trees beyond which columns in SIMD lanes are used."""
_LONGEST_DERIVATIVES = 50
_ELASTIC_COORDINATE_LIMIT = 5
"""Derivatives of beams of first and second order with more coordinates take seconds to compile as one function."""


@dataclass(frozen=True, eq=False)
class CompiledPrograms:
    """The compiled programs of a system, in memory by the text that determines them."""

    signals: SignalTable
    """The table of signals, which defines the names in formulas."""
    rolled: RolledPrograms = field(repr=False)
    softness: float = 0.0
    """The relative compliance of constraints, where some are redundant."""
    _known: dict[str, Program] = field(default_factory=dict, repr=False)

    @property
    def coordinates(self) -> Coordinates:
        """The coordinates of the system."""
        return self.signals.coordinates

    @cached_property
    def _jacobian_is_long(self) -> bool:
        return jacobian_is_long(self.coordinates)

    def casadi_function(self, name: str, *, locked: bool = False) -> Any:
        """Return one of the programs that every system has as a CasADi function; see `named` for `locked`."""
        return self.function(name, known_recipe(name), locked=locked)

    def function(self, name: str, recipe: Recipe, *, locked: bool = False) -> Any:
        """Return the CasADi function of a recipe."""
        return tracing.build_function(name, recipe, self.coordinates, None, self.softness, locked=locked)

    def named(self, name: str, inputs: Mapping[str, Formula] | None = None, *, locked: bool = False) -> Program:
        """Return one of the programs that every system has, with some inputs as formulas.

        With `locked`, conditions of the state in laws are replaced by modes, one more input.
        """
        recipe = known_recipe(name)
        if name in DERIVATIVES and self.derivatives_roll and not inputs:
            rolled = self.rolled_with(locked=locked)
            if rolled is not None:
                return rolled.program(name)
        by_columns = _COLUMN_PROGRAMS.get(name)
        if by_columns is not None and self._jacobian_is_long:
            text = f"{'locked ' if locked else ''}{name} by columns with {_written(inputs)}"
            if text not in self._known:
                self._known[text] = by_columns(self, name, inputs, locked=locked)
            return self._known[text]
        return self.program(name, recipe, inputs, locked=locked)

    def _jacobian_by_columns(self, name: str, inputs: Mapping[str, Formula] | None, *, locked: bool) -> Program:
        """Return the Jacobian of the rates by columns; their structure is looked for where it may be sparse."""
        along = self.named("rates_along", inputs, locked=locked)
        if not has_several_trees(self.coordinates):
            return jacobian_by_columns(along, name, SEEDS)
        structure = partial(self.named, "rates_structure", inputs, locked=locked)
        return jacobian_by_columns(along, name, SEEDS, structure=structure)

    def _derivatives_by_columns(self, name: str, inputs: Mapping[str, Formula] | None, *, locked: bool) -> Program:
        """Return accelerations and their derivatives by columns."""
        values, along = (self.named(one, inputs, locked=locked) for one in ("forward_dynamics", "accelerations_along"))
        n, sizes = self.coordinates.n_u, self.coordinates.row.sizes
        wanted = ("q", "u", *("z",) * bool(sizes["z"]), "inputs")
        parts = [Port(f"udot_{one}", n * sizes[one], n, sizes[one]) for one in wanted]
        return values_and_jacobian_by_columns(values, along, name, (*SEEDS, SEED_INPUTS), parts)

    def ready(self, name: str, inputs: Mapping[str, Formula] | None = None, *, locked: bool = False) -> Program:
        """Return one of the programs that every system has in the form that is ready first: see `System.program`."""
        if inputs or not known_recipe(name).any_engine or not self.rolled.serve:
            return self.named(name, inputs, locked=locked)
        rolled = self.rolled_with(locked=locked)
        return self.named(name, inputs, locked=locked) if rolled is None else rolled.program(name)

    def rolled_with(self, *, locked: bool) -> RolledPrograms | None:
        """Return rolled programs, with conditions of laws locked where these are long to compile; None where not."""
        if not locked:
            return self.rolled
        return self.rolled.with_modes if self.derivatives_roll and self._modes_agree else None

    @cached_property
    def _modes_agree(self) -> bool:
        """Whether conditions of laws have the same modes in rolled programs as in others."""
        return have_same_modes(self.rolled.with_modes.switch_values(), self.named("switches", locked=True))

    @cached_property
    def derivatives_roll(self) -> bool:
        """Whether derivatives are those of rolled programs: where straight code would take long to compile."""
        return self._has_rolled_derivatives and self._jacobian_is_long

    @cached_property
    def _has_rolled_derivatives(self) -> bool:
        """Whether a system is a tree of many links, without constraints and states of its own."""
        coordinates = self.coordinates
        free = (
            not has_constraints(coordinates)
            and not coordinates.row.n_z
            and not coordinates.topology.model.solved_inputs
        )
        flexible = bool(flexible_arms(coordinates)) and coordinates.are_joint_coordinates
        return free and (self.rolled.serve or flexible)

    @cached_property
    def _variations_roll(self) -> bool:
        """Whether the terms of linear models, which are evaluated a few times only, are rolled code."""
        return self._has_rolled_derivatives and derivatives_are_long(self.coordinates)

    @property
    def variations(self) -> Program | None:
        """The program of all terms of a linear model as rolled code; None where straight code is used."""
        return self.rolled.program(VARIATIONS) if self._variations_roll else None

    def program(
        self,
        name: str,
        recipe: Recipe,
        inputs: Mapping[str, Formula] | None = None,
        formulas: Mapping[str, Formula] | None = None,
        *,
        locked: bool = False,
    ) -> Program:
        """Return the program of a recipe, with some inputs as formulas; `formulas` are those that the recipe holds."""
        text = name if not inputs and formulas is None else f"{name} {_written(formulas)} with {_written(inputs)}"
        if locked:
            text = f"locked {text}"
        if text not in self._known:
            self._known[text] = self._compile(text, name, recipe, inputs or {}, locked=locked)
        return self._known[text]

    def _compile(self, text: str, name: str, recipe: Recipe, inputs: Mapping[str, Formula], *, locked: bool) -> Program:
        level = 0 if self._is_long_for_its_use(name) else recipe.optimisation

        def build() -> object:  # the order of instructions is of use to an optimised program
            return tracing.build_function(
                name, recipe, self.coordinates, inputs, self.softness, in_order=level > 0, locked=locked
            )

        if inputs:
            check_input_formulas(self.signals, inputs)
        key = program_key(f"{text}, softness {self.softness}" if self.softness else text, self.coordinates)
        if key is None:
            return compile_program(build(), optimisation=level)
        return load_or_compile(key, build, optimisation=level)

    def _is_long_for_its_use(self, name: str) -> bool:
        """Tell whether a program is evaluated so seldom that optimising its code takes longer than it saves."""
        if name in _EVALUATED_BETWEEN_STEPS and self._jacobian_is_long:
            return True
        return name in _RARE_PROGRAMS and _has_many_sections(self.coordinates)


_COLUMN_PROGRAMS = {
    "rates_jacobian": CompiledPrograms._jacobian_by_columns,
    "forward_dynamics_derivatives": CompiledPrograms._derivatives_by_columns,
}
"""Programs that go column by column where they would take long to compile as one function."""


_RARE_PROGRAMS = frozenset(
    ("rates_along", "rates_in_time", "rates_by_inputs", "accelerations_along", "constraint_directions", "net_power")
)
"""Programs that a step evaluates a few times at most. Of chains of sections they have 10⁵ operations: without LLVM's
optimisation they are ready in a quarter of the time, and take an eighth to two fifths more for each evaluation."""

_EVALUATED_BETWEEN_STEPS = frozenset(
    ("switches", "projected_coordinates", "projected_speeds", "constraint_directions", "net_power", "multipliers")
)
"""Programs of the same kind that no stage of a step evaluates. The swing of the dragline with chains by links has
35 000 operations in each: they are ready in half the time, and an evaluation takes a quarter to a third more."""


def _written(formulas: Mapping[str, Formula] | None) -> list[tuple[str, int | float | str]]:
    """Return names and text of formulas, for keys."""
    return [(name, formula.source) for name, formula in (formulas or {}).items()]


def _has_many_sections(coordinates: Coordinates) -> bool:
    """Tell whether the derivatives of a flexible body alone are long: of a chain, or of many elastic coordinates."""
    return any(arm.chained or len(arm.coordinates) > _ELASTIC_COORDINATE_LIMIT for arm in flexible_arms(coordinates))


def jacobian_is_long(coordinates: Coordinates) -> bool:
    """Tell whether the Jacobian of the rates, as one function, would take long to compile.

    The count is of operations to solve for all columns with the factors of M, which couples each speed with those
    between it and the ground. At 50 000 operations, columns in SIMD lanes were measured to be as fast. A beam of order
    exact has more for its chain of sections alone, as has any flexible body with many elastic coordinates.
    """
    if _has_many_sections(coordinates):
        return True
    if not coordinates.are_joint_coordinates:
        return coordinates.n_u > _TWO_TREE_SPEED_LIMIT
    tree, joints = coordinates.topology.tree, coordinates.topology.joints
    speeds_to: dict[str, int] = {tree.order[0]: 0}
    entries = 0
    for body in tree.order[1:]:
        joint = joints[tree.parent_edge[body]]
        parent = joint.parent.body if joint.child.body == body else joint.child.body
        own = sum(isinstance(place, int) for place in coordinates.joints[joint.name].speeds)
        speeds_to[body] = speeds_to[parent] + own
        entries += own * speeds_to[parent] + own * (own + 1) // 2
    return 4 * entries * coordinates.row.state_size > _LONGEST_SOLUTION


def has_several_trees(coordinates: Coordinates) -> bool:
    """Tell whether several bodies are jointed to the ground: speeds of one tree alone all depend on one another."""
    tree, joints = coordinates.topology.tree, coordinates.topology.joints
    datum = tree.order[0]
    edges = (joints[tree.parent_edge[body]] for body in tree.order[1:])
    return sum(datum in (joint.parent.body, joint.child.body) for joint in edges) > 1


def derivatives_are_long(coordinates: Coordinates) -> bool:
    """Tell whether all derivatives as one function would take long to compile; column by column they do not."""
    return (
        _has_many_sections(coordinates) or coordinates.n_u * len(coordinates.topology.tree.order) > _LONGEST_DERIVATIVES
    )
