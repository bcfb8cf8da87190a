"""Rigid bodies and gyrostats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.frame import Frame
from gyrostat.model.kinds import (
    FrozenMapping,
    InertiaKind,
    ListKind,
    MappingKind,
    NamedRecordsKind,
    OptionalKind,
    Quantity,
    QuantityKind,
    RecordKind,
    TaggedKind,
    Tensor,
    Triple,
    VectorKind,
)
from gyrostat.model.names import GROUND, output_fault
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value
from gyrostat.model.rotor import Rotor
from gyrostat.model.shapes import SHAPES, Group, Shape
from gyrostat.model.solids import SOLIDS, Solid
from gyrostat.spatial import ZERO, MassProperties


@dataclass(frozen=True)
class Body(Component):
    """A rigid body; with rotors, a gyrostat.

    Its mass properties come from a solid (`gs.rod`, `gs.box`, …), or are given as mass and inertia about the mass
    centre, in body axes. `com` is the position of the mass centre; with a solid it is the position of the solid's
    origin, which is its mass centre except in a composite. Points and frames are named; other components refer to
    them as "body.point". The body "ground" has no mass properties.

    >>> import gyrostat as gs
    >>> bar = gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)})
    >>> bar.points["top"][1]
    Formula(source='l/2')
    """

    file_section: ClassVar[str] = "bodies"
    word: ClassVar[str] = "body"
    suffixes: ClassVar[frozenset[str]] = frozenset(
        ("position", "velocity", "acceleration", "quaternion", "omega", "alpha")
    )
    open_suffixes: ClassVar[frozenset[str]] = frozenset(
        ("acc", "rotation", "rpy", "rotation_vector", "momentum", "angular_momentum")
    )

    properties: Solid | None = value(OptionalKind(TaggedKind(lambda: SOLIDS)), None, doc="a solid with its dimensions")
    mass: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="mass (kg)", keyword=True)
    inertia: Tensor | None = value(
        OptionalKind(InertiaKind()), None, doc="inertia about the mass centre, in body axes (kg·m²)", keyword=True
    )
    com: Triple | None = value(OptionalKind(VectorKind()), None, doc="position of the mass centre (m)", keyword=True)
    points: FrozenMapping = value(
        MappingKind(VectorKind(), suffixes), {}, doc="named points, in body axes (m)", keyword=True
    )
    frames: FrozenMapping = value(
        MappingKind(RecordKind(Frame), suffixes), {}, doc="named frames fixed in the body", keyword=True
    )
    rotors: tuple[Rotor, ...] = value(
        NamedRecordsKind(Rotor), (), doc="symmetric wheels that rotate in the body", keyword=True
    )
    shape: tuple[Shape, ...] | None = value(
        OptionalKind(ListKind(TaggedKind(lambda: SHAPES))),
        None,
        doc="shapes drawn instead of the solid",
        keyword=True,
    )

    def __post_init__(self) -> None:
        if isinstance(self.shape, Shape | dict):
            object.__setattr__(self, "shape", (self.shape,))
        super().__post_init__()

    def validate(self, place: Place) -> None:
        """Require mass properties from exactly one source, and none for the ground."""
        if self.name == GROUND:
            for field in ("properties", "mass", "inertia", "com", "rotors"):
                if getattr(self, field) not in (None, ()):
                    place.inside(field).report("the ground has no mass properties.", "Leave this out.")
        elif self.properties is None and self.mass is None:
            place.report(
                "it has no mass properties.",
                "Give a solid, as in gs.rod('m', 'l'), or mass=… and inertia=…; mass=0 is allowed.",
            )
        elif self.properties is not None:
            for field in ("mass", "inertia"):
                if getattr(self, field) is not None:
                    place.inside(field).report(
                        f"the {self.properties.tag} already defines it.", "Leave one of them out."
                    )
        for rotor in self.rotors:
            if fault := output_fault(rotor.name, self.suffixes):
                place.inside("rotors").inside(rotor.name).report(*fault)
        names = Counter([*self.points, *self.frames, *(rotor.name for rotor in self.rotors)])
        for name in sorted(name for name, count in names.items() if count > 1):
            place.report(f"the name {name!r} is used for two places or rotors.", "Give each its own name.")

    def inner_names(self) -> Mapping[str, str]:
        """Return descriptions of the names within the body: outputs, components of its position, places, rotors."""
        return {
            **super().inner_names(),
            **{axis: f"component {axis!r} of the position" for axis in "xyz"},
            **{name: f"point {name!r}" for name in self.points},
            **{name: f"frame {name!r}" for name in self.frames},
            **{rotor.name: f"rotor {rotor.name!r}" for rotor in self.rotors},
        }

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return mass, mass centre and inertia about it, in body axes."""
        com = ZERO if self.com is None else value.vector(self.com)
        if self.properties is not None:
            return self.properties.mass_properties(value).moved(com)
        mass = 0 if self.mass is None else value(self.mass)
        if self.inertia is None:
            return MassProperties(mass, com, (ZERO, ZERO, ZERO))
        a, b, c = (value.vector(row) for row in self.inertia)
        return MassProperties(mass, com, (a, b, c))

    def drawn(self) -> tuple[Shape, ...]:
        """Return the drawn shapes: the given ones, or by default those of the solid."""
        if self.shape is not None:
            return self.shape
        if self.properties is None:
            return ()
        shapes = self.properties.shapes()
        return shapes if self.com is None or not shapes else (Group(shapes, at=self.com),)
