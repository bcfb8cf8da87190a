"""The hybrid form of a network on its normal tree.

Primary variables are the across variables of arcs and the through variables of chords; the others follow by circuits
and cutsets (McPhee 2002, part 2). Capacitors of the tree and inductors of the cotree are states. A capacitor of the
cotree and an inductor of the tree, called excess elements, have their relation differentiated once.
"""

from __future__ import annotations

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Coefficient, Edge, Linear, Role, Side, Variable, across, through
from gyrostat.model.networks.excess import add_excess_elements
from gyrostat.model.networks.graph import NetworkGraph
from gyrostat.model.networks.relations import Relations, Residual
from gyrostat.model.networks.varying_motion import KnownRates


def hybrid_form(network: NetworkGraph, rates: KnownRates) -> Relations:
    """Return the relations of the hybrid form."""
    found = Relations()
    for chord, loop in network.loops.items():
        found.assigned[across(chord)] = Linear(tuple((across(arc), _sign(sign)) for arc, sign in loop))
    for arc, cutset in network.cutsets.items():
        found.assigned[through(arc)] = Linear(tuple((through(chord), _sign(sign)) for chord, sign in cutset))
    arcs, excess = network.tree.arc_set, list[Edge]()
    for name, edge in network.edges.items():
        side = Side.ACROSS if name in arcs else Side.THROUGH
        if edge.storage is None:
            _add_terminal(edge, side, found)
        elif edge.stored.side is side:
            found.states[edge.stored] = edge
        else:
            excess.append(edge)
    for element in network.elements:
        found.residuals += [Residual(one.owner, one.expression) for one in element.relations()]
    add_excess_elements(network, excess, rates, found)
    return found


def _add_terminal(edge: Edge, side: Side, found: Relations) -> None:
    """Let the terminal equation of a driver or resistive edge give its primary variable, or leave it as an equation."""
    own = Variable(edge.name, side)
    given = edge.across if side is Side.ACROSS else edge.through
    if edge.role is Role.NULLATOR:
        found.assigned[own] = Linear()
        found.residuals.append(Residual(edge.name, Linear(), own.other))
    elif given is not None:
        found.assigned[own] = given
        found.primary.add(own)
    else:
        found.unknowns.append(own)
        inverse = edge.through if side is Side.ACROSS else edge.across
        if inverse is not None:
            found.residuals.append(Residual(edge.name, inverse, own.other))


def _sign(sign: int) -> Coefficient:
    return laws.one if sign > 0 else laws.minus_one
