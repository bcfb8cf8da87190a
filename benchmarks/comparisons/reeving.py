"""A hoist with a winch over a sheave, beside Exudyn's reeving system and MuJoCo's tendon, and its cost per sheave.

The load hangs on an elastic rope without mass that a drum takes in, and swings. The reference is the motion of a point
under the tension of the rope, whose tangent on the sheave has a closed form. MuJoCo cannot wind a rope: the length of
its tendon is set before each step, and a site on the sheave guides it.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

import gyrostat as gs
from comparisons.matching import MotionRow

MASS, EA, DAMPING, LENGTH, RADIUS, SPEED, GRAVITY = 500.0, 5e6, 1e5, 13.24, 0.2, 0.25, 9.81
START, FAR, DURATION, TARGET = (1.0, -9.9), 3.0, 5.0, 0.05
LEVELS = (1e-3, 1e-5, 1e-7, 1e-9)
"""Errors at which the costs are compared (m)."""
METHODS = tuple(method(10.0**-k, 10.0 ** -(k + 2)) for k in range(2, 9) for method in (gs.DOP853, gs.Rodas5P))
STEPS = {
    "Exudyn": (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5),
    "MuJoCo": (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5),
}
"""Methods and steps (s) among which the cheapest with at most such an error is taken, for all programs alike."""


@dataclass(frozen=True)
class Trial:
    """A motion by some method or step: processor seconds, and the error at its end (m)."""

    method: str
    seconds: float
    error: float


@dataclass(frozen=True)
class SheaveRow:
    """A rope over so many sheaves: seconds to the first step, of a simulated second, and steps."""

    sheaves: int
    ready: float
    seconds: float
    steps: int

    @property
    def per_sheave(self) -> float:
        """Seconds for each sheave and step."""
        return self.seconds / (self.sheaves * self.steps)


def hoist() -> gs.Model:
    """Return the load on a rope over the sheave at the origin, whose other end is at a drum."""
    model = gs.Model("hoist", gravity=(0, -GRAVITY, 0))
    model.add(gs.Body("load", gs.point_mass(MASS)))
    x, y = START
    model.add(gs.Planar("j", "ground", "load", initial={"x": x, "y": y}, driven={"angle": "0"}))
    tip = gs.Pulley("tip", "ground", RADIUS, "right")
    path = [("ground", (-FAR, RADIUS, 0)), tip, "load"]
    model.add(gs.Reeving("rope", path, length=LENGTH, EA=EA, damping=DAMPING, tightening=1e-9))
    model.add(gs.Winch("winch", "rope", speed=-SPEED))
    return model


def reference(t: float, *, carried: bool) -> tuple[float, float]:
    """Return the place of the load from the motion of a point under the tension.

    Rope that the drum takes in has strain, which our damping counts (`carried`) and that of the peers does not.
    """

    def rates(t: float, state: np.ndarray) -> list[float]:
        x, y, vx, vy = state
        own = LENGTH - SPEED * t
        size = x * x + y * y
        free = math.sqrt(size - RADIUS**2)
        away = (free * x + RADIUS * y) / size, (free * y - RADIUS * x) / size  # the direction of the span
        wrap = math.atan2(-away[1], away[0])
        strain = (FAR + RADIUS * wrap + free) / own - 1
        rate = away[0] * vx + away[1] * vy + SPEED * (1 + strain * carried)
        tension = max(EA * strain + DAMPING * rate / own, 0.0) if strain > 0 else 0.0
        return [vx, vy, -tension * away[0] / MASS, -tension * away[1] / MASS - GRAVITY]

    found = solve_ivp(rates, (0, t), [*START, 0, 0], method="DOP853", rtol=1e-11, atol=1e-12)
    return float(found.y[0, -1]), float(found.y[1, -1])


def compare_reeving(*, short: bool = False) -> list[MotionRow]:
    """Return the cost of the hoist beside both peers at several errors, each with its cheapest method or step."""
    own, rows = _own_trials(short=short), []
    for name, peer in (("Exudyn", _in_exudyn), ("MuJoCo", _in_mujoco)):
        steps = STEPS[name][:4] if short else STEPS[name]
        try:
            others = _peer_trials(peer, steps)
        except ImportError:
            others = []
        rows += [_at_level(level, own, name, others) for level in (LEVELS[:1] if short else LEVELS)]
    return rows


def _own_trials(*, short: bool) -> list[Trial]:
    """Return trials by all methods; each time is the median of whole calls."""
    system, exact, found = gs.formulate(hoist()), reference(DURATION, carried=True), []
    for method in METHODS[:4] if short else METHODS:
        gs.simulate(system, 1e-3, integrator=method, progress=False)
        taken = []
        for _ in range(5):
            began = time.process_time()
            run = gs.simulate(system, DURATION, step=DURATION, integrator=method, progress=False)
            taken.append(time.process_time() - began)
        error = math.dist(run["load"].values[-1][:2], exact)
        found.append(Trial(f"{type(method).__name__}, {method.rtol:.0e}", float(np.median(taken)), error))
    return found


def _peer_trials(peer: Callable[[float], tuple[float, tuple[float, float]]], steps: tuple[float, ...]) -> list[Trial]:
    exact, found = reference(DURATION, carried=False), []
    for step in steps:
        seconds, place = peer(step)
        found.append(Trial(f"{step:g} s", seconds, math.dist(place, exact)))
    return found


def _at_level(level: float, own: list[Trial], name: str, others: list[Trial]) -> MotionRow:
    """Return the row of an error: the cheapest trials that reach it."""
    motion = f"hoist with a winch over a sheave, {DURATION:.0f} s, error up to {level:.0e} m"
    ours = min((one for one in own if one.error <= level), key=lambda one: one.seconds)
    reached = [one for one in others if one.error <= level]
    if not reached:
        why = "does not reach it" if others else "is missing"
        return MotionRow(motion, ours.method, ours.seconds, ours.error, name, None, None, None, TARGET, why)
    best = min(reached, key=lambda one: one.seconds)
    ratio = ours.seconds / best.seconds
    peer = f"{name}, {best.method}"
    return MotionRow(motion, ours.method, ours.seconds, ours.error, peer, best.seconds, best.error, ratio, TARGET)


def _in_exudyn(step: float) -> tuple[float, tuple[float, float]]:
    """Return processor seconds and the place of the load at the end."""
    import exudyn
    from exudyn import utilities as eu

    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(eu.ObjectGround())
    x, y = START
    inertia = eu.InertiaSphere(MASS, 0.1)
    gravity = [0, -GRAVITY, 0]
    body = mbs.CreateRigidBody(referencePosition=[x, y, 0], inertia=inertia, gravity=gravity, returnDict=True)
    node, mark = body["nodeNumber"], mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=body["bodyNumber"]))
    ends = [[-FAR, RADIUS, 0], [0, 0, 0]]
    places = [mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=ground, localPosition=at)) for at in ends]
    drum = mbs.AddNode(
        eu.NodeGenericODE2(
            referenceCoordinates=[0], initialCoordinates=[0], initialCoordinates_t=[0], numberOfODE2Coordinates=1
        )
    )
    mbs.AddObject(eu.ObjectGenericODE2(nodeNumbers=[drum], massMatrix=np.eye(1)))
    turned = mbs.AddMarker(eu.MarkerNodeCoordinate(nodeNumber=drum, coordinate=0))
    still = mbs.AddMarker(eu.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(eu.NodePointGround()), coordinate=0))
    mbs.AddObject(
        eu.CoordinateConstraint(
            markerNumbers=[still, turned], offset=0, offsetUserFunction=lambda mbs, t, number, offset: -SPEED * t
        )
    )
    rope = eu.ReevingSystemSprings(
        markerNumbers=[places[0], places[1], mark, turned, still],
        hasCoordinateMarkers=True,
        coordinateFactors=[1, 0],
        stiffnessPerLength=EA,
        dampingPerLength=DAMPING,
        referenceLength=LENGTH,
        dampingTorsional=0,
        dampingShear=0,
        sheavesAxes=exudyn.Vector3DList([[0, 0, 1], [0, 0, -1], [0, 0, 1]]),
        sheavesRadii=[0, RADIUS, 0],
    )
    mbs.AddObject(rope)
    mbs.Assemble()
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(DURATION / step)
    settings.timeIntegration.endTime = DURATION
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    began = time.process_time()
    mbs.SolveDynamic(settings)
    seconds = time.process_time() - began
    found = mbs.GetNodeOutput(node, exudyn.OutputVariableType.Position)
    return seconds, (float(found[0]), float(found[1]))


def _in_mujoco(step: float) -> tuple[float, tuple[float, float]]:
    """Return processor seconds and the place of the load at the end."""
    import mujoco

    x, y = START
    text = f"""<mujoco><option timestep="{step}" gravity="0 0 -{GRAVITY}" integrator="RK4"/><worldbody>
    <geom name="tip" type="cylinder" size="{RADIUS} 0.05" euler="90 0 0" contype="0" conaffinity="0"/>
    <site name="side" pos="{2 * RADIUS} 0 0"/><site name="drum" pos="{-FAR} 0 {RADIUS}"/>
    <site name="top" pos="0 0 {RADIUS + 1e-9}"/>
    <body pos="{x} 0 {y}"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
    <geom type="sphere" size="0.1" mass="{MASS}" contype="0" conaffinity="0"/><site name="load"/></body></worldbody>
    <tendon><spatial name="rope" stiffness="1" damping="1" springlength="0 {LENGTH}">
    <site site="drum"/><site site="top"/><geom geom="tip" sidesite="side"/><site site="load"/></spatial></tendon>
    </mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    began = time.process_time()
    for i in range(round(DURATION / step)):
        own = LENGTH - SPEED * (i + 0.5) * step
        model.tendon_lengthspring[0, 1] = own - DAMPING * SPEED / EA  # its damper does not see the winch
        model.tendon_stiffness[0] = EA / own
        model.tendon_damping[0] = DAMPING / own
        mujoco.mj_step(model, data)
    seconds = time.process_time() - began
    place = data.site("load").xpos
    return seconds, (float(place[0]), float(place[2]))


