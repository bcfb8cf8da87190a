"""An element whose law is a formula of its own variables."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements.edge import Edge, Function, Relation, Role, across, through
from gyrostat.model.elements.element import TwoTerminal
from gyrostat.model.forces import Motion
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind, Scope
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.switches import switches_of
from gyrostat.scalar import Scalar

_THROUGH_SCOPE = Scope(time=True, system=True, variables=frozenset(("through",)))
_ACROSS_SCOPE = Scope(time=True, system=True, variables=frozenset(("across",)))
_PORT_SCOPE = Scope(time=True, system=True, variables=frozenset(("across", "through")))


@dataclass(frozen=True)
class LawElement(TwoTerminal):
    """An element with a law of its own: a formula of its variables, of which give one form or both explicit ones.

    `through_law` is a formula of `across`, `across_law` one of `through`, `equation` one of both that is zero. With
    both explicit forms, each the inverse of the other, fewer unknowns are left.

    >>> LawElement("valve", "a", "b", through_law="k*sign(across)*sqrt(abs(across))").edges()[0].role.name
    'NONLINEAR'
    """

    through_law: Quantity | None = value(
        OptionalKind(QuantityKind(_ACROSS_SCOPE)), None, doc="through variable, a formula of `across`", keyword=True
    )
    across_law: Quantity | None = value(
        OptionalKind(QuantityKind(_THROUGH_SCOPE)), None, doc="across variable, a formula of `through`", keyword=True
    )
    equation: Quantity | None = value(
        OptionalKind(QuantityKind(_PORT_SCOPE)),
        None,
        doc="a formula of `across` and `through` that is zero",
        keyword=True,
    )

    def validate(self, place: Place) -> None:
        """Require an explicit law, or an equation."""
        explicit = self.through_law is not None or self.across_law is not None
        if explicit == (self.equation is not None):
            fact = "it has an explicit law and an equation." if explicit else "it has no law."
            place.report(
                fact, "Give through_law='…' of `across`, across_law='…' of `through`, or equation='…' of both."
            )

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge."""
        name = self.name
        laws = [law for law in (self.through_law, self.across_law, self.equation) if law is not None]
        return (
            Edge(
                *(name, self.a, self.b, Role.COUPLED if self.equation is not None else Role.NONLINEAR),
                across=None if self.across_law is None else Function((through(name),), self._of(self.across_law)),
                through=None if self.through_law is None else Function((across(name),), self._of(self.through_law)),
                switches=any(True for law in laws for _ in switches_of(law)),
            ),
        )

    def relations(self) -> tuple[Relation, ...]:
        """Return the equation."""
        if self.equation is None:
            return ()
        equation = self.equation

        def residual(motion: Motion, v: Scalar, i: Scalar) -> Scalar:
            return motion.evaluate(equation, across=v, through=i)

        return (Relation(self.name, Function((across(self.name), through(self.name)), residual)),)

    def _of(self, law: Formula) -> _Law:
        return _Law(law, "through" if law is self.across_law else "across")


@dataclass(frozen=True)
class _Law:
    """A formula of one variable of the element."""

    formula: Formula
    variable: str

    def __call__(self, motion: Motion, own: Scalar) -> Scalar:
        """Return the value of the formula."""
        return motion.evaluate(self.formula, **{self.variable: own})
