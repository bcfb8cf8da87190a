"""One state of a mechanism in several choices of coordinates, and invariants of the choice.

Functions are traced and run on CasADi's virtual machine, so that nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from random_trees import Floats

import gyrostat as gs
from gyrostat.closing.mapped_state import mapped_state
from gyrostat.coordinates.row import StateParts
from gyrostat.equations.dynamics import inverse_dynamics, mass_matrix
from gyrostat.equations.energy import energy
from gyrostat.equations.momentum import momentum
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.world import WorldMotion, coordinate_rates
from gyrostat.model.kinds import End
from gyrostat.recipes import RECIPES, SOFTNESS, Recipe, Trace, build_function, constraints_of, symmetric_sx
from gyrostat.scalar.algebra import negate
from gyrostat.scalar.traced import column


@dataclass(frozen=True, eq=False)
class Instant:
    """A system at a state, at a time, with inputs."""

    system: gs.System
    q: Floats
    u: Floats
    t: float
    inputs: Mapping[str, float]

    def seen_in(self, other: gs.System) -> Instant:
        """Return the same instant in the coordinates of another system."""
        q, u, _ = mapped_state(self.system, other, StateParts(self.q, self.u, np.empty(0)), self.t, None)
        return Instant(other, q, u, self.t, self.inputs)

    @cached_property
    def motion(self) -> WorldMotion:
        """The motion on plain numbers."""
        mechanism = build_mechanism(self.system.coordinates, self.system.model.evaluator())
        return mechanism.at(MotionState(self.q.tolist(), self.u.tolist(), self.t, self._given))

    @property
    def _given(self) -> dict[str, float]:
        return {name: self.inputs.get(name, 0.0) for name in self.system.inputs}

    def _outputs(self, recipe: Recipe, udot: Floats | None = None, softness: float = 0.0) -> dict[str, Floats]:
        function = build_function("outputs", recipe, self.system.coordinates, softness=softness)
        given = {
            "t": self.t,
            "q": self.q,
            "u": self.u,
            "z": [],
            "inputs": list(self._given.values()),
            "udot": udot,
            "parameters": self.system.parameter_values(),
        }
        found = function.call([given[function.name_in(i)] for i in range(function.n_in())])
        return {function.name_out(i): np.array(part.full()) for i, part in enumerate(found)}

    # --- what decides the motion --------------------------------------------------------------------------------

    @cached_property
    def _terms(self) -> dict[str, Floats]:
        return self._outputs(Recipe(_terms))

    @property
    def mass_matrix(self) -> Floats:
        """M(q) of this choice."""
        return self._terms["mass"]

    @property
    def open_by(self) -> float:
        """How far the constraints are from being obeyed, by positions and by speeds."""
        return float(np.abs([*self._terms["residuals"].flat, *self._terms["speeds"].flat, 0.0]).max())

    @cached_property
    def condition(self) -> float:
        """The condition of the equations of motion, with rows of unit length, among the independent ones."""
        matrix, _ = self._equations
        sizes = np.linalg.svd(matrix, compute_uv=False)
        return float(sizes[0] / sizes[sizes > 1e-10 * sizes[0]][-1])

    @cached_property
    def determinate(self) -> bool:
        """Whether no constraint follows from others."""
        rows = self._terms["matrix"]
        return not rows.size or bool(np.linalg.matrix_rank(rows, tol=1e-8) == len(rows))

    @cached_property
    def _equations(self) -> tuple[Floats, Floats]:
        terms = self._terms
        rows, mass = terms["matrix"], terms["mass"]
        whole = np.block([[mass, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
        return whole, np.concatenate((terms["forcing"][:, 0], terms["gamma"][:, 0]))

    @cached_property
    def udot(self) -> Floats:
        """The rates of the speeds, from equations that NumPy solves; redundant rows are allowed."""
        found = np.linalg.lstsq(*self._equations, rcond=1e-11)[0]
        return np.asarray(found[: len(self.u)])

    @cached_property
    def factored_udot(self) -> Floats:
        """The rates of the speeds as programs find them, where no constraint follows from others."""
        return self._outputs(RECIPES["forward_dynamics"])["udot"][:, 0]

    # --- what does not depend on the choice ---------------------------------------------------------------------

    @cached_property
    def accelerations(self) -> Floats:
        """The accelerations of all bodies' frames, angular and linear, in world axes, by the order of the model."""
        return self._outputs(Recipe(_accelerations, udot=True), self.udot)["accelerations"][:, 0]

    @cached_property
    def velocities(self) -> Floats:
        """The velocities of all bodies' frames, with their positions and rotations."""
        ends = [self.motion.end(End(body)) for body in self.system.model.bodies]
        parts = [(*end.omega, *end.velocity, *end.position, *(x for row in end.rotation for x in row)) for end in ends]
        return np.array(parts, dtype=float)

    @cached_property
    def energies(self) -> Floats:
        """Kinetic energy, and the energies of gravity and of force elements."""
        found = energy(self.motion)
        return np.array([found.kinetic, found.gravity, *found.stored.values()], dtype=float)

    @cached_property
    def momenta(self) -> Floats:
        """Linear and angular momentum of all bodies together."""
        found = momentum(self.motion)
        return np.array([*found.linear, *found.angular], dtype=float)

    @cached_property
    def _loads(self) -> dict[str, Floats]:
        return self._outputs(RECIPES["reactions"], self.udot, 0.0 if self.determinate else SOFTNESS)

    @cached_property
    def multipliers(self) -> Floats:
        """The loads along the rows of constraints."""
        return self._outputs(RECIPES["multipliers"], softness=0.0 if self.determinate else SOFTNESS)["multipliers"][
            :, 0
        ]

    @property
    def rows(self) -> Floats:
        """A(q) of the constraints."""
        return self._terms["matrix"]

    @property
    def reactions(self) -> dict[str, Floats]:
        """Force and moment in each joint."""
        loads = np.hstack([self._loads[part].reshape(-1, 3) for part in ("forces", "moments")])
        return dict(zip(self.system.loaded_joints, loads, strict=True))

    @property
    def driver_loads(self) -> dict[str, float]:
        """The load of each driver."""
        names = self.system.coordinates.all_driven
        return dict(zip(names, self._loads["drivers"][:, 0].tolist(), strict=True))

    @property
    def measured(self) -> dict[str, float]:
        """All coordinates of joints but Euler parameters, with their rates, and all speeds, by name."""
        joints = self.system.topology.joints.values()
        names = [joint.full_name(c.label) for joint in joints for c in joint.coordinates if c.measure != "number"]
        speeds = [name for joint in joints for name in joint.speed_names]
        return {name: float(self.motion.quantity(name)) for name in (*names, *(f"{n}.rate" for n in names), *speeds)}


