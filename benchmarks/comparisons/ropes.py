"""A rope with mass and end masses over a pulley with friction (Crous 2000, appendix D.2), beside MuJoCo.

The drop of the heavy mass has a closed form while both sides hang. In MuJoCo the rope is a chain of capsules on hinges,
the pulley a cylinder on a hinge.
"""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import gyrostat as gs
from comparisons.matching import MotionRow

LENGTH, DENSITY, RADIUS, INERTIA, HEAVY, LIGHT, GRAVITY = 9.747, 7.695, 2.0, 1.6, 6.0, 5.0, 9.81
MU, DURATION, STIFFNESS = 0.5, 1.0, 1e7
METHOD = gs.Rodas4(3e-3, 3e-5)
"""What is left of the error is that of the segments: with 1e-4 and 1e-6 it is the same to 5 µm."""
TENSION, DEFLECTION = 200.0, 1e-3
"""A typical tension (N), and the deflection of bristles at the limit of friction under it (m)."""
TARGETS = {50: 0.05, 100: 0.02}
PEER_STEPS = {50: 1e-3, 100: 5e-4}
"""The longest steps with which MuJoCo's chain does not diverge (s)."""


@dataclass(frozen=True)
class GrowthRow:
    """A rope of so many nodes: seconds to the first step, of a simulated second, and steps."""

    nodes: int
    ready: float
    seconds: float
    steps: int

    @property
    def per_node(self) -> float:
        """Seconds for each node and step."""
        return self.seconds / (self.nodes * self.steps)


def exact_drop(t: float) -> float:
    """Return the drop of the heavy mass in closed form (m)."""
    mass = HEAVY + LIGHT + DENSITY * LENGTH + INERTIA / RADIUS**2
    return (HEAVY - LIGHT) / (2 * DENSITY) * (math.cosh(t * math.sqrt(2 * DENSITY * GRAVITY / mass)) - 1)


def hoist(nodes: int) -> gs.Model:
    """Return the rope by nodes; `hold` is an upward force on the heavy mass."""
    model = gs.Model("rope over pulley", gravity=(0, -GRAVITY, 0), parameters={"mu": MU, "hold": 0.0})
    model.add(gs.Body("wheel", mass=1, inertia=(INERTIA, INERTIA, INERTIA)))
    model.add(gs.Revolute("axle", "ground", "wheel"))
    path = [None, gs.Pulley("sheave", "wheel", RADIUS, "right"), None]
    segment = LENGTH / nodes
    damping_time = math.sqrt(DEFLECTION * DENSITY * RADIUS / (MU * TENSION))
    laws = {
        "normal": gs.HuntCrossley(1e6 * segment, chi=5),
        "friction": gs.FixedBristle("mu", TENSION * segment / RADIUS, DEFLECTION, damping_time),
    }
    damping = 0.1 * math.sqrt(STIFFNESS * DENSITY) * segment  # a twentieth of the critical damping of a segment
    rope = {"segments": nodes, "length": LENGTH, "density": DENSITY, "EA": STIFFNESS, "damping": damping}
    model.add(gs.Rope("rope", path, **rope, **laws))
    for name, mass, end in (("light", LIGHT, "rope.n0"), ("heavy", HEAVY, f"rope.n{nodes}")):
        model.add(gs.Body(name, gs.point_mass(mass)))
        model.add(gs.Weld(f"{name}_hook", end, name))
    model.add(gs.Force("holding", "heavy", (0, "hold", 0)))
    return model


def start_of(system: gs.System) -> dict[str, float]:
    """Return the equilibrium without friction in which the heavy mass is held."""
    held = {"hold": (HEAVY - LIGHT) * GRAVITY}
    return gs.settle_ropes(system, gs.lay_rope(system, "rope"), parameters=held)


def measure_ropes(counts: tuple[int, ...] = (50, 100, 200, 500)) -> list[GrowthRow]:
    """Return the cost of ropes of several lengths."""
    rows = []
    for nodes in counts:
        began = time.process_time()
        system = gs.formulate(hoist(nodes))
        start = start_of(system)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", gs.GyrostatWarning)
            gs.simulate(system, 1e-4, initial=start, integrator=METHOD, progress=False)
            ready = time.process_time() - began
            began = time.process_time()
            run = gs.simulate(system, DURATION, step=DURATION, initial=start, integrator=METHOD, progress=False)
        seconds = time.process_time() - began
        rows.append(GrowthRow(nodes, ready, seconds / DURATION, run.status.steps + run.status.rejected))
    return rows


def two_pulleys(nodes: int = 100) -> gs.Model:
    """Return a rope over two pulleys with friction, with a load that hangs on each side."""
    model = gs.Model("two pulleys", gravity=(0, -GRAVITY, 0))
    path: list[object] = [None]
    for name, x in (("left", -2.0), ("right", 2.0)):
        model.add(gs.Body(name, gs.disc(5, 0.5, along="z")))
        model.add(gs.Revolute(f"{name}_axle", ("ground", (x, 0, 0)), name))
        path.append(gs.Pulley(f"{name}_sheave", name, 0.5, "right"))
    length, load = 10.0, 50 * GRAVITY * 10.0 / (nodes * 0.5)
    segment = length / nodes
    laws = {"normal": gs.HuntCrossley(1e7 * segment, chi=5), "friction": gs.FixedBristle(0.2, load, 1e-3, 5e-3)}
    rope = {"segments": nodes, "length": length, "density": 1.0, "EA": 1e6, "damping": 100 * segment, "EI": 0.1}
    model.add(gs.Rope("rope", [*path, None], **rope, **laws))
    for name, mass, end in (("light", 50, "rope.n0"), ("heavy", 52, f"rope.n{nodes}")):
        model.add(gs.Body(name, gs.point_mass(mass)))
        model.add(gs.Weld(f"{name}_hook", end, name))
    model.add(gs.Force("holding", "heavy", (0, "hold", 0)))
    model.set_parameter("hold", 0.0)
    return model


