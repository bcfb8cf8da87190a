"""The networks of a model as a component with states: it is formed when a model is flattened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from gyrostat.errors import Fault
from gyrostat.model.elements import NetworkElement
from gyrostat.model.elements.edge import Edge, Variable, across, through
from gyrostat.model.elements.transducer import Transducer
from gyrostat.model.forces import Motion
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.kinds import FormulaUse
from gyrostat.model.networks.elimination import Pivots, choose_pivots
from gyrostat.model.networks.graph import NetworkGraph
from gyrostat.model.networks.guess import guesses
from gyrostat.model.networks.hybrid_form import hybrid_form
from gyrostat.model.networks.initial_values import initial_value
from gyrostat.model.networks.plan import Plan, plan_of
from gyrostat.model.networks.probe import Probe
from gyrostat.model.networks.solution import block_equations, residual_value, solution
from gyrostat.model.networks.varying_motion import KnownRates
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.state_element import StateElement, StateOutput
from gyrostat.model.switches import switches_of
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract

_ZERO = Formula.of(0)


@dataclass(frozen=True)
class NetworkStates(StateElement):
    """All networks of a model in hybrid form: states, algebraic unknowns, outputs and energy.

    States are the voltages of capacitors in the normal tree and the currents of inductors outside of it, with the words
    of other domains. Outputs are across and through variables of edges, across variables of nodes, and the powers that
    elements receive.
    """

    formed: ClassVar[bool] = True
    stores_energy: ClassVar[bool] = True
    supplies_power: ClassVar[bool] = True
    elements: tuple[NetworkElement, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)
    """The known values of parameters, at which pivots are chosen."""
    rates: KnownRates = field(default_factory=KnownRates, compare=False, repr=False)
    """The names of parameters, inputs and coordinates, whose rates are known."""

    def __reduce__(self) -> tuple[type[NetworkStates], tuple[object, ...]]:
        return (NetworkStates, (self.name, self.elements, self.parameters, self.rates))  # laws are not pickled

    # --- structure ----------------------------------------------------------------------------------------------

    @cached_property
    def network(self) -> NetworkGraph:
        """The graph with its normal tree."""
        return NetworkGraph(self.elements)

    @cached_property
    def plan(self) -> Plan:
        """The equations in the order of evaluation."""
        relations = hybrid_form(self.network, self.rates)
        if relations.faults:
            return Plan(relations, (), (), (), (), tuple(relations.faults))
        return plan_of(self.network, relations)

    @property
    def rated_inputs(self) -> tuple[str, ...]:
        """The inputs whose rates enter: those of sources in loops of capacitors or cutsets of inductors."""
        return tuple(self.plan.relations.rated_inputs)

    @property
    def continuous_outputs(self) -> tuple[str, ...]:
        """The values of sources whose rates enter: a jump would be an impulse of charge or flux."""
        edges = self.network.edges
        rated = (v for v in self.plan.relations.assigned if v.order and edges[v.edge].is_given)
        return tuple(self.full_name(Variable(v.edge, v.side)) for v in rated if edges[v.edge].drives is v.side)

    def initial_value(self, edge: Edge) -> float | None:
        """Return the initial value of a storage edge or driver as a number; None where it is not known."""
        return initial_value(edge, self.network.owner[edge.name].outer_names, self.parameters)

    @cached_property
    def pivots(self) -> tuple[Pivots, ...]:
        """The pivots of the linear blocks."""
        return tuple(pivots for pivots in self._chosen_pivots if pivots is not None)

    @cached_property
    def _chosen_pivots(self) -> tuple[Pivots | None, ...]:
        """The pivots of the linear blocks up to the first one that is singular."""
        probe, chosen = Probe(self.parameters), list[Pivots | None]()
        plan = self.plan
        known = {v: probe.quantity(self.full_name(v)) for v in (*plan.relations.states, *plan.algebraic)}
        for number, block in enumerate(plan.blocks):
            before = Plan(plan.relations, plan.first, plan.blocks[:number], plan.algebraic, plan.equations)
            values = solution(before, [one for one in chosen if one is not None], probe, known)
            chosen.append(choose_pivots(block_equations(plan, block, probe, values)))
            if chosen[-1] is None:
                break
        return tuple(chosen)

    def faults(self) -> list[Fault]:
        """Return the faults of the equations."""
        if self.plan.faults:
            return list(self.plan.faults)
        chosen = self._chosen_pivots
        if not chosen or chosen[-1] is not None:
            return []
        owners = (residual.owner for residual in self.plan.blocks[len(chosen) - 1].residuals)
        names = dict.fromkeys(repr(self._element_name(owner)) for owner in owners)
        fact = f"the equations of {', '.join(names)} do not determine their variables: their matrix is singular."
        return [Fault("network", fact, "Check their values and connections; put a resistance between them.")]

    def _element_name(self, owner: str) -> str:
        return self.network.owner[owner].name if owner in self.network.owner else owner

    # --- names --------------------------------------------------------------------------------------------------

    def full_name(self, variable: Variable) -> str:
        """Return the name of a variable, such as `R2.voltage`; that of an unknown rate is `R2.voltage_rate`."""
        return f"{variable.edge}.{self.network.domain(variable.edge).word(variable.side)}{'_rate' * variable.order}"

    def _unit(self, variable: Variable) -> str:
        return f"{self.network.domain(variable.edge).unit(variable.side)}{'/s' * variable.order}"

    @cached_property
    def _state_variables(self) -> tuple[StateVariable, ...]:
        plan, found = self.plan, []
        for variable, edge in plan.relations.states.items():
            assert edge.storage is not None, "states are those of capacitors and inductors"
            found.append(self._variable(variable, edge.storage.initial or _ZERO, algebraic=False))
        begin = self._guesses
        found += [self._variable(v, Formula.of(begin[v]), algebraic=True) for v in plan.algebraic]
        return tuple(found)

    @cached_property
    def _guesses(self) -> Mapping[Variable, float]:
        """The first values of the algebraic unknowns, at the known parameters and at rest otherwise."""
        uses = (use for element in self.elements for use in element.all_uses if isinstance(use, FormulaUse))
        names = {name for use in uses for name in use.formula.names}
        probe = Probe({**dict.fromkeys((*names, TIME), 0.0), **self.parameters})
        states: dict[Variable, float] = {}
        for variable, edge in self.plan.relations.states.items():
            states[variable] = self.initial_value(edge) or 0.0
        return guesses(self.plan, self.pivots, probe, states)

    def _variable(self, variable: Variable, initial: Formula, *, algebraic: bool) -> StateVariable:
        word = self.network.domain(variable.edge).word(variable.side)
        text = f"{'rate of the ' * variable.order}{word} of {variable.edge}"
        return StateVariable(self.full_name(variable), self._unit(variable), text, initial, algebraic)

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The states in the order of the elements, then the algebraic unknowns."""
        return self._state_variables

    @cached_property
    def _variables(self) -> dict[str, Variable]:
        """The variables of all edges by name, states included."""
        edges = self.network.edges
        return {self.full_name(v): v for name in edges for v in (across(name), through(name))}

    @property
    def outputs(self) -> Mapping[str, StateOutput]:
        """The variables of edges that are no states, those of nodes, and powers of elements."""
        return self._outputs

    @cached_property
    def _outputs(self) -> dict[str, StateOutput]:
        network, states = self.network, {variable.name for variable in self.state_variables}
        found = {
            name: StateOutput(self._unit(variable), f"{name.rpartition('.')[2]} of {variable.edge}")
            for name, variable in self._variables.items()
            if name not in states
        }
        for node, domain in network.domain_of.items():
            found[f"{node}.{domain.across}"] = StateOutput(domain.across_unit, f"{domain.across} of node {node}")
        for element in self.elements:
            if element.edges():
                found[f"{element.name}.power"] = StateOutput("W", f"power that {element.name} receives")
            if any(edge.storage is not None for edge in element.edges()):
                found[f"{element.name}.energy"] = StateOutput("J", f"energy that {element.name} stores")
        found[self.part_name("energy")] = StateOutput("J", "energy of all capacitors and inductors")
        found[self.part_name("dissipation")] = StateOutput("W", "power that resistive elements turn into heat")
        return found

    def feedthrough(self, output: str) -> tuple[Formula, ...]:
        """Return the formulas of all elements that use signals: outputs are formed together."""
        return self._formulas

    @cached_property
    def _formulas(self) -> tuple[Formula, ...]:
        return tuple(formula for element in self.elements for formula in _formulas_of(element))

    @property
    def may_switch(self) -> bool:
        """Whether equations of elements, or formulas in them, have conditions."""
        return any(_may_switch(element) for element in self.elements)

    @property
    def law_names(self) -> tuple[str, ...]:
        """The elements whose equations have conditions."""
        return tuple(element.name for element in self.elements if _may_switch(element)) or (self.name,)

    # --- values -------------------------------------------------------------------------------------------------

    def values(self, motion: Motion) -> dict[Variable, Scalar]:
        """Return the across and through variables of all edges."""
        return solution(self.plan, self.pivots, motion, self._given(motion))

    def _given(self, motion: Motion) -> dict[Variable, Scalar]:
        """Return the values of states and algebraic unknowns."""
        known = (*self.plan.relations.states, *self.plan.algebraic)
        return {variable: motion.quantity(self.full_name(variable)) for variable in known}

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rates of states and the residuals of the equations of algebraic unknowns."""
        values = self.values(motion)
        found: dict[str, Scalar] = {}
        for variable, edge in self.plan.relations.states.items():
            assert edge.storage is not None, "states are those of capacitors and inductors"
            effort = values[variable.other]
            if edge.storage.drift is not None:
                effort = subtract(effort, multiply(edge.storage.drift(motion), values[variable]))
            found[self.full_name(variable)] = divide(effort, edge.storage.coefficient(motion))
        for variable, residual in zip(self.plan.algebraic, self.plan.equations, strict=True):
            found[self.full_name(variable)] = residual_value(residual, motion, values)
        return found

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return all outputs."""
        values, network = self.values(motion), self.network
        found = {name: values[variable] for name, variable in self._variables.items()}
        nodes = self._node_values(values)
        found |= {f"{node}.{domain.across}": nodes[node] for node, domain in network.domain_of.items()}
        for element in self.elements:
            powers = [_power(values, edge) for edge in element.edges()]
            if powers:
                found[f"{element.name}.power"] = _sum(powers)
            found[f"{element.name}.energy"] = _sum(self._energies(element.edges(), motion, values))
        found[self.part_name("energy")] = _sum(self._energies(network.edges.values(), motion, values))
        found[self.part_name("dissipation")] = _sum([_power(values, edge) for edge in self._dissipative])
        return {name: found[name] for name in self.outputs}

    @property
    def _dissipative(self) -> list[Edge]:
        """The edges that neither store energy, supply it, nor give it to the mechanism."""
        owner = self.network.owner
        edges = (edge for edge in self.network.edges.values() if edge.storage is None and not edge.supplies)
        return [edge for edge in edges if not isinstance(owner[edge.name], Transducer)]

    def _energies(self, edges: Iterable[Edge], motion: Motion, values: Mapping[Variable, Scalar]) -> list[Scalar]:
        """Return ½ C v² of each capacitor and ½ L i² of each inductor."""
        return [
            divide(multiply(edge.storage.coefficient(motion), square(values[edge.stored])), 2)
            for edge in edges
            if edge.storage is not None
        ]

    def _node_values(self, values: Mapping[Variable, Scalar]) -> dict[str, Scalar]:
        """Return the across variables of nodes, outward from the data."""
        tree = self.network.tree
        found: dict[str, Scalar] = {datum.name: 0 for datum in self.network.data}
        for vertex in tree.order[1:]:
            edge, parent = tree.parent_edge[vertex], tree.parent_vertex[vertex]
            own = values[across(edge)]
            leaves = tree.graph.edge[edge].tail == vertex
            found[vertex] = add(found[parent], own if leaves else negate(own))
        return found

    def potential(self, motion: Motion) -> Scalar:
        """Return the energy of all capacitors and inductors."""
        storing = [edge for edge in self.network.edges.values() if edge.storage is not None]
        if any(edge.stored not in self.plan.relations.states for edge in storing):
            return _sum(self._energies(storing, motion, self.values(motion)))
        return _sum(self._energies(storing, motion, self._given(motion)))

    def supplied_power(self, motion: Motion) -> Scalar:
        """Return the power of sources and amplifiers, minus that which transducers give to the mechanism."""
        return _sum(self._supplied_powers(motion, self.values(motion)))

    def _supplied_powers(self, motion: Motion, values: Mapping[Variable, Scalar]) -> list[Scalar]:
        powers = [_power(values, edge) for edge in self.network.edges.values() if edge.supplies]
        powers += [element.given_power(motion) for element in self.elements if isinstance(element, Transducer)]
        return [negate(power) for power in powers]

    def stored_powers(self, motion: Motion) -> Sequence[Scalar]:
        """Return the supplied powers, and those of resistive elements with a minus sign.

        By Tellegen's theorem their sum is the rate of the energy.
        """
        values = self.values(motion)
        lost = [negate(_power(values, edge)) for edge in self._dissipative]
        return [*self._supplied_powers(motion, values), *lost]


def _formulas_of(element: NetworkElement) -> list[Formula]:
    """Return the formulas of an element that use signals."""
    uses = (use for use in element.all_uses if isinstance(use, FormulaUse))
    return [use.formula for use in uses if use.scope.system and use.formula.names]


def _may_switch(element: NetworkElement) -> bool:
    """Tell whether equations of an element, or its formulas, may have conditions of the state."""
    switches = (switch for formula in _formulas_of(element) for switch in switches_of(formula))
    return any(edge.switches for edge in element.edges()) or any(one.function.names - {TIME} for one in switches)


def _power(values: Mapping[Variable, Scalar], edge: Edge) -> Scalar:
    """Return the power that an edge receives."""
    return multiply(values[across(edge.name)], values[through(edge.name)])


def _sum(terms: list[Scalar]) -> Scalar:
    total: Scalar = 0
    for term in terms:
        total = add(total, term)
    return total
