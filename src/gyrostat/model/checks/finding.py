"""The subject of the checks: a model, its parameter values, and a method that creates faults."""

from __future__ import annotations

import math

from gyrostat.errors import Fault
from gyrostat.model.body import Body
from gyrostat.model.checks.axes import axes_of
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import CONSTANT, AxisKind, FormulaUse, Triple, Use
from gyrostat.model.model import Model
from gyrostat.model.names import GROUND, prefixes
from gyrostat.model.place import Place
from gyrostat.model.record import Component
from gyrostat.model.signal_names import SignalNames
from gyrostat.once import cached_property
from gyrostat.scalar import FloatScalars
from gyrostat.spatial import UNIT, MassProperties


class Subject:
    """A model being checked, with all parts; references to `lost`, names of faulty components, are not reported."""

    def __init__(self, model: Model, lost: frozenset[str] = frozenset()) -> None:
        self.model = model
        self.lost = lost
        self.directory = model.directory
        self.bodies: dict[str, Body] = {GROUND: model.ground, **model.bodies}
        """The bodies by name, the ground included."""
        self.joints, self.forces, self.constraints = model.joints, model.forces, model.constraints
        self.measures = model.measures
        self.states = model.state_variables
        """The state variables of all components, by name."""
        self.blocks = {name: block for block in model.states.values() for name in block.outputs}
        """The blocks by the names of their outputs that are no state variables."""
        self.parameters = frozenset(model.parameters)
        """The names of the parameters."""
        self.values, self.parameter_faults = model.parameters.evaluate()
        """The known parameter values, and the faults of the other parameters by name."""
        self.evaluator = Evaluator(FloatScalars(), self.values.__getitem__)
        """Evaluator of formulas whose parameters are all known."""
        self.uses: dict[str, tuple[Use, ...]] = {name: part.all_uses for name, part in model.components.items()}
        """The formulas and references of every component."""
        self.names = SignalNames(model)
        """The names of signals that formulas may use."""
        # keyed by identity, since the model keeps all formulas alive
        self._outcomes: dict[int, tuple[float | None, str]] = {}
        self._mass_properties: dict[str, MassProperties] = {}

    def fault(self, component: Component, path: tuple[str | int, ...], fact: str, remedy: str) -> Fault:
        """Return a fault of a component, with its position in the model file if there is one."""
        return Fault(component.describe(), fact, remedy, path, self.model.position(component, path))

    def is_lost(self, name: str) -> bool:
        """Return whether a name is that of a faulty component, or belongs to one."""
        return any(start in self.lost for start in prefixes(name)) if self.lost else False

    @cached_property
    def class_names(self) -> frozenset[str]:
        """The names of the classes of all components, and of their bases."""
        classes = {type(component) for component in self.model.components.values()}
        return frozenset(base.__name__ for cls in classes for base in cls.__mro__)

    @cached_property
    def position_names(self) -> frozenset[str]:
        """The names of coordinates on which a load can act, and of position components."""
        joints = (joint for joint in self.joints.values() if joint.speeds_are_rates)
        rotors = (f"{body.name}.{rotor.name}" for body in self.bodies.values() for rotor in body.rotors if rotor.free)
        return frozenset(
            (
                *(name for joint in joints for name in joint.coordinate_names),
                *rotors,
                *(
                    f"{body.name}.{place}.{axis}" if place else f"{body.name}.{axis}"
                    for body in self.bodies.values()
                    for place in ("", *body.points, *body.frames)
                    for axis in "xyz"
                ),
            )
        )

    def is_relative_position(self, name: str) -> bool:
        """Return whether a name is a component of the position of one place as seen from another."""
        return self.names.is_relative(name) and not name.rpartition(".")[0].endswith(".velocity")

    def known(self, formula: Formula) -> bool:
        """Return whether all parameters of a formula have values."""
        return formula.names <= self.values.keys()

    def number(self, formula: Formula) -> float | None:
        """Return the finite value of a formula, or None if it has none."""
        written = formula.source
        return self.outcome(formula)[0] if isinstance(written, str) else float(written)

    def outcome(self, formula: Formula) -> tuple[float | None, str]:
        """Return (value, ""), or (None, reason) if it is not finite, without reason if a parameter has no value."""
        found = self._outcomes.get(id(formula))
        if found is None:
            found = self._outcomes[id(formula)] = self._evaluate(formula)
        return found

    def _evaluate(self, formula: Formula) -> tuple[float | None, str]:
        if not self.known(formula):
            return None, ""
        try:
            result: float = self.evaluator(formula)
        except (ArithmeticError, ValueError) as error:
            return None, str(error)
        return (result, "") if math.isfinite(result) else (None, "the result is not finite")

    def mass_properties(self, body: Body) -> MassProperties:
        """Return the mass properties of a body whose formulas can be evaluated."""
        found = self._mass_properties.get(body.name)
        if found is None:
            found = self._mass_properties[body.name] = body.mass_properties(self.evaluator)
        return found

    @cached_property
    def indefinite(self) -> frozenset[str]:
        """Names of components that have a formula without a finite value, or an axis of zero length."""
        return frozenset(
            (
                *(
                    name
                    for name, uses in self.uses.items()
                    for use in uses
                    if type(use) is FormulaUse
                    and type(use.formula.source) is str
                    and _constant(use)
                    and self.outcome(use.formula)[0] is None
                ),
                *(component.name for component, _, _ in self.lost_axes),
            )
        )

    @cached_property
    def lost_axes(self) -> tuple[tuple[Component, tuple[str | int, ...], float], ...]:
        """Axes whose length is zero or whose square overflows or underflows: component, path and length."""
        return tuple(
            (component, path, length)
            for component in self.model.components.values()
            for path, axis in axes_of(component)
            if id(axis) not in _UNITS
            if (length := self._length(axis)) is not None and not _SHORTEST_LENGTH < length < 1 / _SHORTEST_LENGTH
        )

    def _length(self, axis: Triple) -> float | None:
        """Return the length of a vector, or None if a component has no value."""
        x, y, z = (self.number(formula) for formula in axis)
        return None if x is None or y is None or z is None else math.hypot(x, y, z)


_UNITS = frozenset(id(AxisKind().read(name, Place("axis"))) for name in UNIT)
"""Axes given by name, "x" to "-z", which are unit vectors for any parameter values."""

_SHORTEST_LENGTH = 1e-150
"""The squared length of an axis is a normal floating-point number between this length and its reciprocal."""


def _constant(use: FormulaUse) -> bool:
    return use.scope is CONSTANT or not (
        use.scope.time or use.scope.system or use.scope.variables or use.scope.positions or use.scope.inputs
    )
