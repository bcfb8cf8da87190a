"""The model of a mechanism."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from gyrostat.errors import Fault, GyrostatError, ModelError, Position
from gyrostat.lazy import later
from gyrostat.model.body import Body
from gyrostat.model.changes import addition_fault, parameter_fault, removal_faults
from gyrostat.model.directory import Directory
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flattening import Flat, flatten, is_flattened
from gyrostat.model.kinds import End, TextKind, Triple, VectorKind
from gyrostat.model.model_sections import SECTIONS, ModelSections
from gyrostat.model.model_summary import summary, tables
from gyrostat.model.names import GROUND, did_you_mean, prefixes
from gyrostat.model.parameter import Parameters
from gyrostat.model.place import Place
from gyrostat.model.record import Component
from gyrostat.scalar import FloatScalars
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector

if TYPE_CHECKING:
    from gyrostat.model import checks, model_file
    from gyrostat.model.checks import CheckReport
    from gyrostat.model.documents import Document
    from gyrostat.shown import trajectory_pictures
else:
    checks, model_file = later("gyrostat.model", "checks", "model_file")
    (trajectory_pictures,) = later("gyrostat.shown", "trajectory_pictures")

C = TypeVar("C", bound=Component)


@cache
def _is_component(kind: Any) -> bool:
    """Return whether a model has a section for objects of a class."""
    return issubclass(kind, tuple(SECTIONS.values()))


def _require_component(component: object) -> None:
    kind: Any = type(component)
    if not _is_component(kind):
        raise GyrostatError(
            f"{component!r:.60} cannot be added to a model. Add bodies, joints, forces, constraints, states, "
            "elements of networks, inputs, measures, compounds or subsystems."
        )


@cache
def _bare_ground() -> Body:
    """Return the default ground, without points or frames."""
    return Body(GROUND)


class Model(ModelSections):
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
        self._is_flat = False
        self._forget()

    # --- building -----------------------------------------------------------------------------------------------

    def add(self, component: C) -> C:
        """Add a component and return it. Components that it refers to may be added later; `check` checks the whole."""
        self._require_changeable("add")
        _require_component(component)
        fault = addition_fault(component, self)
        if fault:
            raise ModelError(fault)
        self._components[component.name] = self._families[component.file_section][component.name] = component
        self._forget()
        return component

    def replace(self, component: C) -> C:
        """Put a component in the place of the one with the same name and section, and return it.

        >>> import gyrostat as gs
        >>> model = gs.Model("pendulum")
        >>> bar = model.add(gs.Body("bar", gs.rod(2, 1)))
        >>> bar = model.replace(gs.Body("bar", gs.rod(3, 1)))
        """
        self._require_changeable("replace")
        _require_component(component)
        name, old = component.name, self._components.get(component.name)
        if old is None:
            raise ModelError(Fault(component.describe(), "there is none to replace.", self._known_names(name)))
        if old.file_section != component.file_section:
            fact = f"it cannot replace {old.describe()}."
            raise ModelError(Fault(component.describe(), fact, f"Remove that first: model.remove({name!r})."))
        self._components[name] = self._families[component.file_section][name] = component
        self._forget()
        return component

    def remove(self, *names: str) -> None:
        """Remove components by name; refuse if others refer to them, to places on them or to their coordinates."""
        self._require_changeable("remove")
        unknown = [name for name in names if name not in self._components]
        fact = "there is none to remove."
        faults = [Fault(f"component {name!r:.60}", fact, self._known_names(name)) for name in unknown]
        faults = faults or removal_faults(self, frozenset(names))
        if faults:
            raise ModelError(faults)
        for name in dict.fromkeys(names):
            del self._families[self._components.pop(name).file_section][name]
        self._forget()

    def set_parameter(self, name: str, value: object) -> None:
        """Give a parameter a value: a number, a formula of other parameters, None, or a `Parameter`.

        A parameter that exists keeps its unit and its description unless they are given; others are added.

        >>> import gyrostat as gs
        >>> model = gs.Model("pendulum", parameters={"m": {"value": 2, "unit": "kg"}})
        >>> model.set_parameter("m", 3)
        >>> model.parameters["m"]
        Parameter(value=Formula(source=3), unit='kg', description='')
        """
        self._require_changeable("set_parameter")
        if fault := parameter_fault(name, self):
            raise ModelError(fault)
        self._parameters = self._parameters.changed({name: value})
        self._forget()

    def _forget(self) -> None:
        """Drop what follows from the components, after a change."""
        self._source: Model | None = None
        self._flat: Flat | None = None
        self._directory: Directory | None = None
        self._owners: Mapping[str, Component] | None = None

    def _require_changeable(self, method: str) -> None:
        if self._frozen:
            raise GyrostatError(
                f"Model {self.name!r} is frozen because it belongs to a system. "
                f"Change a copy: model.copy().{method}(…)."
            )

    def _known_names(self, name: str) -> str:
        return "It is a parameter." if name in self._parameters else did_you_mean(name, self._components)

    def copy(self) -> Model:
        """Return an independent copy, which can be changed, with owners instead of their parts."""
        source = self.source
        other = source._with(source._components.values(), source._parameters)
        other._is_flat = source._is_flat
        return other

    def freeze(self) -> Model:
        """Return a copy that refuses changes and has the parts of components in the place of their owners.

        Raise `ModelError` if parts cannot be formed or have ambiguous names.
        """
        if self._frozen:
            return self
        other = self.flattened()
        if other._is_flat and not self._is_flat and self.flat.faults:
            raise ModelError(self.flat.faults)
        other._frozen = True
        return other

    def flattened(self, *, without: Container[str] = ()) -> Model:
        """Return a copy with all parts as components of their own; the owners in `without` are left out.

        Parts whose names are faulty are left out as well: `flat` has the faults. If the copy is changed, it is a model
        of its own, of which parts remain parts.
        """
        if self._is_flat or not any(is_flattened(component) for component in self._components.values()):
            other = self._with(self._components.values(), self._parameters)
            other._is_flat, other._source, other._owners = self._is_flat, self._source, self._owners
        else:
            flat = self.flat if not without else self._flatten(without)
            other = self._with(flat.components.values(), Parameters.of(flat.parameters))
            other._is_flat, other._source = True, self.copy()
        return other

    def exchanged(self, components: Mapping[str, Component]) -> Model:
        """Return a flat copy with components in the place of those of the same names, of any section."""
        flat = self.flattened()
        other = flat._with((components.get(one.name, one) for one in flat._components.values()), flat._parameters)
        other._is_flat, other._owners = flat._is_flat, self.owners
        return other

    @property
    def owners(self) -> Mapping[str, Component]:
        """The owners of parts by name, also of a flat model whose components were exchanged."""
        return self.source.flat.owners if self._owners is None else self._owners

    @property
    def flat(self) -> Flat:
        """The components and parameters with all parts, the owners, and faults found on the way."""
        if self._flat is None:
            self._flat = self._flatten()
        return self._flat

    def _flatten(self, without: Container[str] = ()) -> Flat:
        # section by section, so that a model read from a file has the same order of parts
        components = (component for family in self._families.values() for component in family.values())
        return flatten(components, self._parameters, without=without)

    def _with(self, components: Iterable[Component], parameters: Parameters) -> Model:
        """Return a copy with other components and parameters, all of them validated."""
        other = Model.__new__(Model)
        other._name, other._description, other._gravity = self._name, self._description, self._gravity
        other._parameters = parameters
        other._components = {component.name: component for component in components}
        other._families = {section: {} for section in SECTIONS}
        for name, component in other._components.items():
            other._families[component.file_section][name] = component
        other._origin = self._origin
        other._frozen = other._is_flat = False
        other._forget()
        return other

    @property
    def source(self) -> Model:
        """The model as it was written: of a frozen model, with owners instead of their parts; otherwise itself."""
        return self if self._source is None else self._source

    @property
    def is_flat(self) -> bool:
        """Whether the parts of owners are components of this model."""
        return self._is_flat

    @property
    def component_classes(self) -> set[type[Component]]:
        """The classes of all components: owners and parts."""
        return {type(c) for model in (self, self.source) for c in model._components.values()}

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
    def directory(self) -> Directory:
        """The meaning of names with dots, by longest match."""
        if self._directory is None:
            self._directory = Directory(self._components, self.ground)
        return self._directory

    @property
    def ground(self) -> Body:
        """The inertial body, with its points and frames."""
        return cast(Body, self._components.get(GROUND) or _bare_ground())

    def placement(self, end: End, value: Evaluator) -> tuple[Matrix, Vector] | None:
        """Return R_BE and r_BE_B, the pose of an end in its body, or None if the end does not exist."""
        body = self.ground if end.body == GROUND else self._components.get(end.body)
        if isinstance(body, Body):
            return body.placement(end.name if end.at is None else end.at, value)
        return (IDENTITY, ZERO) if end.name is None and end.at is None else None

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
        source = self.source
        sections = tuple([tuple(family.items()) for family in source._families.values()])
        return (self.name, self.description, self.gravity, tuple(source._parameters.items()), sections)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return summary(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"{trajectory_pictures.model_image(self)}{tables(self)}"

    # --- checking, loading, saving ------------------------------------------------------------------------------

    def check(self) -> CheckReport:
        """Return a report if the structure is valid; otherwise raise `ModelError` with all faults."""
        return checks.check_model(self)

    def position(self, component: Component | None, path: Sequence[str | int]) -> Position | None:
        """Return the position of a path in the file from which the model was read."""
        if self._origin is None:
            return None
        if component is None:
            return self._origin.position(path)
        prefix = (component.file_section, component.name)
        if self._origin.holds(prefix):
            return self._origin.position((*prefix, *path))
        owners = (self.source._components.get(name) for name in prefixes(component.name))
        owner = next((owner for owner in owners if owner is not None), None)
        place = () if owner is None else (owner.file_section, owner.name)
        return self._origin.position(place) if place and self._origin.holds(place) else None  # None: added later

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Model:
        """Read a model from a YAML or JSON file; raise `ModelError` with all faults and their positions."""
        return model_file.load_model(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a YAML or JSON file atomically; `Model.load` returns an equal model."""
        model_file.save_model(self, path)
