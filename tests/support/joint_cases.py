"""Every registered joint in several forms, and dual numbers to differentiate its formulas with."""

import math
from dataclasses import dataclass
from itertools import product as every

import numpy as np
import pytest

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints import (
    Cylindrical,
    Free,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    Translation,
    Universal,
    Weld,
)
from gyrostat.scalar import FloatScalars

AXES = ("x", "y", "z", "-x", (1, 2, -2), (0, "-a", "a"), ("a", 0.3, "b"))
SEQUENCES = [first + second + third for first, second, third in every("xyz", repeat=3) if first != second != third]


@dataclass(frozen=True)
class Dual:
    """A value with its derivative along one direction."""

    value: float
    slope: float

    @staticmethod
    def of(a):
        return a if isinstance(a, Dual) else Dual(float(a), 0.0)

    def __add__(self, other):
        other = Dual.of(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __neg__(self):
        return Dual(-self.value, -self.slope)

    def __sub__(self, other):
        return self + -Dual.of(other)

    def __mul__(self, other):
        other = Dual.of(other)
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def __truediv__(self, other):
        other = Dual.of(other)
        return self * Dual(1 / other.value, -other.slope / other.value**2)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return Dual.of(other) - self

    def __rtruediv__(self, other):
        return Dual.of(other) / self


class DualScalars:
    """The engine of dual numbers, as far as joints need it."""

    def constant(self, value):
        return value

    def pi(self):
        return math.pi

    def call(self, function, arguments):
        x = Dual.of(arguments[0])
        derivative = {"sin": math.cos, "cos": lambda y: -math.sin(y), "sqrt": lambda y: 0.5 / math.sqrt(y)}
        return Dual(getattr(math, function)(x.value), derivative[function](x.value) * x.slope)


PARAMETERS = {"a": 0.7, "b": -1.3, "p": 0.05}
VALUE = Evaluator(FloatScalars(), PARAMETERS.__getitem__)
DUAL = Evaluator(DualScalars(), PARAMETERS.__getitem__)

CASES = {
    **{f"Revolute {axis}": Revolute("j", "ground", "b", axis) for axis in AXES},
    **{f"Prismatic {axis}": Prismatic("j", "ground", "b", axis) for axis in AXES},
    **{f"Cylindrical {axis}": Cylindrical("j", "ground", "b", axis) for axis in AXES},
    **{f"Screw {axis}": Screw("j", "ground", "b", axis, pitch="p") for axis in AXES},
    "Screw, left-handed": Screw("j", "ground", "b", pitch=-3),
    "Universal": Universal("j", "ground", "b"),
    "Planar": Planar("j", "ground", "b"),
    **{f"Planar {axis}": Planar("j", "ground", "b", normal=axis) for axis in AXES},
    "Translation": Translation("j", "ground", "b"),
    "Spherical": Spherical("j", "ground", "b"),
    **{f"Spherical {sequence}": Spherical("j", "ground", "b", angles=sequence) for sequence in SEQUENCES},
    "Free": Free("j", "ground", "b"),
    "Weld": Weld("j", "ground", "b"),
}
EVERY = pytest.mark.parametrize("case", CASES)
SEEDS = range(2)


def state(joint, seed):
    """Return random coordinates, Euler parameters of unit length, and speeds."""
    rng = np.random.default_rng(seed)
    labels = [coordinate.label for coordinate in joint.coordinates]
    q = rng.normal(size=len(labels))
    euler = [i for i, label in enumerate(labels) if label in ("e0", "e1", "e2", "e3")]
    q[euler] /= np.linalg.norm(q[euler]) if euler else 1
    return q.tolist(), rng.normal(size=len(joint.speed_labels)).tolist()


def columns(modes):
    """Return modes as a matrix, angular rows first."""
    return np.array([[*mode.angular, *mode.linear] for mode in modes], dtype=float).reshape(-1, 6).T


def parts(entries):
    """Split arrays of scalars into values and slopes."""
    flat = np.array(entries, dtype=object)
    values = np.array([Dual.of(x).value for x in flat.ravel()]).reshape(flat.shape)
    return values, np.array([Dual.of(x).slope for x in flat.ravel()]).reshape(flat.shape)


def along_path(joint, q, u):
    """Return coordinates as dual numbers that move with q̇ = N(q) u."""
    rates = joint.coordinate_rates(q, u, VALUE)
    return [Dual(x, float(rate)) for x, rate in zip(q, rates, strict=True)]
