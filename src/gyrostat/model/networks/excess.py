"""Excess elements: capacitors in loops of capacitors and sources, inductors in cutsets of inductors and sources.

Their variable follows from those of the others by the relation v = Σ ± v_arc (or i = Σ ± i_chord). It is differentiated
once: i = C Σ ± v̇_arc. Where the rate of a controlled source depends on i itself, the relation determines i as it is:
then v is a state, i an unknown, and the relation its equation.
"""

from __future__ import annotations

from collections.abc import Sequence

from gyrostat.errors import Fault
from gyrostat.model.elements.edge import Coefficient, Edge, Linear, Role, Variable
from gyrostat.model.networks.coefficients import Ratio, Signed
from gyrostat.model.networks.graph import NetworkGraph
from gyrostat.model.networks.rates import Rates
from gyrostat.model.networks.relations import Relations, Residual
from gyrostat.model.networks.varying_motion import KnownRates


def add_excess_elements(network: NetworkGraph, edges: Sequence[Edge], known: KnownRates, found: Relations) -> None:
    """Add the relations of excess elements, or faults where the rate of a source is not known."""
    efforts = {edge.stored.other: edge for edge in edges}
    rates = Rates(network, found, known, set(efforts))
    for effort in _determined_efforts(network, efforts, rates):
        edge = efforts.pop(effort)
        found.states[edge.stored] = edge
        found.residuals.append(Residual(edge.name, found.assigned.pop(edge.stored), edge.stored))
        found.unknowns.append(effort)
    for edge in efforts.values():
        for name in rates.without_rate(_sources(network, edge)):
            found.faults.append(_fault(network, edge, name))
    if not found.faults:
        for effort, edge in efforts.items():
            found.assigned[effort] = _differentiated(network, edge, rates)
            found.primary.add(effort)
        rates.complete()


def _determined_efforts(network: NetworkGraph, efforts: dict[Variable, Edge], rates: Rates) -> list[Variable]:
    """Return the efforts that the relations of their elements determine without being differentiated."""
    found: list[Variable] = []
    while True:
        left = [effort for effort in efforts if effort in rates.excess]
        more = [one for one in left if not rates.excess.isdisjoint(rates.reached(_sources(network, efforts[one])))]
        if not more:
            return found
        for effort in more:
            edge = efforts[effort]
            rates.excess.discard(effort)
            rates.relation_of[effort] = Residual(edge.name, rates.relations.assigned[edge.stored], edge.stored)
        found += more


def _others(network: NetworkGraph, edge: Edge) -> tuple[tuple[str, int], ...]:
    return network.loops[edge.name] if edge.role is Role.CAPACITOR else network.cutsets[edge.name]


def _sources(network: NetworkGraph, edge: Edge) -> list[Variable]:
    """Return the variables in the relation of an excess element whose rates must be formed."""
    found = []
    for name, _ in _others(network, edge):
        other = network.edges[name]
        if other.role not in (edge.role, Role.NULLATOR) and not other.is_zero:
            found.append(Variable(name, edge.stored.side))
    return found


def _differentiated(network: NetworkGraph, edge: Edge, rates: Rates) -> Linear:
    """Return the effort of an excess element by its differentiated relation."""
    assert edge.storage is not None, "excess elements store energy"
    terms: list[tuple[Variable, Coefficient]] = []
    sources = set(_sources(network, edge))
    for name, sign in _others(network, edge):
        other = network.edges[name]
        if other.storage is not None:
            terms.append((other.stored.other, Ratio(edge.storage.coefficient, other.storage.coefficient, sign)))
            if other.storage.drift is not None:
                ratio = Ratio(edge.storage.coefficient, other.storage.coefficient, -sign, other.storage.drift)
                terms.append((other.stored, ratio))
        elif (variable := Variable(name, edge.stored.side)) in sources and not rates.is_constant(variable):
            terms.append((rates.rate(variable), Signed(edge.storage.coefficient, sign)))
    if edge.storage.drift is not None:
        terms.append((edge.stored, edge.storage.drift))
    return Linear(tuple(terms))


def _fault(network: NetworkGraph, edge: Edge, other: str) -> Fault:
    """Return the fault of an excess element whose variable follows from one whose rate is not known."""
    domain, capacitor = network.domain(edge.name), edge.role is Role.CAPACITOR
    word = domain.across if capacitor else domain.through
    where = "in a loop of capacitors and sources" if capacitor else "in a cutset of inductors and sources"
    fact = f"{where}, its {word} follows from {other!r}, whose rate is not known."
    how = "in series with it" if capacitor else "in parallel with it"
    remedy = (
        f"Let the value of {other!r} be a formula of t, parameters, inputs and coordinates, or put a resistance {how}."
    )
    return Fault(network.owner[edge.name].describe(), fact, remedy)
