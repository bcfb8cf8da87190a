"""The hybrid form of a network: which variable each equation gives, and which unknowns and equations are left.

Primary variables are the across variables of arcs and the through variables of chords; the others follow by circuits
and cutsets (McPhee 2002, part 2). Capacitors of the tree and inductors of the cotree are states. A capacitor of the
cotree and an inductor of the tree have their equation differentiated once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from gyrostat.errors import Fault
from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import (
    Coefficient,
    Edge,
    Expression,
    Linear,
    Role,
    Side,
    Storage,
    Variable,
    across,
    through,
)
from gyrostat.model.forces import Motion
from gyrostat.model.networks.graph import NetworkGraph
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, negate


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
    faults: list[Fault] = field(default_factory=list)

    def leave(self, variable: Variable) -> None:
        """Turn an assignment into an unknown with an equation."""
        self.residuals.append(Residual(variable.edge, self.assigned.pop(variable), variable))
        self.unknowns.append(variable)
        self.primary.discard(variable)


def relations_of(network: NetworkGraph, differentiable: Callable[[str], bool]) -> Relations:
    """Return the hybrid form; `differentiable` tells whether the value of a driver depends on time alone."""
    found = Relations()
    for chord, loop in network.loops.items():
        found.assigned[across(chord)] = Linear(tuple((across(arc), _sign(sign)) for arc, sign in loop))
    for arc, cutset in network.cutsets.items():
        found.assigned[through(arc)] = Linear(tuple((through(chord), _sign(sign)) for chord, sign in cutset))
    arcs = network.tree.arc_set
    for name, edge in network.edges.items():
        side = Side.ACROSS if name in arcs else Side.THROUGH
        if edge.storage is not None:
            _add_storage(network, edge, edge.storage, side, differentiable, found)
        else:
            _add_terminal(edge, side, found)
    for element in network.elements:
        found.residuals += [Residual(one.owner, one.expression) for one in element.relations()]
    return found


def _add_terminal(edge: Edge, side: Side, found: Relations) -> None:
    """Let the terminal equation of a driver or resistive edge give its primary variable, or leave it as an equation."""
    own, other = Variable(edge.name, side), Variable(edge.name, _OTHER[side])
    given = edge.across if side is Side.ACROSS else edge.through
    if edge.role is Role.NULLATOR:
        found.assigned[own] = Linear()
        found.residuals.append(Residual(edge.name, Linear(), other))
    elif given is not None:
        found.assigned[own] = given
        found.primary.add(own)
    else:
        found.unknowns.append(own)
        inverse = edge.through if side is Side.ACROSS else edge.across
        if inverse is not None:
            found.residuals.append(Residual(edge.name, inverse, other))


def _add_storage(
    network: NetworkGraph,
    edge: Edge,
    storage: Storage,
    side: Side,
    differentiable: Callable[[str], bool],
    found: Relations,
) -> None:
    """Make the variable of a capacitor or inductor a state, or give the other one by the differentiated equation."""
    own = across(edge.name) if edge.role is Role.CAPACITOR else through(edge.name)
    if own.side is side:
        found.states[own] = edge
        return
    others = network.loops[edge.name] if edge.role is Role.CAPACITOR else network.cutsets[edge.name]
    terms: list[tuple[Variable, Coefficient]] = []
    constants: list[Coefficient] = []
    for name, sign in others:
        other = network.edges[name]
        if other.role is edge.role:
            assert other.storage is not None, "capacitors and inductors store energy"
            effort = Variable(name, _OTHER[own.side])
            terms.append((effort, _Ratio(storage.coefficient, other.storage.coefficient, sign)))
            if other.storage.drift is not None:
                drift = _Ratio(storage.coefficient, other.storage.coefficient, -sign, other.storage.drift)
                terms.append((Variable(name, own.side), drift))
        elif other.role is Role.NULLATOR or other.is_zero:
            continue
        elif other.rate is not None and differentiable(name):
            constants.append(_Product(storage.coefficient, other.rate, sign))
        else:
            found.faults.append(_excess_fault(network, edge, name))
    if storage.drift is not None:
        terms.append((own, storage.drift))
    given = Variable(edge.name, _OTHER[own.side])
    found.assigned[given] = Linear(tuple(terms), _Sum(tuple(constants)) if constants else None)
    found.primary.add(given)


def _excess_fault(network: NetworkGraph, edge: Edge, other: str) -> Fault:
    """Return the fault of a capacitor or inductor whose variable follows from one whose rate is not known."""
    domain, capacitor = network.domain(edge.name), edge.role is Role.CAPACITOR
    word = domain.across if capacitor else domain.through
    where = "in a loop of capacitors and sources" if capacitor else "in a cutset of inductors and sources"
    owner = network.owner[other].name
    fact = f"{where}, its {word} follows from that of {owner!r}, whose rate is not known."
    how = "in series with it" if capacitor else "in parallel with it"
    remedy = f"Let the value of {owner!r} be a formula of t and parameters, or put a resistance {how}."
    return Fault(network.owner[edge.name].describe(), fact, remedy)


_OTHER = {Side.ACROSS: Side.THROUGH, Side.THROUGH: Side.ACROSS}


def _sign(sign: int) -> Coefficient:
    return laws.one if sign > 0 else laws.minus_one


@dataclass(frozen=True)
class _Ratio:
    """sign·a/b, times a further factor."""

    a: Coefficient
    b: Coefficient
    sign: int
    factor: Coefficient = laws.one

    def __call__(self, motion: Motion) -> Scalar:
        value = multiply(divide(self.a(motion), self.b(motion)), self.factor(motion))
        return value if self.sign > 0 else negate(value)


@dataclass(frozen=True)
class _Product:
    """sign·a·b."""

    a: Coefficient
    b: Coefficient
    sign: int

    def __call__(self, motion: Motion) -> Scalar:
        value = multiply(self.a(motion), self.b(motion))
        return value if self.sign > 0 else negate(value)


@dataclass(frozen=True)
class _Sum:
    """The sum of coefficients."""

    parts: tuple[Coefficient, ...]

    def __call__(self, motion: Motion) -> Scalar:
        first, *rest = (part(motion) for part in self.parts)
        for each in rest:
            first = first + each
        return first


def initial_faults(
    network: NetworkGraph, relations: Relations, value: Callable[[Storage], float | None]
) -> Iterator[Fault]:
    """Yield a fault where an initial value that was given contradicts those of the states.

    `value` gives the initial value of a storage edge as a number, or None where it is not known.
    """
    for edge in network.edges.values():
        if edge.storage is None or edge.storage.initial is None:
            continue
        capacitor = edge.role is Role.CAPACITOR
        if (across(edge.name) if capacitor else through(edge.name)) in relations.states:
            continue
        others = network.loops[edge.name] if capacitor else network.cutsets[edge.name]
        members = [(network.edges[name], sign) for name, sign in others]
        given = [(value(e.storage), s) for e, s in members if e.storage is not None and e.role is edge.role]
        own = value(edge.storage)
        alone = all(e.role in (edge.role, Role.NULLATOR) for e, _ in members)
        if not alone or own is None or any(v is None for v, _ in given):
            continue
        expected = sum(s * v for v, s in given if v is not None)
        if abs(own - expected) > 1e-9 * max(abs(own), abs(expected)):
            named = ", ".join(repr(network.owner[e.name].name) for e, _ in members)
            word = network.domain(edge.name).word(Side.ACROSS if capacitor else Side.THROUGH)
            fact = f"its initial {word} {own:g} contradicts that of {named}, from which {expected:g} follows."
            yield Fault(network.owner[edge.name].describe(), fact, f"Leave the initial {word} out, or correct one.")
