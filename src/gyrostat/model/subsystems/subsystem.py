"""A model as a part of another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from gyrostat.errors import Fault, ModelError
from gyrostat.model.compounds import Compound
from gyrostat.model.kinds import End, EndKind, FrozenMapping, MappingKind, QuantityKind
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.model.parameter import Parameter
from gyrostat.model.place import Place
from gyrostat.model.prefix import Prefix
from gyrostat.model.record import Component, value
from gyrostat.model.shapes import Shape
from gyrostat.model.subsystems.mounting import Mounting
from gyrostat.model.subsystems.used_model import UsedModel, UsedModelKind
from gyrostat.once import cached_property

if TYPE_CHECKING:
    from gyrostat.model.model import Model


@dataclass(frozen=True)
class Subsystem(Compound):
    """A model as a part of another: its components and parameters get names such as `left.axle`.

    `use` is a model, of which a copy is kept, or the path of a model file. `parameters` gives parameters of that model
    formulas of this one; the others appear as `left.m`. The ground of the used model is the place `at`, which may be on
    a moving body. Its gravity is not used: that of the whole model counts.

    >>> import gyrostat as gs
    >>> pendulum = gs.Model("pendulum", gravity=(0, -9.81, 0), parameters={"m": 1, "l": 0.5})
    >>> bar = pendulum.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    >>> hinge = pendulum.add(gs.Revolute("hinge", "ground", "bar.top"))
    >>> model = gs.Model("two pendulums", gravity=(0, -9.81, 0), parameters={"m2": 3})
    >>> left = model.add(gs.Subsystem("left", pendulum))
    >>> right = model.add(gs.Subsystem("right", pendulum, parameters={"m": "m2"}, at=("ground", (1, 0, 0))))
    >>> gs.formulate(model).coordinate_names
    ('left.hinge', 'right.hinge')
    >>> list(model.freeze().parameters)
    ['m2', 'left.m', 'left.l', 'right.m', 'right.l']
    """

    file_section: ClassVar[str] = "subsystems"
    word: ClassVar[str] = "subsystem"

    use: UsedModel = value(UsedModelKind(), doc="the model, or the path of its file")
    parameters: FrozenMapping = value(
        MappingKind(QuantityKind(), paths=True),
        {},
        doc="formulas for parameters of the used model, by their names in it",
    )
    at: End = value(EndKind(), "ground", doc="the place of the used model's ground")

    def validate(self, place: Place) -> None:
        """Require that the used model has the parameters that are given formulas."""
        known = self.use.model.parameters
        for name in self.parameters:
            if name not in known:
                fact = f"model {self.model.name!r:.60} has no such parameter."
                place.inside("parameters").inside(name).report(fact, did_you_mean(name, known))

    @property
    def model(self) -> Model:
        """The used model as it was written."""
        return self.use.model.source

    def parts(self) -> Iterator[Component]:
        """Yield the components of the used model and of its subsystems, but not its ground."""
        for component in self.use.model.components.values():
            if component.name == GROUND:
                continue
            try:
                yield component.as_part(self.name, self._naming)
            except ModelError as error:
                raise ModelError(_of(component, fault) for fault in error.faults) from None

    def part_parameters(self) -> Mapping[str, Parameter]:
        """Return the parameters of the used model, with formulas of this model where they are given."""
        given, naming = self.use.model.parameters, Prefix(self.name)
        return {
            self.part_name(name): replace(one, value=self.parameters[name])
            if name in self.parameters
            else one.renamed(naming)
            for name, one in given.items()
        }

    @property
    def ground_shapes(self) -> tuple[Shape, ...]:
        """The shapes on the ground of the used model, in names of the model; the body of `at` carries them."""
        shapes = self.use.model.ground.drawn()
        return tuple(shape.renamed(Prefix(self.name)) for shape in shapes)

    @cached_property
    def _naming(self) -> Mounting:
        return Mounting(self.name, self.at, self.use.model.directory)


def _of(component: Component, fault: Fault) -> Fault:
    return replace(fault, item=component.describe())
