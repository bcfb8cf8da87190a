"""Exudyn: the arm with servos, its motors, controllers and reference as a linear system of second order.

Exudyn couples states of first order with a tree by Python functions only, called in each stage. Its native objects
express the same equations in other variables: of a motor the charge Q with Q′ = i, of a controller ∫∫e with the rate
∫e, and the reference as the motion of an oscillator, all coupled with the tree by constant matrices. Sampled voltages
are set by a Python function before each step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import exudyn as exu
import numpy as np
from exudyn.itemInterface import NodeGenericODE2, ObjectGenericODE2, ObjectKinematicTree
from servo_models import SAMPLE_PERIOD, Servos

from peers.exudyn import kinematic_tree
from peers.exudyn_motion import solve, solver_settings, solvers_of
from peers.solver import Found, Solver
from peers.tree import Floats, Tree


@dataclass(frozen=True)
class _Arm:
    """A system with the tree's coordinates first; `container` owns it, `servo` is the number of the linear object."""

    container: Any
    system: Any
    servo: int


def exudyn_servos(tree: Tree, servos: Servos, duration: float, *, step: float, tolerance: float) -> list[Solver]:
    """Return motions under continuous control, from rest at zero."""
    joints = len(tree.links)
    arm = _continuous(tree, servos, np.zeros(3 * joints + 1), np.zeros(3 * joints + 1))

    def coordinates() -> Floats:
        return tree.back(np.array(arm.system.systemData.GetODE2Coordinates()[:joints]))

    return solvers_of(arm.system, coordinates, duration, step=step, tolerance=tolerance)


def exudyn_sampled_servos(tree: Tree, servos: Servos, duration: float) -> list[Solver]:
    """Return the motion under sampled control, by whole numbers of steps between samples."""
    joints, samples = len(tree.links), round(duration / SAMPLE_PERIOD)
    arm, law = _sampled(tree, servos), servos.sampled_law()
    system = arm.system

    def solver(method: str, kind: Any, order: float) -> Solver:
        def run(step: float) -> Found:
            steps = max(1, round(SAMPLE_PERIOD / step))
            count = -1

            def before_step(system: Any, t: float) -> bool:
                nonlocal count
                count += 1
                if count % steps == 0:
                    data = system.systemData
                    q, u = data.GetODE2Coordinates()[:joints], data.GetODE2Coordinates_t()[:joints]
                    voltage = law(count // steps * SAMPLE_PERIOD, q, u)
                    system.SetObjectParameter(arm.servo, "forceVector", np.append(np.zeros(joints), voltage))
                return True

            system.SetPreStepUserFunction(before_step)
            settings = solver_settings(duration)
            settings.timeIntegration.numberOfSteps = samples * steps
            solve(system, settings, kind)
            return Found(tree.back(np.array(system.systemData.GetODE2Coordinates()[:joints])))

        return Solver("Exudyn", f"{method}, law in Python", "step at most", run, SAMPLE_PERIOD, order)

    kinds = exu.DynamicSolverType
    return [solver("RK44", kinds.RK44, 4.0), solver("ExplicitMidpoint", kinds.ExplicitMidpoint, 2.0)]


def exudyn_servo_rates(tree: Tree, servos: Servos, t: float, state: tuple[Floats, ...]) -> tuple[Floats, Floats]:
    """Return accelerations and rates of currents in a state (q, u, integrals, currents), by one Euler step."""
    joints = len(tree.links)
    q, u, integral, current = (tree.outwards(part) for part in state)
    angle, _ = servos.reference(t)
    w = servos.frequency
    begin = np.concatenate((q, 0 * q, integral, [1 - np.cos(w * t)]))
    speed = np.concatenate((u, current, angle - q, [w * np.sin(w * t)]))
    arm = _continuous(tree, servos, begin, speed)
    settings = solver_settings(1.0)
    settings.timeIntegration.numberOfSteps = 1
    solve(arm.system, settings, exu.DynamicSolverType.ExplicitEuler)
    after = np.array(arm.system.systemData.GetODE2Coordinates_t()) - speed
    return tree.back(after[:joints]), tree.back(after[joints : 2 * joints])


def _continuous(tree: Tree, servos: Servos, q: Floats, u: Floats) -> _Arm:
    """Return the arm with coordinates (angles, charges, ∫∫e, 1 − cos ω t)."""
    n = len(tree.links)
    kp, ki, kd = (_volts(servos) * np.array(servos.gains)).T
    a, w = np.array(servos.amplitudes), servos.frequency
    angles, charges, integrals = (np.arange(i * n, (i + 1) * n) for i in range(3))
    M, D, K, f = (np.zeros((3 * n + 1,) * size) for size in (2, 2, 2, 1))
    M[charges, charges], M[integrals, integrals], M[-1, -1] = servos.inductance, 1.0, 1.0
    D[angles, charges] = -servos.transmission
    D[charges, charges], D[charges, angles], D[charges, -1] = servos.resistance, kd, -kd * a
    K[charges, angles], K[charges, integrals], K[charges, -1] = kp, -ki, -kp * a
    D[integrals, angles], D[integrals, -1] = 1.0, -a
    K[-1, -1], f[-1] = w**2, w**2
    return _assembled(tree, (M, D, K, f), q, u)


def _sampled(tree: Tree, servos: Servos) -> _Arm:
    """Return the arm with coordinates (angles, charges), from rest at zero; voltages are forces on the charges."""
    n = len(tree.links)
    angles, charges = np.arange(n), np.arange(n, 2 * n)
    M, D, K = (np.zeros((2 * n, 2 * n)) for _ in range(3))
    M[charges, charges] = servos.inductance
    D[angles, charges] = -servos.transmission
    D[charges, charges], D[charges, angles] = servos.resistance, servos.transmission
    return _assembled(tree, (M, D, K, np.zeros(2 * n)), np.zeros(2 * n), np.zeros(2 * n))


def _volts(servos: Servos) -> float:
    """Return R/(N K): volts for a torque."""
    return servos.resistance / servos.transmission


def _assembled(tree: Tree, linear: tuple[Floats, ...], q: Floats, u: Floats) -> _Arm:
    """Return the tree on one node, with a linear system on this and another node."""
    container = exu.SystemContainer()
    system = container.AddSystem()
    joints = len(tree.links)
    nodes = [
        system.AddNode(
            NodeGenericODE2(
                referenceCoordinates=np.zeros(len(q[part])),
                initialCoordinates=q[part],
                initialCoordinates_t=u[part],
                numberOfODE2Coordinates=len(q[part]),
            )
        )
        for part in (slice(joints), slice(joints, None))
    ]
    system.AddObject(ObjectKinematicTree(nodeNumber=nodes[0], gravity=tree.gravity, **kinematic_tree(tree)))
    M, D, K, f = linear
    servo = system.AddObject(
        ObjectGenericODE2(nodeNumbers=nodes, massMatrix=M, dampingMatrix=D, stiffnessMatrix=K, forceVector=f)
    )
    system.Assemble()
    return _Arm(container, system, servo)
