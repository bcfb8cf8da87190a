"""Reference cases: parameters, initial conditions and values with their sources."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from random_trees import Floats
from scipy.integrate import solve_ivp

CASES = Path(__file__).parent.parent / "data" / "cases"


def case(name: str) -> dict[str, Any]:
    """Return a case by name."""
    found: dict[str, Any] = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return found


def at_times(found: dict[str, Any], name: str) -> dict[float, Floats]:
    """Return the values of a quantity by time."""
    rows = [quantity for quantity in found["quantities"] if quantity["name"] == name and "t" in quantity]
    return {float(row["t"]): np.array([float(x) for x in row["value"]]) for row in rows}


def value(found: dict[str, Any], name: str) -> Any:
    """Return the value of a quantity that does not depend on time: a number, or an array of them."""
    (given,) = [quantity["value"] for quantity in found["quantities"] if quantity["name"] == name]
    numbers = np.array(given, dtype=float)
    return float(numbers) if numbers.ndim == 0 else numbers


def integrate(rates: Callable[[float, Floats], Floats], start: Floats, times: list[float]) -> Floats:
    """Return the states at given times, to about twelve digits."""
    solution = solve_ivp(rates, (0.0, max(times)), start, method="DOP853", rtol=1e-12, atol=1e-13, t_eval=times)
    assert solution.success
    return np.asarray(solution.y.T)
