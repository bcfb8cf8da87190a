"""The values of a system's parameters for one call, in order; masses and inertias are checked as in model files."""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping
from dataclasses import dataclass

import numpy as np

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Floats, Parameters
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.model.body import Body
from gyrostat.model.checks.mass import InertiaViolation, principal_moments, rotor_exceeds, violation
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import FormulaUse
from gyrostat.model.place import Place
from gyrostat.model.rotor import Rotor
from gyrostat.once import cached_property
from gyrostat.scalar import FloatScalars
from gyrostat.spatial import MassProperties, apply, dot
from gyrostat.system.changed_laws import ChangedLaws

_FIELDS = frozenset(("mass", "inertia", "properties", "rotors"))
"""The fields of a body that determine its mass and inertia."""


@dataclass(frozen=True)
class ChangedMasses:
    """Bodies whose masses are formulas of parameters. The model's own values are checked by `formulate`."""

    model: Model

    def require_valid(self, values: Mapping[str, float]) -> None:
        """Raise an error if changed values of parameters give mass properties that no body can have."""
        own = self.model.values()
        changed = [name for name, value in values.items() if name in self.names and own.get(name) != value]
        for body in dict.fromkeys(body for name in changed for body in self._bodies_of[name]):
            fault = next(_mass_faults(self.model.bodies[body], values), None)
            if fault is not None:
                fact, law = fault
                causes = ", ".join(self._description(name, values) for name in changed if body in self._bodies_of[name])
                raise StateError(
                    f"Body {body!r} has {fact} with the parameter{'s' if ', ' in causes else ''} {causes}. {law}."
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


def _mass_faults(body: Body, values: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    """Yield mass properties that a body cannot have and the law they break; none where they cannot be evaluated."""
    evaluator = Evaluator(FloatScalars(), values.__getitem__)
    try:
        properties = body.mass_properties(evaluator)
        yield from _inertia_faults(properties)
        yield from _solid_faults(body, evaluator)
        for rotor in body.rotors:
            yield from _rotor_faults(rotor, properties, evaluator)
    except (ArithmeticError, ValueError, KeyError):
        return


def _inertia_faults(properties: MassProperties) -> Iterator[tuple[str, str]]:
    if properties.mass < 0:
        yield f"the mass {properties.mass:g}", InertiaViolation.NEGATIVE.value
    moments = principal_moments(properties.inertia)
    broken = violation(properties, moments)
    if broken is not None:
        yield f"the principal moments of inertia {', '.join(f'{moment:g}' for moment in moments)}", broken.value
    if properties.mass == 0 and any(moments):
        yield "inertia but no mass", "A body without mass has no moments of inertia"


def _solid_faults(body: Body, evaluator: Evaluator) -> Iterator[tuple[str, str]]:
    """Yield dimensions that a solid cannot have."""
    if body.properties is None:
        return
    place = Place(body.describe())
    body.properties.check_limits(evaluator, place.inside(body.properties.tag))
    for fault in place.faults:
        at = ".".join(map(str, fault.path))
        yield f"a solid of impossible dimensions ({at}: {fault.fact.removesuffix('.')})", fault.remedy.removesuffix(".")


def _rotor_faults(rotor: Rotor, properties: MassProperties, evaluator: Evaluator) -> Iterator[tuple[str, str]]:
    """Yield a rotor whose axial inertia is negative, or exceeds that of its body."""
    if rotor.inertia is None:
        return
    axis, axial = evaluator.direction(rotor.axis), evaluator(rotor.inertia)
    about = float(dot(axis, apply(properties.inertia, axis)))
    if axial < 0:
        yield f"the rotor {rotor.name!r} of axial inertia {axial:g}", InertiaViolation.NEGATIVE.value
    elif rotor_exceeds(axial, about):
        law = "The body's inertia includes its rotors, locked"
        yield f"the rotor {rotor.name!r} of axial inertia {axial:g}, but {about:g} about the same axis,", law


def missing_value(name: str) -> str:
    """Return the message about a parameter without a value."""
    return f"Parameter {name!r} has no value. Give one: parameters={{{name!r}: …}}."


class ParameterValues:
    """Mixin: reads and validates parameter overrides."""

    coordinates: Coordinates

    def parameter_values(self, parameters: Parameters = None) -> Floats:
        """Return the values of all parameters in order, some of them changed; mass properties must remain possible."""
        return self._with(parameters) if parameters else self._own_parameters.copy()

    @cached_property
    def _own_parameters(self) -> Floats:
        return self._with(None)

    def _with(self, parameters: Parameters) -> Floats:
        model = self.changed_masses.model
        known = model.values(parameters)
        missing = [name for name in model.parameters if name not in known]
        if missing:
            raise StateError(missing_value(missing[0]))
        if parameters:
            self.changed_masses.require_valid(known)
            self.changed_laws.require_valid(known)
            if len(model.values()) < len(known):
                self._supplied.setdefault("values", known)
        return np.array([known[name] for name in model.parameters], dtype=float)

    @property
    def reference_parameters(self) -> Parameters:
        """Values at which the general rank of the constraints is determined: None for the model's own.

        If the model leaves parameters without a value, these are the first complete values that a call has supplied.
        """
        return self._supplied.get("values")

    @cached_property
    def _supplied(self) -> dict[str, dict[str, float]]:
        """The first complete set of values under the key "values", for models without values of their own."""
        return {}

    @cached_property
    def changed_masses(self) -> ChangedMasses:
        """The bodies whose masses follow from parameters, for checks of changed values."""
        return ChangedMasses(self.coordinates.topology.model)

    @cached_property
    def changed_laws(self) -> ChangedLaws:
        """The force elements whose laws have parameters, for checks of changed values."""
        return ChangedLaws(self.coordinates.topology.model)
