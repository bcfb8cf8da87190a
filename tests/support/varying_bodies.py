"""A free body with a mass that varies in every way, and its equations written by hand for SciPy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import gyrostat as gs

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class VaryingBody:
    """A random body: mass that leaves or arrives, whose centre and inertia change, with or without a shift."""

    seed: int

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """Random data."""
        draw = np.random.default_rng(self.seed)
        vectors = {name: draw.normal(size=3) for name in ("com", "c0", "c1", "point", "exit", "entry", "g", "x0")}
        return {
            **vectors,
            "own": draw.uniform(1, 3),
            "own_inertia": draw.uniform(1, 1.5, 3),
            "q": draw.uniform(0.1, 0.3) * draw.choice([-1, 1]),
            "m0": draw.uniform(2, 3),
            "J0": draw.uniform(0.3, 0.4, 3),
            "J1": draw.uniform(-0.05, 0.05, 3),
            "turning": draw.uniform(1, 3),
            "shifts": bool(draw.integers(2)),
            "u0": draw.normal(size=6),
            "e0": (e := draw.normal(size=4)) / np.linalg.norm(e),
        }

    def model(self) -> gs.Model:
        """Return the model."""
        n = self.numbers
        model = gs.Model("varying", gravity=tuple(n["g"]))
        own = {"mass": n["own"], "inertia": tuple(n["own_inertia"]), "com": tuple(n["com"])}
        model.add(gs.Body("body", **own, points={"nozzle": tuple(n["point"])}))
        model.add(gs.Free("free", "ground", "body"))
        center = tuple(f"{a} + ({b})*sin({n['turning']}*t)" for a, b in zip(n["c0"], n["c1"], strict=True))
        inertia = tuple(f"{a} + ({b})*t" for a, b in zip(n["J0"], n["J1"], strict=True))
        flow = {"exit_velocity": tuple(n["exit"]), "entry_velocity": tuple(n["entry"]), "at": "body.nozzle"}
        mass = f"{n['m0']} - ({n['q']})*t"
        load = {"mass": mass, "center": center, "inertia": inertia, "shifts": n["shifts"]}
        model.add(gs.VariableMass("load", "body", **load, **flow))
        return model

    @property
    def initial(self) -> dict[str, float]:
        """The initial values by name."""
        labels = ("x", "y", "z", "e0", "e1", "e2", "e3", "w1", "w2", "w3", "v1", "v2", "v3")
        values = (*self.numbers["x0"], *self.numbers["e0"], *self.numbers["u0"])
        return {f"free.{label}": float(value) for label, value in zip(labels, values, strict=True)}

    def by_hand(self, end: float) -> Floats:
        """Return position, quaternion, velocity and angular velocity (body axes) at a time."""
        n = self.numbers
        R = _rotation(n["e0"])
        y = np.concatenate((n["x0"], n["e0"], R @ n["u0"][3:], n["u0"][:3]))
        return np.asarray(solve_ivp(self._rates, (0, end), y, method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1])

    def _rates(self, t: float, y: Floats) -> Floats:
        """Newton's and Euler's equations about the origin of the body, in its axes, term by term."""
        n, e, v, w = self.numbers, y[3:7], y[7:10], y[10:13]
        R = _rotation(e)
        A, b = np.zeros((6, 6)), np.zeros(6)
        moves = float(n["shifts"])
        phase = n["turning"] * t
        rate = moves * n["c1"] * n["turning"] * np.cos(phase)
        gained = -moves * n["c1"] * n["turning"] ** 2 * np.sin(phase)
        still = np.zeros(3)
        parts = (
            (n["own"], n["com"], n["own_inertia"], still, still, still),
            (
                n["m0"] - n["q"] * t,
                n["c0"] + n["c1"] * np.sin(phase),
                n["J0"] + n["J1"] * t,
                moves * n["J1"],
                rate,
                gained,
            ),
        )
        for m, c, J, J_rate, c_rate, c_gained in parts:
            lever = _cross(c)
            A[:3, :3] += m * np.eye(3)
            A[:3, 3:] -= m * lever
            A[3:, :3] += m * lever
            A[3:, 3:] += np.diag(J) - m * lever @ lever
            rest = m * (np.cross(w, np.cross(w, c)) + 2 * np.cross(w, c_rate) + c_gained - R.T @ n["g"])
            b[:3] -= rest
            b[3:] -= np.cross(c, rest) + np.cross(w, J * w) + J_rate * w
        at = R.T @ v + np.cross(w, n["point"])
        thrust = -n["q"] * n["exit"] if n["q"] > 0 else -n["q"] * (R.T @ n["entry"] - at)
        b[:3] += thrust
        b[3:] += np.cross(n["point"], thrust)
        found = np.linalg.solve(A, b)
        turning = (-0.5 * e[1:] @ w, *(0.5 * (e[0] * w + np.cross(e[1:], w))))
        return np.concatenate((v, turning, R @ found[:3], found[3:]))


def _rotation(e: Floats) -> Floats:
    return np.asarray(Rotation.from_quat([e[1], e[2], e[3], e[0]]).as_matrix())


def _cross(a: Floats) -> Floats:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
