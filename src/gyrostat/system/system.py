"""A system: a mechanism in a choice of coordinates, with native functions for its mechanics."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, overload

from gyrostat import closing, written
from gyrostat.coordinates import Choice, Coordinates, branch_coordinates, joint_coordinates
from gyrostat.coordinates.arguments import Floats, Parameters
from gyrostat.coordinates.row import Row, StateParts
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.model import Model
from gyrostat.once import cached_property
from gyrostat.signals.table import SignalTable
from gyrostat.system.arguments import At
from gyrostat.system.cache import CachedResults
from gyrostat.system.evaluation import evaluate
from gyrostat.system.founding_methods import FoundingMethods
from gyrostat.system.model_formulas import ModelFormulas
from gyrostat.system.numbers_at import mapped_arguments, numbers_at
from gyrostat.system.numeric_methods import NumericMethods
from gyrostat.system.parameter_values import ParameterValues
from gyrostat.system.programs import SystemPrograms
from gyrostat.system.state import initial_state
from gyrostat.system.summary import Summary, drawn_trees, system_html, system_text
from gyrostat.topology.trees import Trees

if TYPE_CHECKING:
    from gyrostat.closing import Embedding, Rank
    from gyrostat.model.constraints import ConstraintRow
    from gyrostat.topology import Topology
    from gyrostat.written import Cutset, Equations, Form, NumericEvaluation, RecursiveEquations
    from gyrostat.written.progress import Report


@dataclass(frozen=True, eq=False)
class System(ParameterValues, ModelFormulas, SystemPrograms, CachedResults, NumericMethods, FoundingMethods):
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

    @cached_property
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

    @cached_property
    def row(self) -> Row:
        """The layout of the rows that programs take: t, q, u, z, parameters, inputs."""
        return self.coordinates.row

    @cached_property
    def signal_table(self) -> SignalTable:
        """Every quantity of the system that has a name: unit, components, description, and how it is formed."""
        return SignalTable(self.coordinates, partial(getattr, self._rolled, "constraint_rows"))

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
        return self._rolled.constraint_rows

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
        self,
        form: Form | str = "textbook",
        *,
        size_limit: int | None = written.SIZE_LIMIT,
        progress: Report | None = None,
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

    def _numbers_at(self, at: At) -> NumericEvaluation:
        return numbers_at(self, at)

    def _with_euler_parameters(self) -> System:
        return System(branch_coordinates(self.topology, Choice.ABSOLUTE, planar=False))

    def _in(self, coordinates: Coordinates) -> System:
        return self if coordinates is self.coordinates else System(coordinates)

    def _mapped(self, at: At, target: System) -> At:
        return mapped_arguments(self, at, target)

    def _evaluate(self, name: str, at: At) -> dict[str, Floats]:
        return evaluate(self, name, at)
