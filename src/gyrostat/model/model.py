"""The model of a mechanism."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from gyrostat.errors import Fault, GyrostatError, ModelError, Position
from gyrostat.lazy import later
from gyrostat.model.body import Body
from gyrostat.model.constraints import Constraint
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import ForceElement
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End, Reference, TextKind, Triple, VectorKind
from gyrostat.model.names import FORMULA_WORDS, GROUND, WORLD, reserved_fault
from gyrostat.model.parameter import Parameters
from gyrostat.model.place import Place
from gyrostat.model.record import Component
from gyrostat.model.state_variable import StateOwner, StateVariable
from gyrostat.model.states import StateElement
from gyrostat.results.html_table import html_table
from gyrostat.scalar import FloatScalars
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector

if TYPE_CHECKING:
    from gyrostat.model import checks, model_file
    from gyrostat.model.checks import CheckReport
    from gyrostat.model.documents import Document
else:
    checks, model_file = later("gyrostat.model", "checks", "model_file")

C = TypeVar("C", bound=Component)

SECTIONS: dict[str, type[Component]] = {
    "bodies": Body,
    "joints": Joint,
    "forces": ForceElement,
    "constraints": Constraint,
    "states": StateElement,
}
"""The sections of a model, in the order of a model file, and their kinds of components."""


def _between(component: Component) -> str:
    """Return the ends of a joint, or the places and coordinates that a force or constraint acts on."""
    return " → ".join(dict.fromkeys(use.target for use in component.all_uses if isinstance(use, Reference)))


@cache
def _bare_ground() -> Body:
    """Return the default ground, without points or frames."""
    return Body(GROUND)


class Model:
    """A mechanism: parameters, gravity, bodies, joints, forces and constraints, each with a unique name.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1, "g": 9.81})
    >>> bar = model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top", axis="z", symbol="theta"))
    >>> print(model)
    Model 'pendulum': 1 body, 1 joint, 0 forces, 3 parameters
    """

    def __init__(
        self,
        name: str,
        *,
        gravity: Sequence[Any] = (0, 0, 0),
        parameters: Mapping[str, Any] | None = None,
        description: str = "",
    ) -> None:
        place = Place("model")
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            place.inside("name").report(f"{name!a:.60} is not a name for a model.", "Give it some printable text.")
        self._name = name
        self._description: str = TextKind().read(description, place.inside("description"))
        self._gravity: Triple = VectorKind().read(gravity, place.inside("gravity"))
        place.raise_faults()
        self._parameters = Parameters(parameters)
        self._components: dict[str, Component] = {}
        self._families: dict[str, dict[str, Component]] = {section: {} for section in SECTIONS}
        self._origin: Document | None = None
        self._frozen = False

    # --- building -----------------------------------------------------------------------------------------------

    def add(self, component: C) -> C:
        """Add a component and return it. Components that it refers to may be added later; `check` checks the whole."""
        if self._frozen:
            raise GyrostatError(
                f"Model {self.name!r} is frozen because it belongs to a system. Change a copy: model.copy().add(…)."
            )
        if not isinstance(component, tuple(SECTIONS.values())):
            raise GyrostatError(
                f"{component!r:.60} cannot be added to a model. Add bodies, joints, forces, constraints or states."
            )
        fault = self._name_fault(component)
        if fault:
            raise ModelError(fault)
        self._components[component.name] = self._families[component.section][component.name] = component
        return component

    def _name_fault(self, component: Component) -> Fault | None:
        """Return the fault of a new component's name, or None."""
        name = component.name
        if name in self._components:
            fact = f"the name is taken by another {self._components[name].word}."
            return Fault(component.describe(), fact, "Names are unique in a model; choose another.")
        if name == GROUND and not isinstance(component, Body):
            return Fault(component.describe(), "'ground' is the name of the inertial body.", "Choose another name.")
        if isinstance(component, Body):
            return Fault(component.describe(), *reserved) if (reserved := reserved_fault(name, (WORLD,))) else None
        if reserved := reserved_fault(name, FORMULA_WORDS):
            return Fault(component.describe(), *reserved)
        if name in self._parameters:
            fact = "a parameter has the same name, so formulas would be ambiguous."
            return Fault(component.describe(), fact, "Rename one of them.")
        return None

    def copy(self) -> Model:
        """Return an independent copy, which can be changed."""
        other = Model.__new__(Model)  # only the dictionary of components is mutable; all values are validated
        other._name, other._description, other._gravity = self._name, self._description, self._gravity
        other._parameters = self._parameters
        other._components = self._components.copy()
        other._families = {section: family.copy() for section, family in self._families.items()}
        other._origin = self._origin
        other._frozen = False
        return other

    def freeze(self) -> Model:
        """Return a copy that refuses changes."""
        other = self.copy()
        other._frozen = True
        return other

    # --- contents -----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the mechanism."""
        return self._name

    @property
    def description(self) -> str:
        """The description of the mechanism."""
        return self._description

    @property
    def gravity(self) -> Triple:
        """The acceleration of gravity, in world axes (m/s²)."""
        return self._gravity

    @property
    def components(self) -> Mapping[str, Component]:
        """All components by name, in order of addition."""
        return MappingProxyType(self._components)

    @property
    def parameters(self) -> Parameters:
        """The parameters by name."""
        return self._parameters

    @property
    def bodies(self) -> dict[str, Body]:
        """The bodies by name; the ground only if it has points or shapes."""
        return self._family(Body)

    @property
    def joints(self) -> dict[str, Joint]:
        """The joints by name."""
        return self._family(Joint)

    @property
    def forces(self) -> dict[str, ForceElement]:
        """The force elements by name."""
        return self._family(ForceElement)

    @property
    def constraints(self) -> dict[str, Constraint]:
        """The constraints by name; joints that close loops are not among them."""
        return self._family(Constraint)

    @property
    def states(self) -> dict[str, StateElement]:
        """The components of the section `states` by name; force elements may own states as well."""
        return self._family(StateElement)

    @property
    def state_owners(self) -> tuple[StateOwner, ...]:
        """The components that own state variables: force elements first, then those of the section `states`."""
        every: tuple[StateOwner, ...] = (*self.forces.values(), *self.states.values())
        return tuple(owner for owner in every if owner.state_variables)

    @property
    def state_variables(self) -> dict[str, StateVariable]:
        """The state variables of all components by name, in the order of z."""
        return {variable.name: variable for owner in self.state_owners for variable in owner.state_variables}

    @property
    def accounted(self) -> dict[str, ForceElement | StateElement]:
        """The components of the energy account: force elements, and states that store energy or receive power."""
        states = self.states.items()
        return {**self.forces, **{name: one for name, one in states if one.stores_energy or one.supplies_power}}

    def _family(self, cls: type[C]) -> dict[str, C]:
        return cast(dict[str, C], self._families[cls.section].copy())

    @property
    def ground(self) -> Body:
        """The inertial body, with its points and frames."""
        return cast(Body, self._components.get(GROUND) or _bare_ground())

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of all inputs: those of force elements, and delayed signals."""
        given = (name for force in self.forces.values() for name in force.inputs)
        return (*given, *(name for state in self.states.values() for name in state.input_names))

    def placement(self, end: End, value: Evaluator) -> tuple[Matrix, Vector] | None:
        """Return R_BE and r_BE_B, the pose of an end in its body, or None if the end does not exist."""
        if end.at is not None:
            return IDENTITY, value.vector(end.at)
        if end.name is None:
            return IDENTITY, ZERO
        body = self.ground if end.body == GROUND else self._components.get(end.body)
        if not isinstance(body, Body):
            return None
        if end.name in body.points:
            return IDENTITY, value.vector(body.points[end.name])
        frame = body.frames.get(end.name)
        return None if frame is None else frame.placement(value)

    def values(self, overrides: Mapping[str, object] | None = None) -> dict[str, float]:
        """Return the parameter values, with optional overrides."""
        return self._parameters.values_of(overrides)

    def evaluator(self, overrides: Mapping[str, object] | None = None) -> Evaluator:
        """Return an evaluator of formulas of parameters as floats."""
        return Evaluator(FloatScalars(), self.values(overrides).__getitem__)

    def __contains__(self, name: object) -> bool:
        return name in self._components or name == GROUND

    def __getitem__(self, name: str) -> Component:
        return self.ground if name == GROUND else self._components[name]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self.contents == other.contents

    @property
    def contents(self) -> tuple[object, ...]:
        """The contents compared by ==: head, and components of each section in order."""
        sections = tuple([tuple(family.items()) for family in self._families.values()])
        return (self.name, self.description, self.gravity, tuple(self._parameters.items()), sections)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        bodies = len(self.bodies.keys() - {GROUND})
        counts: tuple[tuple[int, str, str], ...] = (
            (bodies, "body", "bodies"),
            (len(self.joints), "joint", "joints"),
            (len(self.forces), "force", "forces"),
        )
        if self.constraints:
            counts = (*counts, (len(self.constraints), "constraint", "constraints"))
        if self.states:
            counts = (*counts, (len(self.states), "state", "states"))
        text = ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in counts)
        n = len(self._parameters)
        return f"Model {self.name!r}: {text}, {n} parameter{'' if n == 1 else 's'}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [(c.word, c.name, type(c).__name__, _between(c)) for c in self._components.values()]
        parts = [html_table(str(self), ("section", "name", "kind", "between"), rows)]
        if self._parameters:
            values = [
                (name, "" if p.value is None else str(p.value), p.unit, p.description)
                for name, p in self._parameters.items()
            ]
            parts.append(html_table("Parameters", ("name", "value", "unit", "description"), values))
        return "".join(parts)

    # --- checking, loading, saving ------------------------------------------------------------------------------

    def check(self) -> CheckReport:
        """Return a report if the structure is valid; otherwise raise `ModelError` with all faults."""
        return checks.check_model(self)

    def position(self, component: Component | None, path: Sequence[str | int]) -> Position | None:
        """Return the position of a path in the file from which the model was read."""
        if self._origin is None:
            return None
        prefix: tuple[str, ...] = () if component is None else (component.section, component.name)
        if not self._origin.holds(prefix):  # added after the file was read
            return None
        return self._origin.position((*prefix, *path))

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Model:
        """Read a model from a YAML or JSON file; raise `ModelError` with all faults and their positions."""
        return model_file.load_model(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a YAML or JSON file atomically; `Model.load` returns an equal model."""
        model_file.save_model(self, path)
