"""A system: a mechanism in a choice of coordinates, with native functions for its mechanics."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, overload

from numpy.typing import ArrayLike

from gyrostat.coordinates import Coordinates, joint_coordinates
from gyrostat.coordinates.arguments import Floats, Inputs, Parameters, Values
from gyrostat.coordinates.row import Row
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.model import Model
from gyrostat.model.formula import Formula
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.recipes.compiled import CompiledPrograms
from gyrostat.recipes.constraints import SOFTNESS, WITHOUT_SOLUTION
from gyrostat.results.body_motion import BodyMotions
from gyrostat.results.energy import Energy
from gyrostat.results.momentum import Momentum
from gyrostat.results.poses import Poses
from gyrostat.results.powers import Powers
from gyrostat.results.reaction import Reaction
from gyrostat.signals.force_outputs import observed_by_name
from gyrostat.signals.table import SignalTable
from gyrostat.system import output_records
from gyrostat.system.evaluation import evaluate
from gyrostat.system.kept import Kept
from gyrostat.system.parameter_values import ParameterValues
from gyrostat.topology.trees import Trees

if TYPE_CHECKING:
    from gyrostat.closing.embedding import Embedding
    from gyrostat.closing.rank import Rank
    from gyrostat.model.constraints import ConstraintRow
    from gyrostat.recipes.signals import SignalPrograms
    from gyrostat.system.summary import Summary
    from gyrostat.topology import Topology
    from gyrostat.written.cutset import Cutset
    from gyrostat.written.equation_set import Equations
    from gyrostat.written.equation_writer import Form
    from gyrostat.written.progress import Report
    from gyrostat.written.recursive_equations import RecursiveEquations
    from gyrostat.written.walkthrough import Walkthrough


@dataclass(frozen=True, eq=False)
class System(ParameterValues):
    """A mechanism in a choice of coordinates.

    States are arrays in the order of `coordinate_names` and `speed_names`, with any leading axes, or values by name;
    names that are left out have the model's initial values. Every method takes `parameters={…}` to change values
    without compiling again, and evaluates native code that is compiled on first use and kept on disk.
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

        On two trees a joint may be held by one of them, and what is left of it hold by itself: a hinge in a plane.
        """
        if self.coordinates.trees is None or self.model.constraints:
            return has_constraints(self.coordinates)
        return has_constraints(self.coordinates) and bool(self.constraints)

    @cached_property
    def constraints(self) -> tuple[ConstraintRow, ...]:
        """The constraints on the speeds, of loops first, in order: whose they are, in which direction, with which unit.

        Rows that hold by themselves, such as those out of the plane of a planar mechanism, are left out.
        """
        from gyrostat.recipes.constraints import named_rows

        return named_rows(self.coordinates)

    @cached_property
    def rank(self) -> Rank:
        """The rank of the constraints at the model's initial position, its loops closed, and near it."""
        from gyrostat.closing.rank import initial_rank

        return initial_rank(self)

    @property
    def loaded_joints(self) -> tuple[str, ...]:
        """The joints in the order of their loads: arcs outward from the ground, then chords."""
        return self.coordinates.loaded_joints

    @property
    def model_size(self) -> float:
        """The largest distance of a joint from the frame of its body (m); 1 where there is none."""
        return self.coordinates.size

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs, in order."""
        return self.model.inputs

    def __str__(self) -> str:
        from gyrostat.system.system_text import system_text

        return system_text(self)

    def summary(self) -> Summary:
        """Return how many coordinates, speeds, constraints and equations each choice of coordinates gives."""
        from gyrostat.system.summary import summary

        return summary(self)

    def _repr_html_(self) -> str:
        from gyrostat.system.displays import system_html

        return system_html(self)

    def draw_trees(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return a drawing of the trees of positions and of orientations as SVG text; write it if a path is given."""
        from gyrostat.system.displays import drawn_trees

        return drawn_trees(self, path)

    @property
    def chosen_trees(self) -> Trees:
        """The trees of positions and of orientations by names; in joint coordinates both are the spanning tree."""
        trees = self.coordinates.trees
        return Trees(self.topology.arcs) if trees is None else trees.names

    # --- state --------------------------------------------------------------------------------------------------

    @cached_property
    def initial_coordinates(self) -> Floats:
        """The model's initial coordinates; those not given are where the sides of the joints coincide."""
        return self.initial_values()[0]

    @cached_property
    def initial_speeds(self) -> Floats:
        """The model's initial speeds; those not given are zero."""
        return self.initial_values()[1]

    @cached_property
    def in_joint_coordinates(self) -> System:
        """The same mechanism in joint coordinates, on the topology's spanning tree; itself if it has them."""
        return self if self.coordinates.trees is None else System(joint_coordinates(self.topology))

    def initial_values(self, parameters: Parameters = None) -> tuple[Floats, Floats]:
        """Return the model's initial q and u, with some parameters changed."""
        from gyrostat.system.initial_values import initial_values

        return initial_values(self, parameters)

    # --- mechanics ----------------------------------------------------------------------------------------------

    def forward_dynamics(
        self, q: Values, u: Values, *, t: ArrayLike = 0.0, inputs: Inputs = None, parameters: Parameters = None
    ) -> Floats:
        """Return u̇ (…, number of speeds) under gravity, force elements and inputs; inputs not given are zero."""
        return evaluate(self, "forward_dynamics", q, u, t, inputs, parameters)["udot"]

    def inverse_dynamics(
        self,
        q: Values,
        u: Values,
        udot: Values,
        *,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Floats:
        """Return the load on each speed (…, number of speeds) that makes u̇ happen, beyond all forces of the model."""
        return evaluate(self, "inverse_dynamics", q, u, t, inputs, parameters, udot)["loads"]

    def mass_matrix(self, q: Values, *, t: ArrayLike = 0.0, parameters: Parameters = None) -> Floats:
        """Return M(q) (…, number of speeds, number of speeds), with ½ uᵀ M u the kinetic energy of undriven motion."""
        return evaluate(self, "mass_matrix", q, None, t, None, parameters)["mass_matrix"]

    def energy(
        self, q: Values, u: Values, *, t: ArrayLike = 0.0, inputs: Inputs = None, parameters: Parameters = None
    ) -> Energy:
        """Return kinetic energy, potential energy of gravity (zero at the world's origin) and of force elements."""
        return output_records.energy(self, evaluate(self, "energy", q, u, t, inputs, parameters))

    def poses(self, q: Values, *, t: ArrayLike = 0.0, parameters: Parameters = None) -> Poses:
        """Return position and rotation of every body's frame, in world axes."""
        return output_records.poses(self, evaluate(self, "poses", q, None, t, None, parameters))

    def reactions(
        self,
        q: Values,
        u: Values,
        udot: Values | None = None,
        *,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> dict[str, Reaction]:
        """Return for each joint the load of the parent on the child at the child's joint point, in world axes.

        Without `udot` the motion is that of forward dynamics. Loads of actuators and drivers are included.
        """
        return output_records.reactions(self, evaluate(self, "reactions", q, u, t, inputs, parameters, udot))

    def driver_loads(
        self,
        q: Values,
        u: Values,
        udot: Values | None = None,
        *,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> dict[str, Floats]:
        """Return the load of the driver of each driven coordinate, by name, beyond all forces of the model."""
        found = evaluate(self, "reactions", q, u, t, inputs, parameters, udot)["drivers"]
        return output_records.by_name(found, self.coordinates.all_driven)

    def multipliers(
        self, q: Values, u: Values, *, t: ArrayLike = 0.0, inputs: Inputs = None, parameters: Parameters = None
    ) -> dict[str, Floats]:
        """Return the load along the direction of each constraint, by its name ("rod: tension"): see `constraints`."""
        found = evaluate(self, "multipliers", q, u, t, inputs, parameters)["multipliers"]
        return output_records.by_name(found, [row.name for row in self.constraints])

    def constraint_rates(self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Parameters = None) -> Floats:
        """Return γ of the constraints' A u̇ = γ (…, number of constraints)."""
        return evaluate(self, "constraint_rates", q, u, t, None, parameters)["rates"]

    def embedding(self, independent: Sequence[str] | None = None) -> Embedding:
        """Return the system in independent speeds: those named, or chosen at every state by pivoted QR (001 part 4)."""
        from gyrostat.closing.embedding import embedding

        return embedding(self, independent)

    def coordinate_rates(self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Parameters = None) -> Floats:
        """Return q̇ = N(q) u (…, number of coordinates)."""
        return evaluate(self, "rates", q, u, t, None, parameters)["qdot"]

    def forward_dynamics_derivatives(
        self, q: Values, u: Values, *, t: ArrayLike = 0.0, inputs: Inputs = None, parameters: Parameters = None
    ) -> dict[str, Floats]:
        """Return u̇ and its derivatives by q, u and inputs, under "udot", "q", "u" and "inputs"."""
        found = evaluate(self, "forward_dynamics_derivatives", q, u, t, inputs, parameters)
        return {"udot": found["udot"], **{name: found[f"udot_{name}"] for name in ("q", "u", "inputs")}}

    # --- observations -------------------------------------------------------------------------------------------

    def body_motion(self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Parameters = None) -> BodyMotions:
        """Return position, rotation, velocity and angular velocity of every body's frame, in world axes."""
        return output_records.body_motions(self, evaluate(self, "body_motion", q, u, t, None, parameters))

    def force_outputs(
        self, q: Values, u: Values, *, t: ArrayLike = 0.0, inputs: Inputs = None, parameters: Parameters = None
    ) -> dict[str, dict[str, Floats]]:
        """Return by name what each force element reports: numbers (…), or vectors (…, 3) in world axes."""
        found = evaluate(self, "force_outputs", q, u, t, inputs, parameters)["observed"]
        return observed_by_name(self.coordinates, found)

    def momentum(self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Parameters = None) -> Momentum:
        """Return mass, mass centre, linear momentum and angular momentum about the world's origin."""
        return output_records.momentum(evaluate(self, "momentum", q, u, t, None, parameters))

    def powers(
        self,
        q: Values,
        u: Values,
        udot: Values | None = None,
        *,
        t: ArrayLike = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Powers:
        """Return the powers that change the energy: of force elements, drivers, rotors with given motion, constraints.

        Without `udot` the motion is that of forward dynamics; then `total` is the rate of `energy(…).total` while
        inputs do not change.
        """
        return output_records.powers(self, evaluate(self, "powers", q, u, t, inputs, parameters, udot))

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

        A set that would have more than `size_limit` harmonics is refused with advice; None is no limit. `progress` is
        called with a `Progress` while expressions are derived and written, which happens when they are asked for.
        """
        from gyrostat.written.equation_set import equation_set
        from gyrostat.written.equation_writer import RECURSIVE

        if form == RECURSIVE:
            return self.recursive_equations()
        return equation_set(self.coordinates, form, size_limit, progress)

    def cutset(self, branch: str) -> Cutset:
        """Return the cutset equations of a branch of the trees: a joint, or a body (001 part 4)."""
        from gyrostat.written.cutset import cutset

        return cutset(self.coordinates, branch)

    def recursive_equations(self) -> RecursiveEquations:
        """Return the equations of motion as a list of assignments, each common part once: short for large systems."""
        from gyrostat.written.recursive_equations import RecursiveEquations

        return RecursiveEquations(self.coordinates)

    def roberson_schwertassek(self) -> Walkthrough:
        """Return every quantity of the Roberson–Schwertassek method, in the order of its document."""
        from gyrostat.written.walkthrough import walkthrough

        return walkthrough(self)

    # --- programs -----------------------------------------------------------------------------------------------

    @cached_property
    def _rigid(self) -> CompiledPrograms:
        return CompiledPrograms(self.signal_table)

    @cached_property
    def _compiled(self) -> CompiledPrograms:
        """Programs that may solve for accelerations; where constraints follow from others these are made a bit soft."""
        redundant = self.constrained and self.rank.redundant
        return CompiledPrograms(self.signal_table, SOFTNESS) if redundant else self._rigid

    def program(self, name: str, *, inputs: Mapping[str, Formula] | None = None) -> Program:
        """Return a native program by name; its ports are t, q, u, z, parameters, inputs, and udot where needed.

        With `inputs`, formulas over signals take the places of these inputs, which are not read then.
        """
        return (self._rigid if name in WITHOUT_SOLUTION else self._compiled).named(name, inputs)

    def signals(
        self, formulas: Mapping[str, Formula], *, inputs: Mapping[str, Formula] | None = None
    ) -> SignalPrograms:
        """Return programs for values and rates of formulas over signals, by any names: see `signal_table`."""
        from gyrostat.recipes.signals import signal_programs

        return signal_programs(self._compiled, formulas, inputs)

    def linear_outputs(self, names: Iterable[str]) -> tuple[tuple[str, ...], Program]:
        """Return outputs by name, vectors by components, and the program of their derivatives at given u̇ and loads."""
        from gyrostat.recipes.signals import linear_output_program

        return linear_output_program(self._rigid, names)

    def signal_value(
        self, name: str, *, inputs: Mapping[str, Formula] | None = None, unknown: Iterable[str] = ()
    ) -> Program:
        """Return the program of the value of one signal; one that depends on `unknown` inputs is refused."""
        from gyrostat.recipes.signals import signal_value_program

        return signal_value_program(self._compiled, name, inputs, unknown)

    @cached_property
    def kept(self) -> Kept:
        """What calls leave for later ones."""
        return Kept()
