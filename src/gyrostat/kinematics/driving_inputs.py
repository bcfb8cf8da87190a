"""Values of the inputs that drive coordinates, by the laws of a model, with their rates and accelerations."""

from __future__ import annotations

from collections.abc import Mapping

from gyrostat.kinematics.state import MotionState
from gyrostat.model import Formula, Model
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.inputs import Law
from gyrostat.scalar import FloatScalars


def driving_values(model: Model, t: float, parameters: Mapping[str, float]) -> dict[str, float]:
    """Return the inputs that drive coordinates at a time, with rates and accelerations, by name; zero without a law."""
    laws = model.input_laws
    found: dict[str, float] = {}
    for name in model.driving_inputs:
        found |= dict(zip(with_rates(name), law_in_time(laws.get(name), t, parameters), strict=True))
    return found


def with_rates(name: str) -> tuple[str, str, str]:
    """Return the names of an input that drives, of its rate and of its acceleration."""
    return name, f"{name}.rate", f"{name}.acc"


def law_in_time(law: Law | None, t: float, parameters: Mapping[str, float]) -> tuple[float, float, float]:
    """Return the value, rate and acceleration of a law at a time."""
    if law is None:
        return 0.0, 0.0, 0.0
    if not isinstance(law, Formula):
        value, rate, acceleration = (float(law.at(t, derivative)) for derivative in range(3))
        return value, rate, acceleration
    jet = MotionState((), (), t).in_time(law, Evaluator(FloatScalars(), parameters.__getitem__))
    return float(jet.value), float(jet.rate), float(jet.acceleration)
