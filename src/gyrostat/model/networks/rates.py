"""Rates of network variables, by the differentiated equations of the hybrid form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from gyrostat.model.elements import NetworkElement, laws
from gyrostat.model.elements.edge import Coefficient, Expression, Function, Linear, Role, Variable
from gyrostat.model.networks.coefficients import Ratio
from gyrostat.model.networks.graph import NetworkGraph
from gyrostat.model.networks.relations import Relations, Residual
from gyrostat.model.networks.varying_motion import FunctionSlope, KnownRates, Slope
from gyrostat.once import cached_property


@dataclass
class Rates:
    """Adds the rates of variables to the relations of a network, with all rates that they depend on."""

    network: NetworkGraph
    relations: Relations
    known: KnownRates
    excess: set[Variable]
    """The variables that differentiated equations give; their rates would need second derivatives."""
    relation_of: dict[Variable, Residual] = field(default_factory=dict)
    """The equations of unknowns that are added to the relations later."""
    _pending: list[Variable] = field(default_factory=list)
    _added: set[Variable] = field(default_factory=set)
    _residuals: dict[str, list[Residual]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Keep the equations by owner, before any is differentiated."""
        for residual in self.relations.residuals:
            self._residuals.setdefault(residual.owner, []).append(residual)

    # --- structure ----------------------------------------------------------------------------------------------

    def reached(self, variables: Iterable[Variable]) -> set[Variable]:
        """Return the variables whose rates the rates of some variables depend on, these included."""
        pending, found = list(variables), set[Variable]()
        while pending:
            variable = pending.pop()
            if variable not in found:
                found.add(variable)
                pending.extend(self._needs(variable))
        return found

    def without_rate(self, variables: Iterable[Variable]) -> list[str]:
        """Return the elements whose equations cannot be differentiated, though rates depend on them."""
        owners = {self._owner(one): None for variable in self.reached(variables) for one in self._equations(variable)}
        return sorted(owner for owner in owners if not self._has_rate(owner))

    def is_constant(self, variable: Variable) -> bool:
        """Tell whether a variable is that of a driver whose value depends on parameters alone."""
        expression = self.relations.assigned.get(variable)
        return expression is not None and not expression.needs and not self._varies(variable.edge)

    def _needs(self, variable: Variable) -> tuple[Variable, ...]:
        """Return the variables whose rates give the rate of a variable; those of states are known."""
        if variable in self.relations.states or variable in self.excess:
            return ()
        if variable in self.relations.assigned:
            return self.relations.assigned[variable].needs
        _, residuals = self._group(variable)
        return tuple(need for residual in residuals for need in residual.needs)

    def _equations(self, variable: Variable) -> tuple[str, ...]:
        """Return the owners of the terminal equations that are differentiated for the rate of a variable."""
        if variable in self.relations.states or variable in self.excess:
            return ()
        if variable in self.relations.assigned:
            return (variable.edge,) if variable in self.relations.primary else ()
        return tuple(residual.owner for residual in self._group(variable)[1])

    def _group(self, unknown: Variable) -> tuple[list[Variable], list[Residual]]:
        """Return the unknowns that are found together with one, and their equations.

        A nonlinear arc has its own equation, the ports of a coupled element share those of the element, and all
        norators those of all nullators.
        """
        if unknown in self.relation_of:
            return [unknown], [self.relation_of[unknown]]
        edges, owner = self.network.edges, self.network.owner
        if edges[unknown.edge].role is Role.NORATOR:
            norators = [one for one in self.relations.unknowns if edges[one.edge].role is Role.NORATOR]
            owners = {name for name, edge in edges.items() if edge.role is Role.NULLATOR}
            return norators, self._owned(owners)
        if edges[unknown.edge].role is Role.COUPLED:
            element = owner[unknown.edge]
            ports = [one for one in self.relations.unknowns if owner[one.edge] is element and not one.order]
            return ports, self._owned({element.name, *(port.edge for port in ports)})
        return [unknown], self._owned({unknown.edge})

    def _owned(self, owners: set[str]) -> list[Residual]:
        return [one for name in sorted(owners) for one in self._residuals.get(name, ())]

    # --- owners -------------------------------------------------------------------------------------------------

    def _owner(self, name: str) -> str:
        """Return the element to which an edge or equation belongs."""
        return self.network.owner[name].name if name in self.network.owner else name

    def _names(self, owner: str) -> frozenset[str]:
        return self._elements[self._owner(owner)].outer_names

    def _has_rate(self, owner: str) -> bool:
        return all(name in self.known for name in self._names(owner))

    def _varies(self, owner: str) -> bool:
        return not self._names(owner) <= self.known.constants

    @cached_property
    def _elements(self) -> dict[str, NetworkElement]:
        return {element.name: element for element in self.network.elements}

    # --- differentiation ----------------------------------------------------------------------------------------

    def rate(self, variable: Variable) -> Variable:
        """Return the rate of a variable as a variable; `complete` adds what gives it."""
        assert not variable.order, "relations are differentiated once"
        if variable not in self._added:
            self._added.add(variable)
            self._pending.append(variable)
        return variable.rate

    def complete(self) -> None:
        """Add the equations of all rates that were asked for."""
        while self._pending:
            self._add(self._pending.pop())

    def _add(self, variable: Variable) -> None:
        relations = self.relations
        if variable in relations.states:
            relations.assigned[variable.rate] = self._rate_of_state(variable)
        elif variable in relations.assigned:
            primary = variable in relations.primary
            owner = variable.edge if primary else None
            relations.assigned[variable.rate] = self._derivative(relations.assigned[variable], owner)
            if primary:
                relations.primary.add(variable.rate)
        elif variable.rate not in relations.unknowns:
            unknowns, residuals = self._group(variable)
            relations.unknowns += [one.rate for one in unknowns]
            self._added |= set(unknowns)
            for one in residuals:
                target = None if one.target is None else self.rate(one.target)
                relations.residuals.append(Residual(one.owner, self._derivative(one.expression, one.owner), target))

    def _rate_of_state(self, variable: Variable) -> Linear:
        """Return v̇ = (i − d v)/c of a capacitor, or that of an inductor."""
        storage = self.relations.states[variable].storage
        assert storage is not None, "states are those of capacitors and inductors"
        terms: list[tuple[Variable, Coefficient]] = [(variable.other, Ratio(laws.one, storage.coefficient, 1))]
        if storage.drift is not None:
            terms.append((variable, Ratio(storage.drift, storage.coefficient, -1)))
        return Linear(tuple(terms))

    def _derivative(self, expression: Expression, owner: str | None) -> Expression:
        """Return the derivative of an expression with respect to time; circuits and cutsets have no owner."""
        varies = owner is not None and self._varies(owner)
        if varies and owner is not None:
            names = self._names(owner)
            self.relations.rated_inputs |= dict.fromkeys(sorted(names & self.known.inputs))
        rates = tuple(self.rate(need) for need in expression.needs)
        if isinstance(expression, Function):
            return Function((*expression.needs, *rates), FunctionSlope(expression.form, self.known))
        terms = [(rate, coefficient) for rate, (_, coefficient) in zip(rates, expression.terms, strict=True)]
        constant: Coefficient | None = None
        if varies:
            terms += [(variable, Slope(coefficient, self.known)) for variable, coefficient in expression.terms]
            constant = None if expression.constant is None else Slope(expression.constant, self.known)
        return Linear(tuple(terms), constant)
