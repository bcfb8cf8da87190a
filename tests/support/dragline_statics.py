"""Statics of the dragline's rig in its plane, by minimisation of the potential energy; independent of the package."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

Values = Mapping[str, float]


class Rest(NamedTuple):
    """A position of rest: carry angle (degrees), places (x, z) of bucket and block (m), and tensions (N)."""

    carry: float
    bucket: np.ndarray
    block: np.ndarray
    tensions: dict[str, float]


def over(a: np.ndarray, centre: np.ndarray, b: np.ndarray, radius: float, *, lifts: bool = False) -> float:
    """Return the length of a rope from a to b over the top of a sheave, to the right of it."""
    p, q = a - centre, b - centre
    p_size, q_size = np.hypot(*p), np.hypot(*q)
    angle = np.arctan2(q[0] * p[1] - q[1] * p[0], p @ q)  # clockwise from a to b
    wrap = angle - np.arccos(radius / p_size) - np.arccos(radius / q_size)
    wrap = (wrap + np.pi / 2) % (2 * np.pi) - np.pi / 2
    if lifts and wrap < 0:
        return float(np.hypot(*(a - b)))
    return float(np.sqrt(p_size**2 - radius**2) + np.sqrt(q_size**2 - radius**2) + radius * wrap)


def lines(y: np.ndarray, v: Values) -> tuple[dict[str, tuple[float, float, float]], float]:
    """Return length, unstretched length and EA of all ropes and chains by name, and the weight's potential energy."""
    B, th, H, D, S, pitch = y[0:2], y[2], y[3:5], y[5:7], y[7:9], y[9]
    r, b = "rigging.", "rigging.bucket."

    def turned(angle: float, x: float, z: float) -> np.ndarray:
        return np.array([x * np.cos(angle) + z * np.sin(angle), -x * np.sin(angle) + z * np.cos(angle)])

    def on_bucket(name: str) -> np.ndarray:
        return B + turned(th, v[f"{b}{name}_x"], v[f"{b}{name}_z"])

    def apart(p: np.ndarray, q: np.ndarray, across: float) -> float:
        return float(np.sqrt(((p - q) ** 2).sum() + across**2))

    length, angle = v["boom.length"], v["boom.angle"]
    point = np.array([v["house.foot_x"] + length * np.cos(angle), v["house.foot_z"] + length * np.sin(angle)])
    fairlead = np.array([v["house.fairlead_x"], v["house.fairlead_z"]])
    hoist_drum = np.array([v["house.hoist_drum_x"], v["house.hoist_drum_z"]])
    drag_drum = np.array([v["house.drag_drum_x"], v["house.drag_drum_z"]])
    high, low = S + turned(pitch, 0, v[r + "eye"]), S + turned(pitch, 0, -v[r + "eye"])
    hoist = np.hypot(*(point - hoist_drum)) + v["point_radius"] * (angle + np.pi / 2) + v["hoist_winch.out"]
    drag = np.hypot(*(fairlead - drag_drum)) + v["fairlead_radius"] * np.pi / 6 + v["drag_winch.out"]
    chain = 2 * v[r + "chain_EA"]
    found = {
        "hoist": (over(hoist_drum, point, H, v["point_radius"]), hoist, v["rope_EA"]),
        "drag": (over(drag_drum, fairlead, D, v["fairlead_radius"]), drag, v["rope_EA"]),
        "upper": (apart(H, high, v[r + "spread"]), v[r + "upper"], chain),
        "lower": (apart(low, on_bucket("trunnion"), v[r + "spread"] - v[b + "trunnion_y"]), v[r + "lower"], chain),
        "chain": (apart(D, on_bucket("hitch"), v[b + "hitch_y"]), v[r + "drag_chain"], chain),
        "dump": (over(D, H, on_bucket("arch"), v[r + "dump_radius"], lifts=True), v[r + "dump"], v[r + "dump_EA"]),
    }
    weights = v[b + "mass"] * B[1] + v[b + "payload.mass"] * on_bucket("load")[1] + v[r + "block_mass"] * H[1]
    weights += sum(v[f"{r}{name}_mass"] * on_bucket(name)[1] for name in ("trunnion", "hitch", "arch"))
    weights += v[r + "equaliser_mass"] * D[1] + v[r + "spreader_mass"] * S[1]
    return found, float(v["g"] * weights)


def rest(v: Values) -> Rest:
    """Return the position of rest near a rough guess: circles of the two ropes, with the rigging along them."""
    y = _guess(v)
    for soft in (1e-3, 1e-2, 1e-1, 1.0):
        for _ in range(3):
            y = minimize(lambda y, soft=soft: _potential(y, v, soft), y, method="BFGS", options={"gtol": 1e-9}).x
    found, _ = lines(y, v)
    tensions = {name: EA * max(0.0, length / own - 1) for name, (length, own, EA) in found.items()}
    return Rest(float(np.degrees(y[2])), y[0:2], y[3:5], tensions)


def _potential(y: np.ndarray, v: Values, soft: float) -> float:
    found, weight = lines(y, v)
    elastic = sum(0.5 * soft * EA / own * max(0.0, length - own) ** 2 for length, own, EA in found.values())
    return (weight + elastic) / 1e6


def _guess(v: Values) -> np.ndarray:
    length, angle = v["boom.length"], v["boom.angle"]
    point = np.array([v["house.foot_x"] + length * np.cos(angle), v["house.foot_z"] + length * np.sin(angle)])
    fairlead = np.array([v["house.fairlead_x"], v["house.fairlead_z"]])
    a, b = v["hoist_winch.out"] + 14.0, v["drag_winch.out"] + 8.0
    distance = np.hypot(*(point - fairlead))
    along = (point - fairlead) / distance
    x = (b * b - a * a + distance**2) / (2 * distance)
    bucket = fairlead + x * along + np.sqrt(max(b * b - x * x, 0)) * np.array([along[1], -along[0]])
    up, out = (point - bucket) / np.hypot(*(point - bucket)), (fairlead - bucket) / np.hypot(*(fairlead - bucket))
    return np.r_[bucket, 0.2, bucket + 13.3 * up, bucket + 9 * out, bucket + 8 * up, 0.0]
