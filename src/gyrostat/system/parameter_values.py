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
"""The fields of a body that determine its mass and inertia."""
_ROUNDING = 1e-9
"""The largest negative principal moment relative to the largest one: a thin rod's is zero up to rounding."""


@dataclass(frozen=True)
class ChangedMasses:
    """Bodies whose masses are formulas of parameters. The model's own values are checked by `formulate`."""

    model: Model

    def require_valid(self, values: Mapping[str, float]) -> None:
        """Raise an error if changed values of parameters make a mass or inertia negative."""
        own = self.model.values()
        changed = [name for name, value in values.items() if name in self.names and own.get(name) != value]
        for body in dict.fromkeys(body for name in changed for body in self._bodies_of[name]):
            fact = next(_negative(self.model.bodies[body], values), None)
            if fact is not None:
                causes = ", ".join(self._description(name, values) for name in changed if body in self._bodies_of[name])
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

    def _description(self, name: str, values: Mapping[str, float]) -> str:
        """Return a parameter's value as text, with its formula in the model if there is one."""
        formula = self.model.parameters[name].value
        by = f" (in the model {formula})" if formula is not None and formula.names else ""
        return f"{name} = {values[name]:g}{by}"


def _negative(body: Body, values: Mapping[str, float]) -> Iterator[str]:
    """Yield the negative mass properties of a body as text; none where they cannot be evaluated."""
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
    """Mixin: reads and validates parameter overrides."""

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
            self.changed_masses.require_valid(known)
        return np.array([known[name] for name in model.parameters], dtype=float)

    @cached_property
    def changed_masses(self) -> ChangedMasses:
        """The bodies whose masses follow from parameters, for checks of changed values."""
        return ChangedMasses(self.coordinates.topology.model)
