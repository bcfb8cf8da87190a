"""Oscillators for the comparison of multiple scales, in gyrostat's text and for a peer's SymPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ScalesProblem:
    """Equations as text with their resonances, and what a peer needs: ratios of frequencies, and left-hand sides."""

    name: str
    equations: tuple[str, ...]
    resonances: tuple[str, ...]
    parameters: tuple[str, ...]
    ratios: tuple[int, ...]
    forcing_ratio: int
    forced: tuple[bool, ...]
    unforced: Callable[[Any, Sequence[Any], Sequence[Any], Mapping[str, Any]], list[Any]]


def _duffing(t: Any, x: Sequence[Any], w: Sequence[Any], p: Mapping[str, Any]) -> list[Any]:
    return [x[0].diff(t, 2) + w[0] ** 2 * x[0] + p["c"] * x[0].diff(t) + p["g"] * x[0] ** 3]


def _one_two(t: Any, x: Sequence[Any], w: Sequence[Any], p: Mapping[str, Any]) -> list[Any]:
    return [
        x[0].diff(t, 2) + w[0] ** 2 * x[0] + p["c"] * x[0].diff(t) + p["g"] * x[0] * x[1],
        x[1].diff(t, 2) + w[1] ** 2 * x[1] + p["c"] * x[1].diff(t) + p["g"] * x[0] ** 2,
    ]


def _one_three(t: Any, x: Sequence[Any], w: Sequence[Any], p: Mapping[str, Any]) -> list[Any]:
    return [
        x[0].diff(t, 2) + w[0] ** 2 * x[0] + p["c"] * x[0].diff(t) + p["g"] * (x[0] ** 3 + x[0] ** 2 * x[1]),
        x[1].diff(t, 2) + w[1] ** 2 * x[1] + p["c"] * x[1].diff(t) + p["g"] * (x[0] ** 3 + x[0] * x[1] ** 2),
    ]


DUFFING = ScalesProblem(
    "Duffing",
    ("x1'' + w1**2*x1 + eps*c*x1' + eps*g*x1**3 = eps*F*cos(Omega*t)",),
    ("Omega = w1 + eps*sigma",),
    ("c", "g", "F"),
    (1,),
    1,
    (True,),
    _duffing,
)
ONE_TWO = ScalesProblem(
    "1:2",
    (
        "x1'' + w1**2*x1 + eps*c*x1' + eps*g*x1*x2 = 0",
        "x2'' + w2**2*x2 + eps*c*x2' + eps*g*x1**2 = eps*F*cos(Omega*t)",
    ),
    ("w2 = 2*w1 + eps*delta", "Omega = 2*w1 + eps*sigma"),
    ("c", "g", "F", "delta"),
    (1, 2),
    2,
    (False, True),
    _one_two,
)
ONE_THREE = ScalesProblem(
    "1:3",
    (
        "x1'' + w1**2*x1 + eps*c*x1' + eps*g*(x1**3 + x1**2*x2) = 0",
        "x2'' + w2**2*x2 + eps*c*x2' + eps*g*(x1**3 + x1*x2**2) = eps*F*cos(Omega*t)",
    ),
    ("w2 = 3*w1 + eps*delta", "Omega = 3*w1 + eps*sigma"),
    ("c", "g", "F", "delta"),
    (1, 3),
    3,
    (False, True),
    _one_three,
)
