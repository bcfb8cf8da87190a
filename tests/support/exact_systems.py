"""Systems on the exact engine, and the same formulas on floats, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gyrostat as gs
from gyrostat.equations.composite_body import mass_matrix
from gyrostat.equations.energy import energy
from gyrostat.equations.newton_euler import inverse_dynamics
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.tree_motion import build_tree
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.evaluator import Evaluator
from gyrostat.scalar.exact import ExactRing, ExactScalars


@dataclass(frozen=True)
class ExactSystem:
    ring: ExactRing
    motion: WorldMotion
    names: dict[str, list[str]]

    def mass_matrix(self) -> dict[tuple[int, int], Any]:
        return mass_matrix(self.motion)

    def bias(self) -> list[Any]:
        return inverse_dynamics(self.motion, [0] * len(self.names["u"]))

    def energy(self) -> Any:
        return energy(self.motion)


def exact_system(model: gs.Model, groups: Sequence[Sequence[str]] = (), *, effort: int | None = None) -> ExactSystem:
    """Return a system at a symbolic state; groups name coordinates."""
    system = gs.formulate(model)
    coordinates = system.coordinates
    model = coordinates.topology.model
    names = {
        "q": list(coordinates.coordinate_names),
        "u": list(coordinates.speed_names),
        "inputs": list(model.inputs),
        "parameters": list(model.parameters),
    }
    ring = ExactRing(groups, [*names["parameters"], *names["inputs"], *names["q"], *names["u"], "t"], effort=effort)
    for q in names["q"]:
        if q.endswith(".e0"):
            ring.euler_parameters(*(f"{q[:-1]}{i}" for i in range(4)))
    tree = build_tree(coordinates, Evaluator(ExactScalars(ring), ring.symbol))
    state = MotionState(
        [ring.symbol(q) for q in names["q"]],
        [ring.symbol(u) for u in names["u"]],
        ring.symbol("t"),
        {name: ring.symbol(name) for name in names["inputs"]},
    )
    return ExactSystem(ring, tree.at(state), names)


def pendulum(n: int) -> gs.Model:
    """n uniform bars in a row that swing about z."""
    parameters = {f"{letter}{i}": 1.0 + i / 10 for i in range(1, n + 1) for letter in "ml"}
    model = gs.Model(f"{n} bars", gravity=(0, "-g", 0), parameters=parameters | {"g": 9.81})
    for i in range(1, n + 1):
        ends = {"top": (0, f"l{i}/2", 0), "tip": (0, f"-l{i}/2", 0)}
        model.add(gs.Body(f"bar{i}", gs.rod(f"m{i}", f"l{i}", along="y"), points=ends))
        parent = "ground" if i == 1 else f"bar{i - 1}.tip"
        model.add(gs.Revolute(f"a{i}", parent, f"bar{i}.top", axis="z"))
    return model


def arm(axes: str) -> gs.Model:
    """A serial arm with hinges about the given axes; masses, lengths and inertias are symbols."""
    parameters: dict[str, float] = {"g": 9.81}
    for i in range(1, len(axes) + 1):
        parameters |= {f"m{i}": 1.0 + i, f"l{i}": 0.4, f"c{i}": 0.2}
        parameters |= {f"J{i}{axis}": 0.1 * i + 0.01 * k for k, axis in enumerate("xyz")}
    model = gs.Model(f"arm {axes}", gravity=(0, 0, "-g"), parameters=parameters)
    for i, axis in enumerate(axes, 1):
        along = 2 if axis == "z" else 0
        com: list[Any] = [0, 0, 0]
        tip: list[Any] = [0, 0, 0]
        com[along], tip[along] = f"c{i}", f"l{i}"
        inertia = tuple(f"J{i}{k}" for k in "xyz")
        model.add(gs.Body(f"b{i}", mass=f"m{i}", inertia=inertia, com=tuple(com), points={"tip": tuple(tip)}))
        model.add(gs.Revolute(f"a{i}", "ground" if i == 1 else f"b{i - 1}.tip", f"b{i}", axis=axis))
    return model