def over_sheaves(count: int) -> gs.Model:
    """Return a tackle: a rope up and down over so many sheaves, half of them on a block of 80 kg."""
    model = gs.Model("tackle", gravity=(0, -GRAVITY, 0))
    model.add(gs.Body("block", gs.point_mass(80.0)))
    model.add(gs.Planar("j", "ground", "block", initial={"y": -5.0}, driven={"angle": "0"}))
    path: list[object] = [("ground", (0, 0, 0))]
    for i in range(count):
        low = i % 2 == 0
        side = "left" if low else "right"
        path.append(gs.Pulley(f"p{i}", ("block" if low else "ground", (RADIUS * (2 * i + 1), 0, 0)), RADIUS, side))
    path.append(("ground" if count % 2 else "block", (2 * RADIUS * count, 0, 0)))
    model.add(gs.Reeving("rope", path, length=(5.0 + 0.6) * (count + 1), EA=1e6, damping=1e4))
    return model


def measure_sheaves(counts: tuple[int, ...] = (1, 2, 4, 8)) -> list[SheaveRow]:
    """Return the cost of ropes over several sheaves."""
    rows, method = [], gs.Rodas5P(1e-6, 1e-8)
    for count in counts:
        began = time.process_time()
        system = gs.formulate(over_sheaves(count))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", gs.GyrostatWarning)
            gs.simulate(system, 1e-4, integrator=method, progress=False)
            ready = time.process_time() - began
            began = time.process_time()
            run = gs.simulate(system, 1.0, step=1.0, integrator=method, progress=False)
        seconds = time.process_time() - began
        rows.append(SheaveRow(count, ready, seconds, run.status.steps + run.status.rejected))
    return rows


if __name__ == "__main__":
    for row in compare_reeving():
        print(row)
    for cost in measure_sheaves():
        print(cost, f"{cost.per_sheave:.2e} s per sheave and step")
