"""From a mechanism to weakly nonlinear oscillators: equilibrium, expansion, modes, ordering, terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gyrostat.analysis.scales.excitation import Excitation
from gyrostat.analysis.scales.expansion_point import (
    ExpansionPoint,
    check_equilibrium,
    closed_position,
    not_an_equilibrium,
    numeric_equilibrium,
    read_point,
    sign_oracle,
)
from gyrostat.analysis.scales.frequencies import Resonance
from gyrostat.analysis.scales.mechanism_loads import MechanismLoads, mechanism_loads
from gyrostat.analysis.scales.mechanism_record import Mechanism
from gyrostat.analysis.scales.mechanism_terms import mechanism_terms
from gyrostat.analysis.scales.modal import ExactModes, modes_of
from gyrostat.analysis.scales.modal_linear import LinearPart, linear_part
from gyrostat.analysis.scales.ordering import Ordering, Roles, choose, is_primary, is_strong
from gyrostat.analysis.scales.ordering_roles import find_roles
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.taylor import Grading, graded_terms
from gyrostat.analysis.scales.taylor_charts import Charts, LoopCharts, TreeCharts
from gyrostat.analysis.scales.taylor_loops import moved_by
from gyrostat.analysis.scales.term import SMALL_PARAMETER, Harmonic, Oscillator
from gyrostat.errors import ModelError, StateError
from gyrostat.model import Model
from gyrostat.model.names import first_few
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, evaluate
from gyrostat.scalar.exact.numbers import as_fraction, plain_number
from gyrostat.system import System, system_of
from gyrostat.system.kernel_forces import refuse_kernel_forces
from gyrostat.written.symbols import Symbols

__all__ = ["Mechanism", "oscillators_of"]

_DENOMINATOR_LIMIT = 10_000
"""The largest denominator of a fraction that is written as one."""


def oscillators_of(
    system: System | Model,
    *,
    order: int = 1,
    at: object = None,
    inputs: Mapping[str, object] | None = None,
    parameters: Mapping[str, object] | None = None,
    ordering: Ordering | None = None,
    resonances: Iterable[Resonance | str] = (),
    floating: bool | None = None,
) -> Mechanism:
    """Return a mechanism as weakly nonlinear oscillators about an equilibrium, with terms up to an order in ε.

    The equilibrium is `at`, given by names (numbers or formulas of parameters) or as an operating point; by default all
    coordinates are zero, or near the model's initial values. Coefficients are exact in the model's parameters, or
    numbers with `floating`, the default if the equilibrium is known numerically only.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1, "g": 9.81})
    >>> bar = model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top", symbol="theta"))
    >>> found = oscillators_of(model, order=2)
    >>> print(found.oscillators)
    a1'' + omega_theta**2*a1 = eps*(omega_theta**2/6)*a1**3 + eps**2*(-omega_theta**2/120)*a1**5
    >>> print(found.definitions["omega_theta"])
    sqrt(3*g/(2*l))
    """
    system = system_of(system)
    if not system.coordinate_names:
        raise StateError(f"{system.model.name!r} has no free coordinates: there is nothing that oscillates.")
    if system.state_names:
        raise StateError(
            f"{system.model.name!r} has the states {first_few(system.state_names)}: multiple scales expand oscillators "
            "alone. Leave them out, or give the forces that they lead to as formulas of coordinates and speeds."
        )
    if system.model.solved_inputs:
        raise StateError(
            f"{system.model.name!r} has the load {system.model.solved_inputs[0]!r}, which follows from the "
            "accelerations: multiple scales expand given loads alone. Leave rigid contacts and friction by reactions "
            "out."
        )
    refuse_kernel_forces(system, "Multiple scales")
    loads = mechanism_loads(system, inputs)
    excitation = Excitation(loads.trace.ring, frozenset(system.model.parameters))
    task = _Task(loads, dict(parameters or {}), ordering or Ordering(), excitation)
    start = task.start(at)
    return task.finished(start, order, tuple(Resonance.of(each) for each in resonances), dict(inputs or {}), floating)


@dataclass(frozen=True, eq=False)
class _Start:
    """An equilibrium, the roles of parameters there, and the linear part."""

    point: ExpansionPoint
    charts: Charts
    roles: Roles
    linear: LinearPart
    forcing: tuple[Harmonic, ...]
    """The harmonics that act at rest."""


@dataclass(frozen=True, eq=False)
class _Task:
    """The equations, values and ordering, which are common to all steps of an expansion."""

    loads: MechanismLoads
    parameters: Mapping[str, object]
    ordering: Ordering
    excitation: Excitation

    @cached_property
    def known(self) -> dict[str, float]:
        """Values of the parameters, one by default."""
        model = self.loads.system.model
        return {**dict.fromkeys(model.parameters, 1.0), **model.values(self.parameters)}

    @cached_property
    def moved(self) -> dict[str, tuple[str, ...]]:
        """The parameters that move constraints in time."""
        return moved_by(self.loads) if self.loads.system.constrained else {}

    def start(self, at: object) -> _Start:
        """Return the given equilibrium, the one with all coordinates zero, or the numerical one."""
        centre = self._closed(at) if self.loads.system.constrained else read_point(self.loads, at)
        try:
            found = self._about(centre)
        except ModelError:
            begin = centre if self.loads.system.constrained else self._initial
            if at is not None or (other := self._in_numbers(begin)) is None:
                raise
            return other
        if isinstance(found, _Start):
            return found
        if at is None and (other := self._in_numbers(centre)) is not None:
            return other
        raise not_an_equilibrium(self.loads, centre, found)

    def _closed(self, at: object) -> dict[str, Scalar]:
        """Return a position that closes all loops without excitation of the constraints."""
        values = {**self.known, **dict.fromkeys(self.moved, 0.0)}
        given = {} if at is None else {n: evaluate(v, values) for n, v in read_point(self.loads, at).items()}
        return closed_position(self.loads, {**self.parameters, **dict.fromkeys(self.moved, 0.0)}, given)

    @property
    def _initial(self) -> dict[str, Scalar]:
        """The model's initial coordinates."""
        names = self.loads.system.coordinate_names
        return dict(zip(names, map(plain_number, self.loads.system.initial_coordinates.tolist()), strict=True))

    def _in_numbers(self, centre: Mapping[str, Scalar]) -> _Start | None:
        """Return a numerical equilibrium without excitation; excitation is identified at `centre`."""
        try:
            small = self._small(self._roles(self._charts(centre)))
        except ModelError:
            small = frozenset()
        other = numeric_equilibrium(self.loads, {**self.parameters, **dict.fromkeys(small, 0.0)})
        found = None if other is None else self._about(other)
        return found if isinstance(found, _Start) else None

    def _charts(self, centre: Mapping[str, Scalar]) -> Charts:
        system = self.loads.system
        if system.constrained or len(system.coordinate_names) > len(system.speed_names):
            return LoopCharts(self.loads, centre, self.known, sign_oracle(self.known), self.moved)
        return TreeCharts(self.loads, centre)

    def _roles(self, charts: Charts) -> Roles:
        chart = charts.chart(charts.names, _unit(len(charts.names)), 2, Grading(1, dict.fromkeys(self.moved, 1)))
        return find_roles(
            self.loads, chart, self.ordering, sign_oracle(self.known), charts.moved, rounded=charts.rounded
        )

    def _small(self, roles: Roles) -> frozenset[str]:
        return frozenset({*roles.damping, *roles.direct, *roles.parametric, *self.ordering.parameters})

    def _about(self, centre: Mapping[str, Scalar]) -> _Start | dict[str, float]:
        """Return the equilibrium at a position, or the residual loads there."""
        loads, values, charts = self.loads, self.known, self._charts(centre)
        roles = self._roles(charts)
        grading = Grading(1, dict.fromkeys(self._small(roles), 1))
        chart = charts.chart(charts.names, _unit(len(charts.names)), 1, grading)
        sign = sign_oracle(values)
        terms = graded_terms(loads, chart, grading, 1, self.excitation, sign=sign, rounded=charts.rounded)
        point = check_equilibrium(charts.names, terms, values, centre)
        if isinstance(point, dict):
            return point
        forcing = dict.fromkeys(term.harmonic for term in terms if term.harmonic is not None and term.degree == 0)
        return _Start(point, charts, roles, linear_part(loads, charts.names, terms, values), tuple(forcing))

    def finished(
        self,
        start: _Start,
        order: int,
        resonances: tuple[Resonance, ...],
        inputs: Mapping[str, object],
        floating: bool | None,
    ) -> Mechanism:
        """Return the oscillators."""
        numbers = bool(floating) or not start.point.exact or start.charts.rounded
        loads, ring, values = self.loads, self.loads.trace.ring, dict(self.known)
        small = self._small(start.roles)
        symbols = Symbols(loads.system.coordinates).text
        modes = modes_of(start.linear, ring, values, symbols, floating=numbers, keep=sorted(small))
        values |= modes.values(values)
        excitation = self.excitation
        values |= {name: evaluate(what, values) for name, what in excitation.frequencies.items()}
        frequencies = [mode.frequency for mode in modes.modes if not mode.is_free]
        chosen = choose(
            self.ordering,
            start.roles,
            tuple(loads.system.model.parameters),
            primary=is_primary(start.forcing, frequencies, values, resonances),
            strong=bool(start.roles.parametric) or is_strong(frequencies, values, resonances),
        )
        found = mechanism_terms(
            start.charts, modes, chosen, order, excitation, values, numbers=numbers, floating=floating
        )
        oscillators = [Oscillator(mode.name, mode.frequency or 0, square=mode.square) for mode in modes.modes]
        values |= {**found.tokens.values(values), SMALL_PARAMETER: 1.0}
        problem = Oscillators.of_terms(oscillators, found.terms, values=values, floating=found.floating)
        return Mechanism(
            system=loads.system,
            ring=ring,
            point=start.point,
            independent=start.charts.names,
            chart=found.chart,
            ordering=chosen,
            modes=modes,
            tokens=found.tokens.elements,
            oscillators=problem,
            order=order,
            definitions={**_frequency_texts(modes), **modes.definitions, **found.tokens.definitions},
            parameters=self.parameters,
            inputs=inputs,
            notes=tuple(note for note in (start.point.note,) if note),
        )


def _unit(n: int) -> list[list[Scalar]]:
    return [[int(i == j) for j in range(n)] for i in range(n)]


def _frequency_texts(modes: ExactModes) -> dict[str, str]:
    return {mode.frequency: f"sqrt({_square_text(mode.square)})" for mode in modes.modes if mode.square is not None}


def _square_text(square: Scalar) -> str:
    simple = isinstance(square, Element) or as_fraction(square).denominator <= _DENOMINATOR_LIMIT
    return str(square) if simple else f"{float(square):.12g}"
