"""A system: a mechanism in a choice of coordinates, with native functions for its mechanics."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.coordinates import Coordinates, joint_coordinates
from gyrostat.errors import StateError, TopologyError
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.model import Model
from gyrostat.model.formula import Formula
from gyrostat.model.names import counted, first_few
from gyrostat.pipeline.arguments import Floats, Values, column_of, time_of
from gyrostat.pipeline.compiled import CompiledPrograms
from gyrostat.pipeline.constraints import SOFTNESS, WITHOUT_SOLUTION, working_owners
from gyrostat.pipeline.evaluation import evaluated
from gyrostat.pipeline.observations import given_rotors, observed_by_name
from gyrostat.pipeline.traces import RECIPES
from gyrostat.program import Program
from gyrostat.results.body_motion import BodyMotions
from gyrostat.results.energy import Energy
from gyrostat.results.momentum import Momentum
from gyrostat.results.poses import Poses
from gyrostat.results.powers import Powers
from gyrostat.results.reaction import Reaction
from gyrostat.topology.trees import Trees

if TYPE_CHECKING:
    from gyrostat.model.constraints import ConstraintRow
    from gyrostat.pipeline.closing import Rank
    from gyrostat.pipeline.cutset import Cutset
    from gyrostat.pipeline.embedding import Embedding
    from gyrostat.pipeline.equation_set import Equations
    from gyrostat.pipeline.equation_writer import Form
    from gyrostat.pipeline.progress import Report
    from gyrostat.pipeline.recursive_equations import RecursiveEquations
    from gyrostat.pipeline.signals import SignalPrograms
    from gyrostat.pipeline.summary import Summary
    from gyrostat.pipeline.walkthrough import Walkthrough
    from gyrostat.topology import Topology


@dataclass(frozen=True, eq=False)
class System:
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
        from gyrostat.pipeline.constraints import named_rows

        return named_rows(self.coordinates)

    @cached_property
    def rank(self) -> Rank:
        """The rank of the constraints at the model's initial position, its loops closed, and near it."""
        from gyrostat.pipeline.closing import Closer, rank_of

        closer = Closer(self)
        position, _ = closer.closed(closer.regular(self.initial_coordinates))
        found = rank_of(closer, position, lambda: [row.owner for row in self.constraints])
        return found.explained(self.coordinates.loops)

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
        topology = self.topology
        lines = [
            f"System of {self.model.name!r} in {self.coordinates.told}: "
            f"{counted(len(topology.bodies), 'body', 'bodies')}, {counted(len(topology.joints), 'joint', 'joints')}",
            f"  coordinates ({self.coordinates.n_q}): {first_few(self.coordinate_names)}",
            f"  speeds ({self.coordinates.n_u}): {first_few(self.speed_names)}",
            f"  driven ({len(self.coordinates.all_driven)}): {first_few(tuple(self.coordinates.all_driven))}",
            f"  inputs ({len(self.inputs)}): {first_few(self.inputs)}",
            f"  constraints: {self._told_constraints}; mobility by counting: {self._told_mobility}",
        ]
        return "\n".join(line for line in lines if "(0)" not in line)

    def summary(self) -> Summary:
        """Return how many coordinates, speeds, constraints and equations each choice of coordinates gives."""
        from gyrostat.pipeline.summary import summary

        return summary(self)

    def _repr_html_(self) -> str:
        from gyrostat.pipeline.displays import system_html

        return system_html(self)

    @property
    def _told_constraints(self) -> str:
        owners = (*self.coordinates.chords, *self.model.constraints)
        if self.coordinates.trees is not None:  # joints that one tree holds may leave nothing to be closed
            owners = tuple(dict.fromkeys(row.owner for row in self.constraints)) if owners else ()
        return f"from {first_few(owners)}" if owners else "none"

    @property
    def _told_mobility(self) -> str:
        """The mobility by counting joints, and how many rows of constraint components come on top."""
        components = self.model.constraints
        rows = sum(row.owner in components for row in self.constraints) if components else 0
        return f"{self.topology.mobility}{f', less {rows} by constraint components' if rows else ''}"

    def draw_trees(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return a drawing of the trees of positions and of orientations as SVG text; write it if a path is given."""
        from gyrostat.topology.tree_drawing import draw_trees

        carried = {
            name: [each for each in layout.names if each in self.coordinate_names]
            for name, layout in self.coordinates.joints.items()
        }
        return draw_trees(self.topology, self.chosen_trees, carried, path)

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

    def initial_values(self, parameters: Mapping[str, object] | None = None) -> tuple[Floats, Floats]:
        """Return the model's initial q and u, with some parameters changed.

        The model has them for its joints; other coordinates follow from where these put the bodies.
        """
        if self.coordinates.trees is not None:
            from gyrostat.pipeline.mapped_state import mapped_state

            source = self.in_joint_coordinates
            return mapped_state(source, self, *source.initial_values(parameters), 0.0, parameters)
        known = self.model.values(parameters)
        given = {j.full_name(label): f for j in self.topology.joints.values() for label, f in j.initial.items()}

        def column(names: tuple[str, ...], rest: tuple[int, ...]) -> Floats:
            values = [given[n].value(known) if n in given else float(r) for n, r in zip(names, rest, strict=True)]
            return np.array(values, dtype=float)

        return column(self.coordinate_names, self.coordinates.rest), column(
            self.speed_names, (0,) * self.coordinates.n_u
        )

    def states(self, q: Values, u: Values) -> list[tuple[Floats, Floats]]:
        """Return pairs of coordinates and speeds, one for each state given by arrays or by name."""
        left = column_of(q, self.coordinate_names, self.initial_coordinates.tolist(), "coordinate")
        right = column_of(u, self.speed_names, self.initial_speeds.tolist(), "speed")
        leading = np.broadcast_shapes(left.shape[:-1], right.shape[:-1])
        rows = (np.broadcast_to(part, (*leading, part.shape[-1])).reshape(-1, part.shape[-1]) for part in (left, right))
        return list(zip(*rows, strict=True))

    # --- mechanics ----------------------------------------------------------------------------------------------

    def forward_dynamics(
        self,
        q: Values,
        u: Values,
        *,
        t: ArrayLike = 0.0,
        inputs: Values | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> Floats:
        """Return u̇ (…, number of speeds) under gravity, force elements and inputs; inputs not given are zero."""
        return self._evaluate("forward_dynamics", q, u, t, inputs, parameters)["udot"]

    def inverse_dynamics(
        self,
        q: Values,
        u: Values,
        udot: Values,
        *,
        t: ArrayLike = 0.0,
        inputs: Values | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> Floats:
        """Return the load on each speed (…, number of speeds) that makes u̇ happen, beyond all forces of the model."""
        return self._evaluate("inverse_dynamics", q, u, t, inputs, parameters, udot)["loads"]

    def mass_matrix(self, q: Values, *, t: ArrayLike = 0.0, parameters: Mapping[str, object] | None = None) -> Floats:
        """Return M(q) (…, number of speeds, number of speeds), with ½ uᵀ M u the kinetic energy of undriven motion."""
        return self._evaluate("mass_matrix", q, None, t, None, parameters)["mass_matrix"]

    def energy(
        self,
        q: Values,
        u: Values,
        *,
        t: ArrayLike = 0.0,
        inputs: Values | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> Energy:
        """Return kinetic energy, potential energy of gravity (zero at the world's origin) and of force elements."""
        found = self._evaluate("energy", q, u, t, inputs, parameters)
        names = [name for name, force in self.model.forces.items() if force.stores_energy]
        return Energy(found["kinetic"][..., 0], found["gravity"][..., 0], _by_name(found["stored"], names))

    def poses(self, q: Values, *, t: ArrayLike = 0.0, parameters: Mapping[str, object] | None = None) -> Poses:
        """Return position and rotation of every body's frame, in world axes."""
        found = self._evaluate("poses", q, None, t, None, parameters)
        leading = found["positions"].shape[:-1]
        rotations = found["rotations"].reshape(*leading, len(self.bodies), 3, 3)
        return Poses(self.bodies, rotations, found["positions"].reshape(*leading, len(self.bodies), 3))

    def reactions(
        self,
        q: Values,
        u: Values,
        udot: Values | None = None,
        *,
        t: ArrayLike = 0.0,
        inputs: Values | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> dict[str, Reaction]:
        """Return for each joint the load of the parent on the child at the child's joint point, in world axes.

        Without `udot` the motion is that of forward dynamics. Loads of actuators and drivers are included.
        """
        if udot is None:
            udot = self.forward_dynamics(q, u, t=t, inputs=inputs, parameters=parameters)
        found = self._evaluate("reactions", q, u, t, inputs, parameters, udot)
        joints = self.loaded_joints
        forces = found["forces"].reshape(*found["forces"].shape[:-1], len(joints), 3)
        moments = found["moments"].reshape(*found["moments"].shape[:-1], len(joints), 3)
        return {joint: Reaction(forces[..., i, :], moments[..., i, :]) for i, joint in enumerate(joints)}

    def driver_loads(
        self,
        q: Values,
        u: Values,
        udot: Values | None = None,
        *,
        t: ArrayLike = 0.0,
        inputs: Values | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> dict[str, Floats]:
        """Return the load of the driver of each driven coordinate, by name, beyond all forces of the model."""
        if udot is None:
            udot = self.forward_dynamics(q, u, t=t, inputs=inputs, parameters=parameters)
        found = self._evaluate("reactions", q, u, t, inputs, parameters, udot)["drivers"]
        return _by_name(found, self.coordinates.all_driven)

    def multipliers(
        self,
        q: Values,
        u: Values,
        *,
        t: ArrayLike = 0.0,
        inputs: Values | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> dict[str, Floats]:
        """Return the load along the direction of each constraint, by its name ("rod: tension"): see `constraints`."""
        found = self._evaluate("multipliers", q, u, t, inputs, parameters)["multipliers"]
        return _by_name(found, [row.name for row in self.constraints])

    def constraint_rates(
        self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Mapping[str, object] | None = None
    ) -> Floats:
        """Return γ of the constraints' A u̇ = γ (…, number of constraints)."""
        return self._evaluate("constraint_rates", q, u, t, None, parameters)["rates"]

    def embedding(self, independent: Sequence[str] | None = None) -> Embedding:
        """Return the system in independent speeds: those named, or chosen at every state by pivoted QR (001 part 4)."""
        from gyrostat.pipeline.embedding import embedding

        return embedding(self, independent)

    def coordinate_rates(
        self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Mapping[str, object] | None = None
    ) -> Floats:
        """Return q̇ = N(q) u (…, number of coordinates)."""
        return self._evaluate("rates", q, u, t, None, parameters)["qdot"]

    def forward_dynamics_derivatives(
        self,
        q: Values,
        u: Values,
        *,
        t: ArrayLike = 0.0,
        inputs: Values | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> dict[str, Floats]:
        """Return u̇ and its derivatives by q, u and inputs, under "udot", "q", "u" and "inputs"."""
        found = self._evaluate("forward_dynamics_derivatives", q, u, t, inputs, parameters)
        return {"udot": found["udot"], **{name: found[f"udot_{name}"] for name in ("q", "u", "inputs")}}

    # --- observations -------------------------------------------------------------------------------------------

    def body_motion(
        self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Mapping[str, object] | None = None
    ) -> BodyMotions:
        """Return position, rotation, velocity and angular velocity of every body's frame, in world axes."""
        found = self._evaluate("body_motion", q, u, t, None, parameters)
        shape = (*found["positions"].shape[:-1], len(self.bodies), 3)
        positions, velocities, omegas = (found[name].reshape(shape) for name in ("positions", "velocities", "omegas"))
        return BodyMotions(self.bodies, positions, found["rotations"].reshape(*shape, 3), velocities, omegas)

    def force_outputs(
        self,
        q: Values,
        u: Values,
        *,
        t: ArrayLike = 0.0,
        inputs: Values | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> dict[str, dict[str, Floats]]:
        """Return by name what each force element reports: numbers (…), or vectors (…, 3) in world axes."""
        found = self._evaluate("force_outputs", q, u, t, inputs, parameters)["observed"]
        return observed_by_name(self.coordinates, found)

    def momentum(
        self, q: Values, u: Values, *, t: ArrayLike = 0.0, parameters: Mapping[str, object] | None = None
    ) -> Momentum:
        """Return mass, mass centre, linear momentum and angular momentum about the world's origin."""
        found = self._evaluate("momentum", q, u, t, None, parameters)
        return Momentum(found["mass"][..., 0], found["moment"], found["linear"], found["angular"])

    def powers(
        self,
        q: Values,
        u: Values,
        udot: Values | None = None,
        *,
        t: ArrayLike = 0.0,
        inputs: Values | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> Powers:
        """Return the powers that change the energy: of force elements, drivers, rotors with given motion, constraints.

        Without `udot` the motion is that of forward dynamics; then `total` is the rate of `energy(…).total` while
        inputs do not change.
        """
        if udot is None:
            udot = self.forward_dynamics(q, u, t=t, inputs=inputs, parameters=parameters)
        found = self._evaluate("powers", q, u, t, inputs, parameters, udot)
        forces, driven = self.model.forces, self.coordinates.driven
        return Powers(
            _by_name(found["force_powers"], forces),
            _by_name(found["stored_rates"], forces),
            _by_name(found["driver_powers"], driven),
            _by_name(found["rotor_powers"], given_rotors(self.coordinates)),
            _by_name(found["constraint_powers"], working_owners(self.coordinates)),
        )

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
        from gyrostat.pipeline.equation_set import RECURSIVE, equation_set

        if form == RECURSIVE:
            return self.recursive_equations()
        return equation_set(self.coordinates, form, size_limit, progress)

    def cutset(self, branch: str) -> Cutset:
        """Return the cutset equations of a branch of the trees: a joint, or a body (001 part 4)."""
        from gyrostat.pipeline.cutset import cutset

        return cutset(self.coordinates, branch)

    def recursive_equations(self) -> RecursiveEquations:
        """Return the equations of motion as a list of assignments, each common part once: short for large systems."""
        from gyrostat.pipeline.recursive_equations import RecursiveEquations

        return RecursiveEquations(self.coordinates)

    def roberson_schwertassek(self) -> Walkthrough:
        """Return every quantity of the Roberson–Schwertassek method, in the order of its document."""
        from gyrostat.pipeline.walkthrough import Walkthrough

        if self.coordinates.trees is not None:
            raise TopologyError(
                "The Roberson–Schwertassek method has joint coordinates; these are "
                f"{self.coordinates.told}. Use system.in_joint_coordinates, or formulate(model)."
            )
        return Walkthrough(self.equations())

    # --- programs -----------------------------------------------------------------------------------------------

    @cached_property
    def _rigid(self) -> CompiledPrograms:
        return CompiledPrograms(self.coordinates)

    @cached_property
    def _compiled(self) -> CompiledPrograms:
        """Programs that may solve for accelerations; where constraints follow from others these are made a bit soft."""
        return CompiledPrograms(self.coordinates, SOFTNESS) if self.constrained and self.rank.redundant else self._rigid

    def program(self, name: str, *, inputs: Mapping[str, Formula] | None = None) -> Program:
        """Return a native program by name; its ports are t, q, u, z, parameters, inputs, and udot where needed.

        With `inputs`, formulas over signals take the places of these inputs, which are not read then.
        """
        return (self._rigid if name in WITHOUT_SOLUTION else self._compiled).named(name, inputs)

    def signals(
        self, formulas: Mapping[str, Formula], *, inputs: Mapping[str, Formula] | None = None
    ) -> SignalPrograms:
        """Return programs for values and rates of formulas over signals, by any names: see `signal_readers`."""
        from gyrostat.pipeline.signals import signal_programs

        return signal_programs(self._compiled, formulas, inputs)

    def linear_outputs(self, names: Iterable[str]) -> tuple[tuple[str, ...], Program]:
        """Return outputs by name, vectors by components, and the program of their derivatives at given u̇ and loads."""
        from gyrostat.pipeline.linear_outputs import OutputNames, linear_output_program

        rows = [(row.owner, row.name) for row in self.constraints] if self.constrained else []
        return linear_output_program(self._rigid, OutputNames.of(self.coordinates, rows), names)

    def parameter_values(self, parameters: Mapping[str, object] | None = None) -> Floats:
        """Return the values of all parameters in order, some of them changed."""
        known = self.model.values(parameters)
        missing = [name for name in self.model.parameters if name not in known]
        if missing:
            raise StateError(f"Parameter {missing[0]!r} has no value. Give one: parameters={{{missing[0]!r}: …}}.")
        return np.array([known[name] for name in self.model.parameters], dtype=float)

    def _evaluate(
        self,
        name: str,
        q: Values,
        u: Values | None,
        t: ArrayLike,
        inputs: Values | None,
        parameters: Mapping[str, object] | None,
        udot: Values | None = None,
    ) -> dict[str, Floats]:
        program = self.program(name)
        zeros = (0.0,) * len(self.inputs)
        parts = [
            time_of(t),
            column_of(q, self.coordinate_names, self.initial_coordinates.tolist(), "coordinate"),
            column_of(u, self.speed_names, self.initial_speeds.tolist(), "speed"),
            np.empty(0),
            self.parameter_values(parameters),
            column_of(inputs, self.inputs, zeros, "input"),
        ]
        if RECIPES[name].udot:
            parts.append(column_of(udot, self.speed_names, (0.0,) * self.coordinates.n_u, "acceleration of speed"))
        return evaluated(program, self.coordinates, parts)


def _by_name(columns: Floats, names: Iterable[str]) -> dict[str, Floats]:
    """Return the last axis of an array by name."""
    return {name: columns[..., i] for i, name in enumerate(names)}
