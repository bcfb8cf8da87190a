"""Laws of contacts, friction and tyres whose coefficients are formulas of parameters: limits of changed values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.model.checks.coefficients import limits_place
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import FormulaUse
from gyrostat.once import cached_property
from gyrostat.scalar import FloatScalars


@dataclass(frozen=True)
class ChangedLaws:
    """Force elements with coefficients of laws that are formulas of parameters; `formulate` checks the model's own."""

    model: Model

    def require_valid(self, values: Mapping[str, float]) -> None:
        """Raise an error if changed values of parameters are beyond the limits of a coefficient."""
        if not self._forces_of:
            return
        own, value = self.model.values(), Evaluator(FloatScalars(), values.__getitem__)

        def known(formula: Formula) -> float | None:
            try:
                return float(value(formula))
            except (ArithmeticError, ValueError, KeyError):
                return None

        changed = [name for name in self._forces_of if own.get(name) != values[name]]
        for force in dict.fromkeys(force for name in changed for force in self._forces_of[name]):
            faults = limits_place(self.model.forces[force], known).faults
            if faults:
                raise StateError(str(faults[0]))

    @cached_property
    def _forces_of(self) -> Mapping[str, tuple[str, ...]]:
        """The force elements with a law that has a formula of a parameter, by the parameter."""
        found: dict[str, dict[str, None]] = {}
        for force in self.model.forces.values():
            for use in force.all_uses:
                if isinstance(use, FormulaUse) and len(use.path) > 1:  # within a record: a law
                    for name in use.formula.names & self.model.parameters.keys():
                        found.setdefault(name, {})[force.name] = None
        return {name: tuple(forces) for name, forces in found.items()}
