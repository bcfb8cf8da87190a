"""The state at which formulas are evaluated: coordinates, speeds, time, inputs, states, as scalars of an engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import TIME, Formula
from gyrostat.scalar import Scalar
from gyrostat.scalar.jets import Jet, JetScalars, as_jet


@dataclass(frozen=True)
class MotionState:
    """Coordinates q, speeds u, time t, and inputs and state variables z of components by name."""

    q: Sequence[Scalar]
    u: Sequence[Scalar]
    t: Scalar = 0
    inputs: Mapping[str, Scalar] = field(default_factory=dict)
    z: Mapping[str, Scalar] = field(default_factory=dict)

    def in_time(self, formula: Formula, value: Evaluator) -> Jet:
        """Return a formula of time, parameters and inputs that drive, with its rate and acceleration."""
        time, inputs = Jet(self.t, 1, 0), self.inputs

        def lookup(name: str) -> Scalar:
            if name in inputs:
                return Jet(inputs[name], inputs[f"{name}.rate"], inputs[f"{name}.acc"])
            return time if name == TIME else Jet(value.lookup(name))

        return as_jet(formula.evaluate(JetScalars(value.scalars), lookup))
