"""The values of a system's parameters for one call, in order and checked: no mass or inertia may be negative."""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping
from dataclasses import dataclass

import numpy as np

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Floats, Parameters
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.model.body import Body
from gyrostat.model.checks.mass import principal_moments
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import FormulaUse
from gyrostat.once import cached_property
from gyrostat.scalar import FloatScalars

_FIELDS = frozenset(("mass", "inertia", "properties", "rotors"))
"""The fields of a body that its mass and inertia come from."""
_ROUNDING = 1e-9
"""How negative the least principal moment may be beside the largest: that of a thin rod is zero up to rounding."""


@dataclass(frozen=True)
class ChangedMasses:
    """The bodies whose masses follow from parameters. The model's own values are checked when it is formulated."""

    model: Model

    def demand(self, values: Mapping[str, float]) -> None:
        """Raise an error if some values of parameters, which differ from the model's own, make a mass negative."""
        own = self.model.values()
        changed = [name for name, value in values.items() if name in self.names and own.get(name) != value]
        for body in dict.fromkeys(body for name in changed for body in self._bodies_of[name]):
            fact = next(_negative(self.model.bodies[body], values), None)
            if fact is not None:
                causes = ", ".join(self._told(name, values) for name in changed if body in self._bodies_of[name])
                raise StateError(
                    f"Body {body!r} has {fact} with the parameter{'s' if ', ' in causes else ''} {causes}. "
                    "Masses and moments of inertia cannot be negative."
                )

    @property
    def names(self) -> KeysView[str]:
        """The parameters that masses or inertias are formulas of."""
        return self._bodies_of.keys()

    @cached_property
    def _bodies_of(self) -> Mapping[str, tuple[str, ...]]:
        """The bodies whose mass or inertia is a formula of a parameter, by the parameter."""
        found: dict[str, dict[str, None]] = {}
        for body in self.model.bodies.values():
            for use in body.all_uses:
                if isinstance(use, FormulaUse) and use.path and use.path[0] in _FIELDS:
                    for name in use.formula.names:
                        found.setdefault(name, {})[body.name] = None
        return {name: tuple(bodies) for name, bodies in found.items() if name in self.model.parameters}

    def _told(self, name: str, values: Mapping[str, float]) -> str:
        """Return a parameter's value, with its formula where it has one that may have led to it."""
        formula = self.model.parameters[name].value
        by = f" (in the model {formula})" if formula is not None and formula.names else ""
        return f"{name} = {values[name]:g}{by}"


def _negative(body: Body, values: Mapping[str, float]) -> Iterator[str]:
    """Yield what is negative in a body's mass properties; nothing where they have no values."""
    evaluator = Evaluator(FloatScalars(), values.__getitem__)
    try:
        properties = body.mass_properties(evaluator)
        rotors = {rotor.name: evaluator(rotor.inertia) for rotor in body.rotors if rotor.inertia is not None}
    except (ArithmeticError, ValueError, KeyError):
        return
    if properties.mass < 0:
        yield f"the mass {properties.mass:g}"
    moments = principal_moments(properties.inertia)
    if moments[0] < -_ROUNDING * abs(moments[2]):
        yield f"the principal moments of inertia {', '.join(f'{moment:g}' for moment in moments)}"
    for name, inertia in rotors.items():
        if inertia < 0:
            yield f"the rotor {name!r} of axial inertia {inertia:g}"


class ParameterValues:
    """What has coordinates has a model, and that has parameters."""

    coordinates: Coordinates

    def parameter_values(self, parameters: Parameters = None) -> Floats:
        """Return the values of all parameters in order, some of them changed; none may make a mass negative."""
        return self._with(parameters) if parameters else self._own_parameters.copy()

    @cached_property
    def _own_parameters(self) -> Floats:
        return self._with(None)

    def _with(self, parameters: Parameters) -> Floats:
        model = self.changed_masses.model
        known = model.values(parameters)
        missing = [name for name in model.parameters if name not in known]
        if missing:
            raise StateError(f"Parameter {missing[0]!r} has no value. Give one: parameters={{{missing[0]!r}: …}}.")
        if parameters:
            self.changed_masses.demand(known)
        return np.array([known[name] for name in model.parameters], dtype=float)

    @cached_property
    def changed_masses(self) -> ChangedMasses:
        """The bodies whose masses follow from parameters, for checks of changed values."""
        return ChangedMasses(self.coordinates.topology.model)
