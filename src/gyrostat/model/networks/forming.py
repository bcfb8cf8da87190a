"""From the elements of a model to the component with their states, or faults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gyrostat.errors import Fault
from gyrostat.model.elements import NetworkElement
from gyrostat.model.inputs import Input
from gyrostat.model.joints import Joint
from gyrostat.model.networks.graph import NetworkGraph, graph_faults, tree_faults
from gyrostat.model.networks.initial_values import initial_faults
from gyrostat.model.networks.network_states import NetworkStates
from gyrostat.model.networks.varying_motion import KnownRates
from gyrostat.model.parameter import Parameter, Parameters
from gyrostat.model.record import Component


def form_network(
    components: Iterable[Component], parameters: Mapping[str, Parameter]
) -> tuple[NetworkStates | None, list[Fault]]:
    """Return the component with the states of all networks, or None and faults; None alone without elements."""
    given = list(components)
    elements = tuple(component for component in given if isinstance(component, NetworkElement))
    if not elements:
        return None, []
    network = NetworkGraph(elements)
    faults = list(graph_faults(network, (component.name for component in given)))
    faults = faults or list(tree_faults(network))
    if faults or not network.edges:
        return None, faults
    values, _ = Parameters.of(parameters).evaluate()
    states = NetworkStates(network.data[0].part_name("network"), elements, values, _known_rates(given, parameters))
    faults = list(initial_faults(network, states.plan.relations, states.initial_value))
    faults += states.faults()
    return (None, faults) if faults else (states, [])


def _known_rates(components: Iterable[Component], parameters: Mapping[str, Parameter]) -> KnownRates:
    """Return the names of the model whose rates a network can form."""
    given = list(components)
    joints = [one for one in given if isinstance(one, Joint) and one.speeds_are_rates]
    return KnownRates(
        frozenset(parameters),
        frozenset(one.name for one in given if isinstance(one, Input)),
        frozenset(name for joint in joints for name in joint.coordinate_names),
    )
