"""Drake: spheres in contact with each other and with half-spaces, by its discrete solvers of point contact.

Contacts are springs with Hunt and Crossley's dissipation, which become rigid as steps become short; the dissipation is
that of the restitution at the speed of the first impact of the bounce. SAP was tried beside the two below: it takes as
long as Lagged, and is less accurate in sliding (8e-4 for 6e-5 m in steps of 0.5 ms).
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
from pydrake.geometry import HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph,
    CoulombFriction,
    DiscreteContactApproximation,
    MultibodyPlant,
)
from pydrake.multibody.tree import RigidBody, SpatialInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from sphere_models import GRAVITY, MU, RADIUS, RESTITUTION, Floats, Spheres, contact_frequency

from gyrostat.model.contacts.restitution import impact_damping
from gyrostat.scalar import FloatScalars
from peers.solver import Found, Solver

_SPEED = 3.13
"""Speed of the first impact of the bounce (m/s)."""
_DENSE = 100
"""Number of spheres up to which TAMSI is tried: it factorises dense matrices, and of 1000 spheres in a box it had not
ended 150 steps after three minutes.
"""
_METHODS = {
    "Lagged": DiscreteContactApproximation.kLagged,
    "TAMSI": DiscreteContactApproximation.kTamsi,
}


def drake_spheres(spheres: Spheres, *, first: float, mean: bool) -> list[Solver]:
    """Return motions of spheres; their end is the place of the last one, or the mean height of all."""
    tried = {name: kind for name, kind in _METHODS.items() if name != "TAMSI" or len(spheres.centres) <= _DENSE}
    return [_solver(spheres, name, kind, first=first, mean=mean) for name, kind in tried.items()]


def _solver(spheres: Spheres, name: str, kind: DiscreteContactApproximation, *, first: float, mean: bool) -> Solver:
    def run(step: float) -> Found:
        steps = max(1, round(spheres.duration / step))
        moved = [_moved(spheres, lift, steps, kind) for lift in spheres.lifts]
        ends = [np.array([places[:, 2].mean()]) if mean else places[-1] for places, _ in moved]
        return Found(np.concatenate(ends), sum(seconds for _, seconds in moved))

    return Solver("Drake", name, "step", run, first, 1.0)


def _moved(spheres: Spheres, lift: float, steps: int, kind: DiscreteContactApproximation) -> tuple[Floats, float]:
    """Return the places of all spheres at the end, and the seconds of the simulator."""
    step = spheres.duration / steps
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=step)
    plant.set_discrete_contact_approximation(kind)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -GRAVITY])
    bodies = _fill(plant, spheres, contact_frequency(step))
    plant.Finalize()
    simulator = Simulator(builder.Build())
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for body, centre in zip(bodies, spheres.centres + np.array([0, 0, lift]), strict=True):
        plant.SetFreeBodyPose(context, body, RigidTransform(centre))
        plant.SetFreeBodySpatialVelocity(context, body, SpatialVelocity(w=[0, 0, 0], v=[spheres.speed, 0, 0]))
    simulator.Initialize()
    began = perf_counter()
    simulator.AdvanceTo(spheres.duration)
    seconds = perf_counter() - began
    return np.array([plant.EvalBodyPoseInWorld(context, body).translation() for body in bodies]), seconds


def _fill(plant: MultibodyPlant, spheres: Spheres, frequency: float) -> list[RigidBody]:
    """Add spheres and walls whose contacts have a frequency (rad/s)."""
    surface = ProximityProperties()
    dissipation = impact_damping(RESTITUTION, FloatScalars()) / _SPEED
    surface.AddProperty("material", "point_contact_stiffness", 2 * frequency**2)  # of each side, in series
    surface.AddProperty("material", "hunt_crossley_dissipation", float(dissipation))
    surface.AddProperty("material", "relaxation_time", 0.0)
    surface.AddProperty("material", "coulomb_friction", CoulombFriction(MU, MU))
    width = spheres.width
    planes: list[tuple[list[float], list[float]]] = [([0, 0, 1], [0, 0, 0])]
    if width is not None:
        planes += [([1, 0, 0], [0, 0, 0]), ([-1, 0, 0], [width, 0, 0])]
        planes += [([0, 1, 0], [0, 0, 0]), ([0, -1, 0], [0, width, 0])]
    for i, (normal, place) in enumerate(planes):
        pose = RigidTransform(RotationMatrix.MakeFromOneVector(normal, 2), place)
        plant.RegisterCollisionGeometry(plant.world_body(), pose, HalfSpace(), f"wall{i}", surface)
    bodies = []
    for i in range(len(spheres.centres)):
        body = plant.AddRigidBody(f"b{i}", SpatialInertia.SolidSphereWithMass(1.0, RADIUS))
        plant.RegisterCollisionGeometry(body, RigidTransform(), Sphere(RADIUS), f"s{i}", surface)
        bodies.append(body)
    return bodies
