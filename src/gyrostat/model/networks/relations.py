"""Relations of a network: which variable each equation gives, and which unknowns and equations are left."""

from __future__ import annotations

from dataclasses import dataclass, field

from gyrostat.errors import Fault
from gyrostat.model.elements.edge import Edge, Expression, Variable


@dataclass(frozen=True)
class Residual:
    """An equation that is left: the expression minus the target, if there is one, is zero."""

    owner: str
    """The edge or element to which the equation belongs."""
    expression: Expression
    target: Variable | None = None

    @property
    def needs(self) -> tuple[Variable, ...]:
        """The variables in the equation."""
        return self.expression.needs if self.target is None else (*self.expression.needs, self.target)


@dataclass
class Relations:
    """Variables by what gives them: states, assignments, or equations that are left."""

    states: dict[Variable, Edge] = field(default_factory=dict)
    assigned: dict[Variable, Expression] = field(default_factory=dict)
    primary: set[Variable] = field(default_factory=set)
    """The assigned variables that terminal equations give."""
    unknowns: list[Variable] = field(default_factory=list)
    residuals: list[Residual] = field(default_factory=list)
    rated_inputs: dict[str, None] = field(default_factory=dict)
    """The inputs whose rates are needed."""
    faults: list[Fault] = field(default_factory=list)

    def leave(self, variable: Variable) -> None:
        """Turn an assignment into an unknown with an equation."""
        self.residuals.append(Residual(variable.edge, self.assigned.pop(variable), variable))
        self.unknowns.append(variable)
        self.primary.discard(variable)