def _terms(trace: Trace) -> dict[str, Any]:
    """Return M, forcing, A, γ, residuals and speeds of constraints."""
    import casadi

    found = constraints_of(trace)
    still: list[Any] = [0] * len(trace.rates)
    return {
        "mass": casadi.densify(symmetric_sx(mass_matrix(trace.motion), len(still))),
        "forcing": column(negate(load) for load in inverse_dynamics(trace.motion, still)),
        "matrix": casadi.densify(found.sx),
        "gamma": found.rates,
        "residuals": found.residuals,
        "speeds": found.speeds,
    }


def _accelerations(trace: Trace) -> dict[str, Any]:
    """Return the derivatives of all bodies' velocities in time."""
    import casadi

    motion, arguments = trace.motion, trace.arguments
    ends = [motion.end(End(body)) for body in motion.tree.coordinates.topology.model.bodies]
    velocities = column(x for end in ends for x in (*end.omega, *end.velocity))
    state = casadi.vertcat(arguments["q"], arguments["u"], arguments["t"])
    moving = casadi.vertcat(column(coordinate_rates(motion.tree, motion.state)), arguments["udot"], 1)
    return {"accelerations": casadi.densify(casadi.jtimes(velocities, state, moving))}


def with_principal_angles(system: gs.System, q: Floats) -> Floats:
    """Return coordinates whose sequences of three angles are those that an orientation is measured by.

    Two sequences make each orientation; where the first and last axis are the same, the second angle tells them apart.
    """
    q = q.copy()
    for name, layout in system.coordinates.joints.items():
        angles = getattr(system.topology.joints[name], "angles", None)
        if angles and angles[0] == angles[2] and isinstance(layout.coordinates[1], int):
            q[layout.coordinates[1]] = abs(q[layout.coordinates[1]])
    return q


def random_trees_of(system: gs.System, rng: np.random.Generator) -> gs.Trees:
    """Return two random spanning trees of a mechanism's joints and bodies; a screw is in both or in none.

    Arms of flexible bodies are in both.
    """
    joints = system.topology.joints
    edges = {name: ("ground", name) for name in system.topology.bodies}
    edges |= {name: (joint.parent.body, joint.child.body) for name, joint in joints.items()}
    screws = {name for name, joint in joints.items() if isinstance(joint, gs.Screw)}
    arms = [name for name, joint in joints.items() if joint.flexible]
    first = _spanning(edges, [*arms, *rng.permutation(list(edges)).tolist()])
    shared = [*arms, *(name for name in first if name in screws)]
    others = [name for name in rng.permutation(list(edges)).tolist() if name not in screws]
    return gs.Trees(first, _spanning(edges, [*shared, *others]))


def _spanning(edges: Mapping[str, tuple[str, str]], order: list[str]) -> list[str]:
    """Return the spanning tree that takes edges in an order where they close no circuit."""
    part = {vertex: vertex for ends in edges.values() for vertex in ends}
    found = []
    for name in order:
        a, b = (part[end] for end in edges[name])
        if a != b:
            found.append(name)
            part = {vertex: b if of == a else of for vertex, of in part.items()}
    return found
