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
    TextKind,
    Triple,
    VectorKind,
)
from gyrostat.model.names import GROUND, did_you_mean, output_fault
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value
from gyrostat.model.rotor import Rotor
from gyrostat.model.shapes import SHAPES, Group, Shape
from gyrostat.model.solids import SOLIDS, Solid
from gyrostat.spatial import IDENTITY, ZERO, MassProperties, Matrix, Vector, apply, plus, product


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
    surfaces: FrozenMapping = value(
        MappingKind(TaggedKind(lambda: SHAPES), suffixes), {}, doc="named shapes for contacts, drawn too", keyword=True
    )
    shape: tuple[Shape, ...] | None = value(
        OptionalKind(ListKind(TaggedKind(lambda: SHAPES))),
        None,
        doc="shapes drawn instead of the solid",
        keyword=True,
    )

    label: str = value(TextKind(), "", doc="name for people, such as that in a file of another format", keyword=True)

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
        names = [*self.points, *self.frames, *self.surfaces, *[rotor.name for rotor in self.rotors]]
        if len(set(names)) < len(names):
            for name in sorted(name for name, count in Counter(names).items() if count > 1):
                place.report(f"the name {name!r} is used for two places or rotors.", "Give each its own name.")
        for name, frame in self.frames.items():
            if fault := self._base_fault(name, frame):
                place.inside("frames").inside(name).inside("on").report(*fault)

    def _base_fault(self, name: str, frame: Frame) -> tuple[str, str] | None:
        """Return (fact, remedy) if the place on which a frame stands does not exist, or stands on the frame."""
        below, seen = frame.base, {name: None}
        while below is not None and below not in self.points:
            if below not in self.frames:
                known = did_you_mean(below, [*self.points, *self.frames])
                return f"{below!r} is not a point or frame of this body.", known
            if below in seen:
                circle = " → ".join([*list(seen)[list(seen).index(below) :], below])
                return f"frames stand on each other in a circle: {circle}.", "Let one of them stand on the body."
            seen[below] = None
            below = self.frames[below].base
        return None

    def placement(self, place: str | Triple | Frame | None, value: Evaluator) -> tuple[Matrix, Vector] | None:
        """Return R_BP and r_BP_B, the pose of a place in the body, or None if there is no such place."""
        frames: list[Frame] = []
        origin: Triple | None = None
        while place is not None and origin is None:
            if isinstance(place, str):
                origin, place = self.points.get(place), self.frames.get(place)
                if origin is None and place is None:
                    return None
            elif isinstance(place, Frame):
                frames.append(place)
                place = place.on
            else:
                origin = place
        if origin is None and frames:
            R, r = frames.pop().placement(value)
        else:
            R, r = IDENTITY, ZERO if origin is None else value.vector(origin)
        for frame in reversed(frames):
            R_SF, r_SF_S = frame.placement(value)
            R, r = product(R, R_SF), plus(r, apply(R, r_SF_S))
        return R, r

    def inner_names(self) -> Mapping[str, str]:
        """Return descriptions of the names within the body: outputs, components of its position, places, rotors."""
        return {
            **super().inner_names(),
            **{axis: f"component {axis!r} of the position" for axis in "xyz"},
            **{name: f"point {name!r}" for name in self.points},
            **{name: f"frame {name!r}" for name in self.frames},
            **{name: f"surface {name!r}" for name in self.surfaces},
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
        """Return the drawn shapes: the given ones, or by default those of the solid, and the surfaces for contacts."""
        return (*self.solid_shapes(), *self.surfaces.values())

    def solid_shapes(self) -> tuple[Shape, ...]:
        """Return the given shapes, or by default those of the solid."""
        if self.shape is not None:
            return self.shape
        if self.properties is None:
            return ()
        shapes = self.properties.shapes()
        return shapes if self.com is None or not shapes else (Group(shapes, at=self.com),)
