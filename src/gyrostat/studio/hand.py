"""Driving by hand: a model with a spring from each body to the pointer, and a load on each joint."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gyrostat.analysis.simulation.simulate import simulate
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.coordinates.row import StateParts
from gyrostat.model.forces import Actuator, Bushing
from gyrostat.model.states import Delay
from gyrostat.pictures.animation.viewpoint import Viewpoint
from gyrostat.shown.trajectory_scene import Scenery
from gyrostat.studio.base import StudioBase, quiet
from gyrostat.studio.consistent_values import consistent_values
from gyrostat.studio.overrides import Overrides
from gyrostat.system import System, formulate

_HAND_FREQUENCY = 1.5
"""The frequency (Hz) at which the whole mass would swing on the hand's spring."""
_HAND_DAMPING = 0.7
_GRAVITY = 9.81
_RUN_SECONDS = 1.0
"""Computing time of one short run, after which the motion waits for the computer."""


@dataclass(frozen=True, eq=False)
class DrivenSystem:
    """A system with the hand's springs and loads; `base` is the system without them, by which it is drawn."""

    base: StudioBase
    system: System
    prefix: str
    pushes: Mapping[str, str]
    """Names of coordinates, by the name of the load that the hand puts on them."""

    @staticmethod
    def of(base: StudioBase) -> DrivenSystem:
        """Formulate the driven system: a spring for each body, switched off, and loads where no actuator is."""
        model = base.source.copy()
        prefix = _free_name(model.flattened())
        for axis in "xyz":
            model.set_parameter(f"{prefix}_at_{axis}", 0.0)
            model.set_parameter(f"{prefix}_to_{axis}", 0.0)
        model.set_parameter(f"{prefix}_damping", 0.0)
        to: Any = tuple(f"{prefix}_to_{axis}" for axis in "xyz")
        at: Any = tuple(f"{prefix}_at_{axis}" for axis in "xyz")
        for k, body in enumerate(base.system.bodies):
            stiffness = f"{prefix}_stiffness_{k}"
            model.set_parameter(stiffness, 0.0)
            ends: tuple[Any, Any] = (("ground", to), (body, at))
            along: Any = (stiffness,) * 3, (f"{stiffness}*{prefix}_damping",) * 3
            model.add(Bushing(f"{prefix}_{k}", *ends, *along))
        pushes: dict[str, str] = {}
        held = {force.joint for force in base.system.model.forces.values() if isinstance(force, Actuator)}
        for name, joint in base.system.model.joints.items():
            if len(joint.coordinates) == 1 and name not in held and not joint.driven:
                model.add(Actuator(f"{prefix}_push_{len(pushes)}", name))
                pushes[f"{prefix}_push_{len(pushes)}"] = name
        return DrivenSystem(base, formulate(model), prefix, pushes)

    def mass(self, overrides: Overrides) -> float:
        """Return the mass of all bodies, one where they have none."""
        model = self.base.system.model
        value = model.evaluator(dict(overrides.parameters))
        return sum(float(body.mass_properties(value).mass) for body in model.bodies.values()) or 1.0

    def spring(self, overrides: Overrides) -> tuple[float, float]:
        """Return the stiffness of the hand's spring, from the mass of all bodies, and its damping per stiffness."""
        rate = 2 * math.pi * _HAND_FREQUENCY
        return self.mass(overrides) * rate**2, 2 * _HAND_DAMPING / rate

    def usual_load(self, overrides: Overrides) -> float:
        """Return a load that moves the mechanism visibly: that of its weight at its usual lever."""
        return self.mass(overrides) * _GRAVITY * self.base.system.model_size


@dataclass
class HandState:
    """State of the hand: the body that it holds, at a point of it, the place of the pointer, and loads."""

    body: str | None = None
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    inputs: dict[str, float] = field(default_factory=dict)

    def parameters(self, driven: DrivenSystem, overrides: Overrides) -> dict[str, object]:
        """Return the parameters of the driven system."""
        prefix, found = driven.prefix, dict(overrides.parameters)
        if self.body is None:
            return found
        stiffness, damping = driven.spring(overrides)
        found[f"{prefix}_stiffness_{driven.base.system.bodies.index(self.body)}"] = stiffness
        found[f"{prefix}_damping"] = damping
        for k, axis in enumerate("xyz"):
            found[f"{prefix}_at_{axis}"] = self.point[k]
            found[f"{prefix}_to_{axis}"] = self.target[k]
        return found


@dataclass
class HandDrive:
    """A motion in real time that the hand drives, advanced in short runs."""

    driven: DrivenSystem
    overrides: Overrides
    time: float = 0.0
    last: Trajectory | None = None
    start: Mapping[str, float] | None = None
    """The state from which the motion begins, by name; without it, the initial values."""

    def advance(self, seconds: float, hand: HandState) -> Trajectory:
        """Go on by some seconds of simulated time; return the short run."""
        system = self.driven.system
        begin: Any = self.start if self.start is not None else consistent_values(system, self.overrides)
        if self.last is not None:
            past = any(isinstance(one, Delay) for one in system.model.components.values())
            begin = self.last if past else self.last.state
        known = system.model.inputs
        with quiet():
            run = simulate(
                system,
                times=[self.time, self.time + seconds],
                initial=begin,
                inputs={name: value for name, value in hand.inputs.items() if name in known},
                parameters=hand.parameters(self.driven, self.overrides),
                progress=False,
                most_seconds=_RUN_SECONDS,
            )
        self.last, self.time = run, float(run.time[-1])
        return run

    def scenery(self, extent: Viewpoint | None = None) -> Scenery:
        """Return the present state of the system without the hand, for drawing; `extent` sizes the marks."""
        assert self.last is not None
        base, states = self.driven.base.system, self.last.states
        state = StateParts(*(np.asarray(part[-1]) for part in states))
        row = base.row.of(self.time, state, base.parameter_values(dict(self.overrides.parameters)))
        return Scenery(base, row[None, :], extent=extent)


def _free_name(model: Any) -> str:
    """Return the beginning of names that the model does not use."""
    names = {*model.components, *model.parameters}
    prefix = "hand"
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    return prefix
