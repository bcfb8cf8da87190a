"""A system: a mechanism in a choice of coordinates, with native functions for its mechanics."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, overload

from gyrostat import closing, recipes, written
from gyrostat.coordinates import Coordinates, joint_coordinates
from gyrostat.coordinates.arguments import Floats, Parameters
from gyrostat.coordinates.row import Row, StateParts
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.model import Model
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.inputs import Input
from gyrostat.model.kinds import FormulaUse
from gyrostat.model.states import Sampled
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.recipes.compiled import CompiledPrograms
from gyrostat.recipes.table import RECIPES, SOFTNESS
from gyrostat.signals.contact_place import ContactPlace
from gyrostat.signals.table import SignalTable
from gyrostat.system.arguments import At
from gyrostat.system.cache import SystemCache
from gyrostat.system.evaluation import evaluate
from gyrostat.system.numeric_methods import NumericMethods
from gyrostat.system.parameter_values import ParameterValues
from gyrostat.system.state import initial_state
from gyrostat.system.summary import Summary, drawn_trees, system_html, system_text
from gyrostat.topology.trees import Trees

if TYPE_CHECKING:
    import casadi

    from gyrostat.closing import Embedding, Rank
    from gyrostat.model.constraints import ConstraintRow
    from gyrostat.recipes import SignalPrograms
    from gyrostat.topology import Topology
    from gyrostat.written import Cutset, Equations, Form, RecursiveEquations, Walkthrough
    from gyrostat.written.progress import Report


@dataclass(frozen=True, eq=False)
class System(ParameterValues, NumericMethods):
    """A mechanism in a choice of coordinates.

    States are arrays in the order of `coordinate_names`, `speed_names` and `state_names`, with any leading axes, or
    values by name; names that are left out have the model's initial values. Every method takes `parameters={…}` to
    change values without compiling again, and evaluates native code that is compiled on first use and kept on disk.
    """

    coordinates: Coordinates

    @property
    def topology(self) -> Topology:
        """The graph of bodies and joints, with its spanning tree."""
        return self.coordinates.topology

    @property
    def model(self) -> Model:
        """The frozen model."""
        return self.topology.model

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """The names of the coordinates q, in order."""
        return self.coordinates.coordinate_names

    @property
    def speed_names(self) -> tuple[str, ...]:
        """The names of the speeds u, in order."""
        return self.coordinates.speed_names

    @property
    def state_names(self) -> tuple[str, ...]:
        """The names of the state variables z of components, in order."""
        return self.coordinates.state_names

    @property
    def row(self) -> Row:
        """The layout of the rows that programs take: t, q, u, z, parameters, inputs."""
        return self.coordinates.row

    @cached_property
    def signal_table(self) -> SignalTable:
        """Every quantity of the system that has a name: unit, components, description, and how it is formed."""
        return SignalTable(self.coordinates, partial(getattr, self, "constraints"))

    @property
    def bodies(self) -> tuple[str, ...]:
        """The moving bodies, outward from the ground."""
        return self.topology.tree.order[1:]

    @cached_property
    def constrained(self) -> bool:
        """Whether joints close loops or the model has constraints.

        On two trees all constraint rows of a joint may be trivial, such as those of a hinge in a plane.
        """
        if self.coordinates.are_joint_coordinates or self.model.constraints:
            return has_constraints(self.coordinates)
        return has_constraints(self.coordinates) and bool(self.constraints)

    @cached_property
    def constraints(self) -> tuple[ConstraintRow, ...]:
        """The constraints on the speeds in order, of loops first, with owner, direction and unit.

        Trivial rows, such as those out of the plane of a planar mechanism, are left out.
        """
        return recipes.named_rows(self.coordinates)

    @cached_property
    def rank(self) -> Rank:
        """The rank of the constraints at the model's initial position, its loops closed, and near it."""
        return closing.initial_rank(self)

    @property
    def loaded_joints(self) -> tuple[str, ...]:
        """The joints in the order of their loads: arcs outward from the ground, then chords."""
        return self.coordinates.loaded_joints

    @property
    def model_size(self) -> float:
        """The largest distance of a joint from the frame of its body (m); 1 if all distances are zero."""
        return self.coordinates.size

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs, in order."""
        return self.model.inputs

    @cached_property
    def time_formulas(self) -> tuple[Formula, ...]:
        """The formulas of the model that name the time: of loads, drivers and constraints.

        Laws of inputs are not among them, nor those of sampled blocks, which act at their sample times alone.
        """
        components = (part for part in self.model.components.values() if not isinstance(part, Input | Sampled))
        uses = (use for component in components for use in component.uses())
        return tuple(use.formula for use in uses if isinstance(use, FormulaUse) and TIME in use.formula.names)

    def __str__(self) -> str:
        return system_text(self)

    def summary(self) -> Summary:
        """Return how many coordinates, speeds, constraints and equations each choice of coordinates gives."""
        return Summary.of(self)

    def _repr_html_(self) -> str:
        return system_html(self)

    def draw_trees(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return a drawing of the trees of positions and of orientations as SVG text; write it if a path is given."""
        return drawn_trees(self, path)

    @property
    def chosen_trees(self) -> Trees:
        """The trees of positions and of orientations by names; in joint coordinates both are the spanning tree."""
        return self.coordinates.trees.names

    # --- state --------------------------------------------------------------------------------------------------

    @cached_property
    def initial_coordinates(self) -> Floats:
        """The model's initial coordinates; without a value the two frames of a joint coincide."""
        return self.initial_values()[0]

    @cached_property
    def initial_speeds(self) -> Floats:
        """The model's initial speeds; those not given are zero."""
        return self.initial_values()[1]

    @cached_property
    def initial_states(self) -> Floats:
        """The model's initial values of the state variables z."""
        return self.initial_state().z

    @cached_property
    def in_joint_coordinates(self) -> System:
        """The same mechanism in joint coordinates, on the topology's spanning tree; itself if it has them."""
        return self if self.coordinates.are_joint_coordinates else System(joint_coordinates(self.topology))

    def initial_values(self, parameters: Parameters = None) -> tuple[Floats, Floats]:
        """Return the model's initial q and u, with some parameters changed."""
        return self.initial_state(parameters)[:2]

    def initial_state(self, parameters: Parameters = None) -> StateParts:
        """Return the model's initial q, u and z, with some parameters changed."""
        return initial_state(self, parameters)

    def embedding(self, independent: Sequence[str] | None = None) -> Embedding:
        """Return the system in independent speeds: those named, or chosen at every state by pivoted QR."""
        return closing.Embedding.of(self, independent)

    # --- exact equations ----------------------------------------------------------------------------------------

    @overload
    def equations(
        self, form: Literal["recursive"], *, size_limit: int | None = ..., progress: Report | None = ...
    ) -> RecursiveEquations: ...

    @overload
    def equations(
        self,
        form: Form | Literal["textbook", "regrouped", "expanded"] = ...,
        *,
        size_limit: int | None = ...,
        progress: Report | None = ...,
    ) -> Equations: ...

    @overload
    def equations(
        self, form: Form | str, *, size_limit: int | None = ..., progress: Report | None = ...
    ) -> Equations | RecursiveEquations: ...

    def equations(
        self, form: Form | str = "textbook", *, size_limit: int | None = 30_000, progress: Report | None = None
    ) -> Equations | RecursiveEquations:
        """Return the exact equations of motion in the user's symbols, written in a form: see `Form`, or "recursive".

        A set with more than `size_limit` harmonics raises `SizeError`; None is no limit. Expressions are derived and
        written on first access, and `progress` is called with a `DerivationProgress` meanwhile.
        """
        if form == written.RECURSIVE:
            return self.recursive_equations()
        return written.Equations.of(self.coordinates, form, size_limit, progress)

    def cutset(self, branch: str) -> Cutset:
        """Return the cutset equations of a branch of the trees: a joint, or a body."""
        return written.Cutset.of(self.coordinates, branch)

    def recursive_equations(self) -> RecursiveEquations:
        """Return the equations of motion as assignments with common subexpressions, short for large systems."""
        return written.RecursiveEquations(self.coordinates)

    def roberson_schwertassek(self) -> Walkthrough:
        """Return every quantity of the Roberson–Schwertassek method, as Forehand, Cartmell and Khanin present it."""
        return written.Walkthrough.of(self)

    # --- programs -----------------------------------------------------------------------------------------------

    @cached_property
    def _rigid(self) -> CompiledPrograms:
        return CompiledPrograms(self.signal_table)

    @cached_property
    def _compiled(self) -> CompiledPrograms:
        """Programs that may solve for accelerations; redundant constraints are given a small compliance."""
        redundant = self.constrained and self.rank.redundant
        return CompiledPrograms(self.signal_table, SOFTNESS) if redundant else self._rigid

    def program(self, name: str, *, inputs: Mapping[str, Formula] | None = None, locked: bool = False) -> Program:
        """Return a native program by name; its ports are t, q, u, z, parameters, inputs, and udot where needed.

        Inputs given as formulas over signals are traced into the program and not read from its ports. With `locked`,
        conditions of the state in laws are replaced by modes, a port after the inputs: see the program "switches".
        """
        compiled = self._rigid if name in RECIPES and not RECIPES[name].solves else self._compiled
        return compiled.named(name, inputs, locked=locked)

    def ready_program(self, name: str, *, inputs: Mapping[str, Formula] | None = None, locked: bool = False) -> Program:
        """Return a program by name in the form that is ready first, for a single run.

        Of a tree of many links that is rolled code: one call of a compiled function for each link, instead of straight
        code that is compiled for this model. It is ready in milliseconds and takes about 1.4 times as long to evaluate;
        numbers agree to rounding.
        """
        return self._compiled.ready(name, inputs, locked=locked)

    def casadi_function(self, name: str) -> casadi.Function:
        """Return a program by name as a CasADi function whose named ports are those of the program."""
        compiled = self._rigid if name in RECIPES and not RECIPES[name].solves else self._compiled
        function: casadi.Function = compiled.casadi_function(name)
        return function

    def signals(
        self, formulas: Mapping[str, Formula], *, inputs: Mapping[str, Formula] | None = None, locked: bool = False
    ) -> SignalPrograms:
        """Return programs for values and rates of formulas over signals, by any names: see `signal_table`."""
        return recipes.signal_programs(self._compiled, formulas, inputs, locked=locked)

    def signal_values(self, formulas: Mapping[str, Formula], *, inputs: Mapping[str, Formula] | None = None) -> Program:
        """Return the program of the values alone of formulas over signals, by any names."""
        return recipes.signal_values_program(self._compiled, formulas, inputs)

    def contact(
        self, place: ContactPlace, when: Formula, event: str, *, inputs: Mapping[str, Formula] | None = None
    ) -> Program:
        """Return the program of sliding speeds at a contact of an event, with the normal of its function `when`."""
        return recipes.contact_program(self._compiled, place, when, event, inputs)

    def canonical_signals(
        self, formulas: Mapping[str, Formula], *, inputs: Mapping[str, Formula] | None = None, locked: bool = False
    ) -> Program:
        """Return the program of values and rates of formulas over signals, at coordinates and momenta p = ∂T/∂u."""
        return recipes.canonical_signals(self._compiled, formulas, inputs, locked=locked)

    def linear_outputs(self, names: Iterable[str]) -> tuple[tuple[str, ...], Program]:
        """Return outputs by name, vectors by components, and the program of their derivatives at given u̇ and loads."""
        return recipes.linear_output_program(self._rigid, names)

    def output_variation(self, name: str) -> Program:
        """Return the program of the variation of an output along a direction, and its gradient."""
        return recipes.output_variation_program(self._rigid, name)

    def signal_value(
        self, name: str, *, inputs: Mapping[str, Formula] | None = None, unknown: Iterable[str] = ()
    ) -> Program:
        """Return the program of the value of one signal; one that depends on `unknown` inputs is refused."""
        return recipes.signal_value_program(self._compiled, name, inputs, unknown)

    @cached_property
    def cache(self) -> SystemCache:
        """Results of earlier calls that later ones may reuse."""
        return SystemCache()

    def _evaluate(self, name: str, at: At) -> dict[str, Floats]:
        return evaluate(self, name, at)
