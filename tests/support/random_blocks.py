"""Random mechanisms with random blocks, and the equations of the blocks written down once more, in plain Python.

Blocks are made one after another; each reads coordinates, speeds, the time and outputs of earlier blocks, so that there
are no algebraic loops. A block is a component of the model and a function that adds its output and the rates of its
states to the numbers that are known at an instant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import gyrostat as gs
from gyrostat.model.formula import Formula

Known = dict[str, float]
Equation = Callable[[Known, Known], None]
"""Adds outputs to what is known, and rates of states to the rates."""

KINDS = (
    *("state", "algebraic", "lag", "pi", "pid", "transfer function", "state space", "rate limiter", "motor"),
    *("coulomb", "stribeck", "lugre", "bristle"),
)


@dataclass
class RandomBlocks:
    """A random model, and the equations of its blocks."""

    seed: int
    delayed: bool = False
    equations: list[Equation] = field(default_factory=list)
    signals: list[str] = field(default_factory=list)
    """Outputs of the blocks so far."""
    delays: dict[str, tuple[Formula, float, float]] = field(default_factory=dict)
    """Signal, delay and value before the start, by the names of delays."""

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.model = gs.Model(f"random blocks {self.seed}", gravity=(0, "-g", 0), parameters={"g": 9.81})
        self.coordinates = self._four_bar() if self.seed % 3 == 2 else self._chain()
        chosen = [KINDS[(self.seed + step) % len(KINDS)] for step in (0, 4, 9)]
        for number, kind in enumerate(chosen):
            getattr(self, "_" + kind.replace(" ", "_"))(f"b{number}")
        if self.delayed:
            self._delay("late")
        loads = " + ".join(f"{self.number()}*{name}" for name in self.signals) or "0"
        self.model.add(gs.JointSpring("act", self.coordinates[0], 4, 0.5, force=loads))
        self.system = gs.formulate(self.model, cut=[name for name in ("closing",) if name in self.model.joints])

    # --- drawing ------------------------------------------------------------------------------------------------

    def number(self, low: float = -1.5, high: float = 1.5) -> float:
        """Return a random number with few digits."""
        return round(float(self.rng.uniform(low, high)), 4)

    def signal(self) -> Formula:
        """Return a random formula, linear or not."""
        a = str(self.rng.choice(self.coordinates))
        parts = [f"{self.number()}*{a}", f"{self.number()}*{a}.rate", f"{self.number()}*sin(2*t)"]
        if self.signals:
            other = str(self.rng.choice(self.signals))
            parts += [f"{self.number()}*{other}", *([f"{self.number()}*{other}*sin({a})"] * int(self.rng.integers(2)))]
        return Formula.of(" + ".join(parts))

    # --- mechanisms ---------------------------------------------------------------------------------------------

    def _chain(self) -> list[str]:
        names, parent = [], "ground"
        for i in range(int(self.rng.integers(1, 4))):
            length = self.number(0.4, 1.0)
            points = {"p": (-length / 2, 0, 0), "d": (length / 2, 0, 0)}
            self.model.add(gs.Body(f"rod{i}", gs.rod(self.number(0.5, 2), length, along="x"), points=points))
            start = self.number(-1, 1)
            joint: Any = gs.Revolute if i == 0 or self.rng.random() < 0.6 else gs.Prismatic
            label, axis = ("angle", "z") if joint is gs.Revolute else ("displacement", "x")
            self.model.add(joint(f"q{i}", parent, f"rod{i}.p", axis=axis, initial={label: start}))
            self.model.add(gs.JointSpring(f"s{i}", f"q{i}", self.number(5, 20), self.number(0.1, 0.5)))
            names.append(f"q{i}")
            parent = f"rod{i}.d"
        return names

    def _four_bar(self) -> list[str]:
        for name, length in (("crank", 0.4), ("coupler", 1.0), ("rocker", self.number(0.7, 0.9))):
            points = {"p": (-length / 2, 0, 0), "d": (length / 2, 0, 0)}
            self.model.add(gs.Body(name, gs.rod(self.number(0.5, 2), length, along="x"), points=points))
        self.model.add(gs.Revolute("q0", "ground", "crank.p", initial={"angle": self.number(0.5, 1.2)}))
        self.model.add(gs.Revolute("q1", "crank.d", "coupler.p"))
        self.model.add(gs.Revolute("q2", ("ground", (1.2, 0, 0)), "rocker.p", initial={"angle": 1.6}))
        self.model.add(gs.Revolute("closing", "coupler.d", "rocker.d"))
        return ["q0", "q2"]

    # --- blocks -------------------------------------------------------------------------------------------------

    def _add(self, component: Any, equation: Equation, *outputs: str) -> None:
        self.model.add(component)
        self.equations.append(equation)
        self.signals += outputs

    def _state(self, name: str) -> None:
        rate = Formula.of(f"{self.signal()} - {name}**3 - {name}")

        def equation(known: Known, rates: Known) -> None:
            rates[name] = rate.value(known)

        self._add(gs.State(name, rate, self.number()), equation, name)

    def _algebraic(self, name: str) -> None:
        other = self.signal()

        def equation(known: Known, rates: Known) -> None:
            aim, w = other.value(known), 0.0
            for _ in range(60):  # the left side rises everywhere
                w -= (3 * w + math.sin(w) + aim) / (3 + math.cos(w))
            known[name] = w

        self._add(gs.State(name, equation=f"3*{name} + sin({name}) + {other}"), equation, name)

    def _lag(self, name: str) -> None:
        signal, time, gain = self.signal(), self.number(0.02, 0.3), self.number()

        def equation(known: Known, rates: Known) -> None:
            rates[name] = (gain * signal.value(known) - known[name]) / time

        self._add(gs.Lag(name, signal, time, gain, self.number()), equation, name)

    def _pi(self, name: str) -> None:
        self._controller(name, 0.0)

    def _pid(self, name: str) -> None:
        self._controller(name, self.number(0.05, 0.5))

    def _controller(self, name: str, derivative: float) -> None:
        signal, kp, ki = self.signal(), self.number(0.5, 3), self.number(1, 5)
        filtering, tracking = self.number(0.05, 0.2), self.number(0.1, 1)
        low, high = self.number(-2, -0.5), self.number(0.5, 2)

        def equation(known: Known, rates: Known) -> None:
            error = signal.value(known)
            free = kp * error + ki * known[f"{name}.integral"]
            if derivative:
                rates[f"{name}.filtered"] = (error - known[f"{name}.filtered"]) / filtering
                free += derivative * rates[f"{name}.filtered"]
            known[name] = min(max(free, low), high)
            rates[f"{name}.integral"] = error + (known[name] - free) / (ki * tracking)

        limits = {"limits": (low, high), "tracking": tracking}
        made = gs.PID(name, signal, kp, ki, derivative, filtering, **limits) if derivative else None
        self._add(made or gs.PI(name, signal, kp, ki, **limits), equation, name)

    def _transfer_function(self, name: str) -> None:
        signal, b, a = self.signal(), [self.number() for _ in range(3)], [self.number(0.5, 2), self.number(1, 5), 9.0]

        def equation(known: Known, rates: Known) -> None:
            """y = b(D)/a(D) v with a(D) ξ = a₀ v, so that y = b(D) ξ/a₀ where ξ, ξ′ are the states."""
            x1, x2, v = known[f"{name}.x1"], known[f"{name}.x2"], signal.value(known)
            second = v - (a[1] * x2 + a[2] * x1) / a[0]
            rates[f"{name}.x1"], rates[f"{name}.x2"] = x2, second
            known[name] = (b[0] * second + b[1] * x2 + b[2] * x1) / a[0]

        self._add(gs.TransferFunctionBlock(name, signal, b, a), equation, name)

    def _state_space(self, name: str) -> None:
        signals = [self.signal(), self.signal()]
        A, B, C, D = (self.rng.uniform(-1, 1, shape).round(3) for shape in ((3, 3), (3, 2), (2, 3), (2, 2)))
        A -= 2 * np.eye(3)

        def equation(known: Known, rates: Known) -> None:
            x = np.array([known[f"{name}.x{i}"] for i in (1, 2, 3)])
            v = np.array([signal.value(known) for signal in signals])
            rates.update(zip([f"{name}.x{i}" for i in (1, 2, 3)], (A @ x + B @ v).tolist(), strict=True))
            known.update(zip([f"{name}.y{i}" for i in (1, 2)], (C @ x + D @ v).tolist(), strict=True))

        rows = [matrix.tolist() for matrix in (A, B, C, D)]
        self._add(
            gs.StateSpaceBlock(name, signals, *rows, initial=[0.1, 0, -0.2]), equation, f"{name}.y1", f"{name}.y2"
        )

    def _rate_limiter(self, name: str) -> None:
        signal, time, up, down = self.signal(), self.number(0.02, 0.1), self.number(0.5, 2), self.number(0.5, 2)

        def equation(known: Known, rates: Known) -> None:
            rates[name] = min(max((signal.value(known) - known[name]) / time, -down), up)

        self._add(gs.RateLimiter(name, signal, up, time, falling=down), equation, name)

    def _motor(self, name: str) -> None:
        joint, voltage, current = self.coordinates[-1], self.signal(), f"{name}.current"
        R, L, K, N = self.number(0.5, 2), self.number(0.02, 0.1), self.number(0.05, 0.2), self.number(1, 4)

        def equation(known: Known, rates: Known) -> None:
            rates[current] = (voltage.value(known) - R * known[current] - N * K * known[f"{joint}.rate"]) / L
            known[f"{name}.torque"] = N * K * known[current]

        self._add(gs.DCMotor(name, joint, R, L, K, N, voltage, initial=self.number()), equation, f"{name}.torque")

    def _delay(self, name: str) -> None:
        """A delay, whose value `known` has from the start."""
        signal, delay, before = self.signal(), self.number(0.08, 0.15), self.number()
        self.delays[name] = (signal, delay, before)
        self._add(gs.Delay(name, signal, delay, before), lambda known, rates: None, name)

    # --- friction -----------------------------------------------------------------------------------------------

    def _coulomb(self, name: str) -> None:
        mu, width = self.number(0.1, 0.5), self.number(0.05, 0.2)
        self._friction(name, gs.Coulomb(mu, width), lambda v, z: (-mu * v / math.hypot(v, width), 0.0))

    def _stribeck(self, name: str) -> None:
        mu, rest, speed, width, viscous = 0.2, 0.4, self.number(0.1, 0.5), self.number(0.05, 0.1), self.number(0, 0.2)

        def law(v: float, z: float) -> tuple[float, float]:
            return -(mu + (rest - mu) * math.exp(-((v / speed) ** 2))) * v / math.hypot(v, width) - viscous * v, 0.0

        self._friction(name, gs.Stribeck(mu, rest, speed, width, viscous), law)

    def _lugre(self, name: str) -> None:
        self._bristles(name, None)

    def _bristle(self, name: str) -> None:
        self._bristles(name, self.number(0.5, 0.9))

    def _bristles(self, name: str, breakaway: float | None) -> None:
        mu, rest, stiff, damp, speed = 0.2, 0.35, self.number(50, 200), self.number(0.5, 2), self.number(0.1, 0.5)

        def law(v: float, z: float) -> tuple[float, float]:
            limit = (mu + (rest - mu) * math.exp(-((v / speed) ** 2))) / stiff
            share = 1.0
            if breakaway is not None:
                rise = min(max((abs(z) / limit - breakaway) / (1 - breakaway), 0.0), 1.0)
                share = (1 - math.cos(math.pi * rise)) / 2 if v * z > 0 else 0.0
            rate = v - share * abs(v) / limit * z
            return -(stiff * z + damp * rate + 0.1 * v), rate

        given = (mu, rest, stiff, damp, speed, 0.1)
        self._friction(name, gs.LuGre(*given) if breakaway is None else gs.Bristle(*given, breakaway), law)

    def _friction(self, name: str, law: Any, force: Callable[[float, float], tuple[float, float]]) -> None:
        joint, load = self.coordinates[-1], self.number(0.5, 1.5)

        def equation(known: Known, rates: Known) -> None:
            found, rate = force(known[f"{joint}.rate"], known.get(f"{name}.bristle", 0.0))
            known[f"{name}.force"] = load * found
            if law.has_bristle:
                rates[f"{name}.bristle"] = rate

        self._add(gs.JointFriction(name, joint, law, load), equation, f"{name}.force")

    # --- instants -----------------------------------------------------------------------------------------------

    @property
    def free(self) -> list[str]:
        """The names of the state variables with rates, in their order."""
        bound = self.system.coordinates.algebraic
        return [name for place, name in enumerate(self.system.state_names) if place not in bound]

    def instant(self, t: float, state: np.ndarray, delayed: Mapping[str, float]) -> tuple[Known, np.ndarray]:
        """Return all signals of the blocks at (q, u, z with rates), and the rates of this."""
        system = self.system
        n = len(system.coordinate_names)
        names = (*system.coordinate_names, *system.speed_names, *self.free)
        known: Known = {"t": t, **dict(zip(names, state.tolist(), strict=True)), **delayed}
        rates: Known = {}
        for equation in self.equations:
            equation(known, rates)
        z = [known[name] for name in system.state_names]
        udot = system.forward_dynamics(state[:n], state[n : 2 * n], z=z, t=t, inputs=dict(delayed))
        return known, np.concatenate((state[n : 2 * n], udot, [rates[name] for name in self.free]))