def measure_two_pulleys(nodes: int = 100, duration: float = 1.0) -> GrowthRow:
    """Return the cost of a rope over two pulleys; its seconds are those of a simulated second."""
    began = time.process_time()
    system = gs.formulate(two_pulleys(nodes))
    start = gs.settle_ropes(system, gs.lay_rope(system, "rope"), parameters={"hold": 2 * GRAVITY})
    gs.simulate(system, 1e-4, initial=start, integrator=METHOD, progress=False)
    ready = time.process_time() - began
    began = time.process_time()
    run = gs.simulate(system, duration, step=duration, initial=start, integrator=METHOD, progress=False)
    seconds = (time.process_time() - began) / duration
    return GrowthRow(nodes, ready, seconds, run.status.steps + run.status.rejected)


def compare_ropes(counts: tuple[int, ...] = (50, 100)) -> list[MotionRow]:
    """Return the cost of a simulated second beside MuJoCo."""
    return [_compared(nodes) for nodes in counts]


def _compared(nodes: int) -> MotionRow:
    system = gs.formulate(hoist(nodes))
    start = start_of(system)
    gs.simulate(system, 1e-4, initial=start, integrator=METHOD, progress=False)
    began = time.process_time()
    run = gs.simulate(system, DURATION, step=DURATION, initial=start, integrator=METHOD, progress=False)
    seconds = time.process_time() - began
    height = run["heavy"].values[:, 1]
    error = abs(float(height[0] - height[-1]) - exact_drop(DURATION))
    motion = f"rope of {nodes} segments over a pulley, friction, 1 s"
    try:
        peer_seconds, peer_drop = _in_mujoco(nodes, PEER_STEPS[nodes])
    except ImportError:
        return MotionRow(motion, "Rodas4", seconds, error, "MuJoCo", None, None, None, TARGETS[nodes], "is missing")
    ratio, peer_error = seconds / peer_seconds, abs(peer_drop - exact_drop(DURATION))
    return MotionRow(motion, "Rodas4", seconds, error, "MuJoCo", peer_seconds, peer_error, ratio, TARGETS[nodes])


def _corners(nodes: int, radius: float) -> NDArray[np.float64]:
    """Return corners of a rope on a circle and its vertical tangents, at equal distances along it."""
    s, half = np.linspace(-LENGTH / 2, LENGTH / 2, nodes + 1), np.pi * radius / 2
    angle = np.clip(s, -half, half) / radius
    hanging = np.maximum(np.abs(s) - half, 0.0)
    return np.stack((radius * np.sin(angle), radius * np.cos(angle) - hanging), axis=1)


def _in_mujoco(nodes: int, step: float) -> tuple[float, float]:
    """Return processor seconds of a simulated second, and the drop of the heavy mass."""
    import mujoco

    thick, chord = 0.01, LENGTH / nodes
    corners = _corners(nodes, RADIUS + thick)
    ways = np.diff(corners, axis=0)
    angles = np.unwrap(np.arctan2(ways[:, 1], ways[:, 0]))
    turns = np.degrees(np.diff(angles, prepend=0.0))
    hinge, slides = (
        '<joint type="hinge" axis="0 -1 0"/>',
        '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>',
    )
    ball = '<geom type="sphere" size="0.01" pos="{x} 0 0" mass="{m}" contype="0" conaffinity="0"/>'
    text = ""
    for i, turn in enumerate(turns):
        place = f"{corners[0, 0]} 0 {corners[0, 1]}" if i == 0 else f"{chord} 0 0"
        text += f'<body pos="{place}" euler="0 {-turn} 0">{slides * (i == 0)}{hinge}'
        text += f'<geom type="capsule" fromto="0 0 0 {chord} 0 0" size="{thick}" mass="{DENSITY * chord}" '
        text += 'contype="1" conaffinity="2"/>'
        text += ball.format(x=0, m=LIGHT) * (i == 0)
        text += (ball.format(x=chord, m=HEAVY) + f'<site name="heavy" pos="{chord} 0 0"/>') * (i == nodes - 1)
    wheel = f'<inertial pos="0 0 0" mass="1" diaginertia="{INERTIA} {INERTIA} {INERTIA}"/>'
    wheel += f'<geom type="cylinder" size="{RADIUS} 0.2" euler="90 0 0" friction="{MU}" contype="2" conaffinity="1"/>'
    world = f'<body><joint type="hinge" axis="0 1 0"/>{wheel}</body>{text}{"</body>" * nodes}'
    option = f'<option timestep="{step}" gravity="0 0 -{GRAVITY}" cone="elliptic"/>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{world}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    high = float(data.site("heavy").xpos[2])
    began = time.process_time()
    for _ in range(round(DURATION / step)):
        mujoco.mj_step(model, data)
    return time.process_time() - began, high - float(data.site("heavy").xpos[2])


if __name__ == "__main__":
    for row in compare_ropes():
        print(row)
    for growth in measure_ropes():
        print(growth, f"{growth.per_node:.2e} s per node and step")
    pulleys = measure_two_pulleys()
    print(pulleys, f"{1 / pulleys.seconds:.0f} times as fast as real time")
