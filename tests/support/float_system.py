"""A system's mechanics on plain numbers, and on CasADi's virtual machine: nothing is compiled.

The formulas are those that native programs are made from. Hundreds of random mechanisms are tried in the time that
compiling a dozen takes; that native programs compute the same is tested by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from random_trees import Floats

import gyrostat as gs
from gyrostat.equations import articulated_body, composite_body, energy, newton_euler
from gyrostat.equations.loads import applied_loads
from gyrostat.equations.velocity_transformation import About, VelocityTransformation, velocity_transformation
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.tree_motion import Tree, build_tree
from gyrostat.kinematics.world import WorldMotion, coordinate_rates
from gyrostat.model.forces import PointMotion
from gyrostat.model.kinds import End
from gyrostat.recipes import RECIPES, build_function
from gyrostat.spatial import apply


@dataclass(frozen=True)
class FloatSystem:
    """A system whose methods run the formulas on plain numbers."""

    system: gs.System
    parameters: Mapping[str, float] | None = None

    @cached_property
    def tree(self) -> Tree:
        """The links."""
        return build_tree(self.system.coordinates, self.system.model.evaluator(self.parameters))

    @property
    def n_u(self) -> int:
        """The number of speeds."""
        return self.system.coordinates.n_u

    def motion(
        self, q: ArrayLike, u: ArrayLike, t: float = 0.0, inputs: Mapping[str, float] | None = None
    ) -> WorldMotion:
        """Return the motion at a state, with the initial values of state variables; inputs not given are zero."""
        given = {name: (inputs or {}).get(name, 0.0) for name in self.system.inputs}
        z = dict(zip(self.system.state_names, self.system.initial_states.tolist(), strict=True))
        return self.tree.at(MotionState(np.asarray(q).tolist(), np.asarray(u).tolist(), t, given, z))

    def forward_dynamics(
        self, q: ArrayLike, u: ArrayLike, *, t: float = 0.0, inputs: Any = None, loads: ArrayLike = 0.0
    ) -> Floats:
        """Return u̇ by the articulated-body recursion, under the model's forces and further loads on the speeds."""
        motion = self.motion(q, u, t, inputs)
        applied = applied_loads(motion)
        on_speeds = tuple((np.array(applied.on_speeds, dtype=float) + loads).tolist())
        return np.array(articulated_body.forward_dynamics(motion, replace(applied, on_speeds=on_speeds)), dtype=float)

    def inverse_dynamics(
        self, q: ArrayLike, u: ArrayLike, udot: ArrayLike, *, t: float = 0.0, inputs: Any = None
    ) -> Floats:
        """Return the loads on speeds by the Newton–Euler recursion."""
        rates = np.asarray(udot).tolist()
        return np.array(newton_euler.inverse_dynamics(self.motion(q, u, t, inputs), rates), dtype=float)

    def mass_matrix(self, q: ArrayLike, *, t: float = 0.0) -> Floats:
        """Return M by the composite-body recursion."""
        matrix = np.zeros((self.n_u, self.n_u))
        for (i, j), entry in composite_body.mass_matrix(self.motion(q, np.zeros(self.n_u), t)).items():
            matrix[i, j] = matrix[j, i] = entry
        return matrix

    def energy(self, q: ArrayLike, u: ArrayLike, *, t: float = 0.0, inputs: Any = None) -> energy.Energy:
        """Return the energies."""
        return energy.energy(self.motion(q, u, t, inputs))

    def total_energy(self, q: ArrayLike, u: ArrayLike, *, t: float = 0.0, inputs: Any = None) -> float:
        """Return all energy together."""
        found = self.energy(q, u, t=t, inputs=inputs)
        return float(found.kinetic + found.gravity + sum(found.stored.values()))

    def coordinate_rates(self, q: ArrayLike, u: ArrayLike, *, t: float = 0.0) -> Floats:
        """Return q̇."""
        return np.array(coordinate_rates(self.tree, self.motion(q, u, t).state), dtype=float)

    def end(self, end: End, q: ArrayLike, u: ArrayLike, t: float = 0.0) -> PointMotion:
        """Return the motion of a place on a body, in world axes."""
        return self.motion(q, u, t).end(end)

    def poses(self, q: ArrayLike, *, t: float = 0.0) -> dict[str, tuple[Floats, Floats]]:
        """Return R_WB and r_WB_W of every body."""
        motion = self.motion(q, np.zeros(self.n_u), t)
        ends = {body: motion.end(End(body)) for body in self.system.bodies}
        return {body: (np.array(end.rotation, float), np.array(end.position, float)) for body, end in ends.items()}

    def reactions(
        self, q: ArrayLike, u: ArrayLike, udot: ArrayLike, *, t: float = 0.0, inputs: Any = None
    ) -> dict[str, tuple[Floats, Floats]]:
        """Return force and moment of each joint's parent on its child at the child's joint point, world axes."""
        motion = self.motion(q, u, t, inputs)
        found = newton_euler.joint_loads(motion, np.asarray(udot).tolist())
        result: dict[str, tuple[Floats, Floats]] = {}
        for i, link in enumerate(motion.tree.links):
            load, R_WH = found.reaction(i), motion.pose(i).R_WH
            force, moment = apply(R_WH, load.force), apply(R_WH, load.moment)
            result[link.joint.name] = (np.array(force, float), np.array(moment, float))
        return result

    def driver_loads(
        self, q: ArrayLike, u: ArrayLike, udot: ArrayLike, *, t: float = 0.0, inputs: Any = None
    ) -> dict[str, float]:
        """Return the load of each driver."""
        found = newton_euler.joint_loads(self.motion(q, u, t, inputs), np.asarray(udot).tolist())
        return found.driver_loads()

    def velocity_transformation(
        self, q: ArrayLike, u: ArrayLike, about: About, *, t: float = 0.0, inputs: Any = None
    ) -> VelocityTransformation:
        """Return B and the Cartesian equations."""
        return velocity_transformation(self.motion(q, u, t, inputs), about)


def float_system(model: gs.Model, **choice: Any) -> FloatSystem:
    """Return the system of a model on plain numbers."""
    return FloatSystem(gs.formulate(model, **choice))


def virtual_outputs(system: gs.System, name: str, arguments: Mapping[str, ArrayLike]) -> dict[str, Floats]:
    """Return the outputs of one of a system's traced functions, run on CasADi's virtual machine."""
    function = build_function(name, RECIPES[name], system.coordinates)
    given = [np.asarray(arguments.get(function.name_in(i), []), dtype=float) for i in range(function.n_in())]
    outputs = function.call(given)
    return {function.name_out(i): np.array(output.full()) for i, output in enumerate(outputs)}
