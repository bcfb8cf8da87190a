"""Initial values of capacitors and inductors that are no states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from gyrostat.errors import Fault
from gyrostat.model.elements.edge import Edge, Linear, Role
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.networks.graph import NetworkGraph
from gyrostat.model.networks.probe import Probe
from gyrostat.model.networks.relations import Relations


def initial_faults(
    network: NetworkGraph, relations: Relations, value: Callable[[Edge], float | None]
) -> Iterator[Fault]:
    """Yield a fault where an initial value that was given contradicts those of the states and sources.

    `value` gives the initial value of a storage edge or driver as a number, or None where it is not known.
    """
    for edge in network.edges.values():
        if edge.storage is None or edge.storage.initial is None or edge.stored in relations.states:
            continue
        capacitor = edge.role is Role.CAPACITOR
        others = network.loops[edge.name] if capacitor else network.cutsets[edge.name]
        own = value(edge)
        given = [(value(network.edges[name]), sign) for name, sign in others]
        if own is None or any(each is None for each, _ in given):
            continue
        expected = sum(sign * each for each, sign in given if each is not None)
        if abs(own - expected) > 1e-9 * max(abs(own), abs(expected)):
            named = ", ".join(repr(network.owner[name].name) for name, _ in others)
            word = network.domain(edge.name).word(edge.stored.side)
            fact = f"its initial {word} {own:g} contradicts that of {named}, from which {expected:g} follows."
            yield Fault(network.owner[edge.name].describe(), fact, f"Leave the initial {word} out, or correct one.")


def initial_value(edge: Edge, names: Iterable[str], parameters: Mapping[str, float]) -> float | None:
    """Return the initial value of a storage edge or driver, or None if not known; `names` are those in its formulas."""
    if edge.storage is not None:
        formula = edge.storage.initial or _ZERO
        return formula.value(dict(parameters)) if formula.names <= parameters.keys() else None
    if edge.role is Role.NULLATOR:
        return 0.0
    law = edge.across if edge.role is Role.ACROSS_DRIVER else edge.through
    values = {**parameters, TIME: 0.0}
    if not edge.is_given or not isinstance(law, Linear) or not values.keys() >= set(names):
        return None
    return 0.0 if law.constant is None else float(law.constant(Probe(values)))


_ZERO = Formula.of(0)
