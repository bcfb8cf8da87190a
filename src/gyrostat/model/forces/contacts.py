"""Contacts of many pairs of bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.contacts import NORMAL_LAWS, Adhesion, NormalLaw, RollingResistance
from gyrostat.model.forces.force_element import ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.friction import FRICTION_LAWS, FrictionLaw
from gyrostat.model.kinds import CountKind, End, FlagKind, ListKind, OptionalKind, RecordKind, ReferenceKind, TaggedKind
from gyrostat.model.names import GROUND
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar

LOAD = 6
"""Numbers of the load on a body: force at the origin of its frame, and moment, in world axes."""
MEMORY = ("point", "approach", "bristle.x", "bristle.y", "bristle.z")
"""The state variables of a slot: the number of the point of contact that has it, and what that point remembers."""
_SLOTS = 6
"""Slots for each body."""
RATES = 3
"""Numbers of the rates of a deflection."""
_BODIES = ListKind(ReferenceKind("body"))


@dataclass(frozen=True)
class Contacts(ForceElement):
    """Contacts of all bodies `among` a list with each other, or `between` those of two lists, by their shapes.

    Shapes are those that bodies are drawn with, or their surfaces: spheres, capsules, boxes, polyhedra, meshes, height
    fields, cylinders, cones, and planes, which are half-spaces. Bodies that a joint connects do not touch each other,
    unless that is a `Free` or `Translation` joint, or `joined` is set. A native kernel finds the pairs that are near
    and gives their loads, whatever the number of pairs; steps of adaptive integrators end where a pair touches. Where
    laws remember the speed of approach or have bristles, points of contact take slots of the state when they touch,
    `name.slot1.approach`, `name.slot1.bristle.x` and so on; `most` is their number.

    >>> import gyrostat as gs
    >>> law = gs.HuntCrossley(1e6, chi=0.2)
    >>> contacts = Contacts("grains", among=["a", "b"], normal=law)
    >>> contacts.bodies
    ('a', 'b')
    """

    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "depth": ForceOutput(1, "m", "largest depth of an overlap"),
        "touching": ForceOutput(1, "1", "number of pairs that touch"),
        "force": ForceOutput(1, "N", "sum of the normal forces of all pairs"),
    }
    in_kernel: ClassVar[bool] = True
    dissipates: ClassVar[bool] = True
    among: tuple[str, ...] | None = value(OptionalKind(_BODIES), None, doc="bodies of which each may touch each other")
    between: tuple[tuple[str, ...], ...] | None = value(
        OptionalKind(ListKind(_BODIES)), None, doc="two lists of bodies: those of one may touch those of the other"
    )
    normal: NormalLaw = value(TaggedKind(lambda: NORMAL_LAWS), doc="the normal law", keyword=True)
    friction: FrictionLaw | None = value(
        OptionalKind(TaggedKind(lambda: FRICTION_LAWS)), None, doc="the friction law; without one there is no friction"
    )

    rolling: RollingResistance | None = value(
        OptionalKind(RecordKind(RollingResistance)), None, doc="resistance to rolling and drilling", keyword=True
    )
    most: int | None = value(
        OptionalKind(CountKind(100_000)),
        None,
        doc="largest number of points that touch at a time, where laws remember; by default 6 for each body",
        keyword=True,
    )
    joined: bool = value(FlagKind(), False, doc="whether bodies that a joint connects touch each other", keyword=True)

    def validate(self, place: Place) -> None:
        """Require one or two lists of bodies, each body once, and a law that acts in contact only."""
        if (self.among is None) == (self.between is None):
            place.report(
                "it needs bodies, either among a list or between two.", "Give among=[…] or between=([…], […])."
            )
        elif self.between is not None and (len(self.between) != 2 or not all(self.between)):
            place.inside("between").report("it is not two lists of bodies.", "Write between=([…], […]).")
        elif self.among is not None and len(self.among) < 2:
            place.inside("among").report("it has fewer than two bodies.", "Name all bodies that may touch each other.")
        else:
            names = [name for side in self.sides for name in side]
            for name in sorted({name for name in names if names.count(name) > 1}):
                place.report(f"body {name!r} is named twice.", "Name each body once.")
        if isinstance(self.normal, Adhesion):
            place.inside("normal").report(
                "adhesion acts between bodies that do not touch, which contacts of many pairs leave out.",
                "Use a law without adhesion here, and a Contact for each pair that sticks together.",
            )

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The lists of bodies: one, or two."""
        return (self.among,) if self.among is not None else self.between or ()

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """All bodies."""
        return tuple(name for side in self.sides for name in side)

    @cached_property
    def loaded(self) -> tuple[str, ...]:
        """The bodies with loads: all but the ground."""
        return tuple(name for name in self.bodies if name != GROUND)

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The inputs that the kernel writes: the loads on all bodies, and the outputs."""
        loads = (f"{self.name}.load.{k}" for k in range(LOAD * len(self.loaded)))
        sums = (f"{self.name}.sum.{label}" for label in self.outputs)
        return (*loads, *sums, *(f"{self.name}.rate.{k}" for k in range(RATES * self.slots)))

    @cached_property
    def slots(self) -> int:
        """The number of slots for points of contact that remember; none where laws do not."""
        if not self.normal.remembers and (self.friction is None or not self.friction.has_bristle):
            return 0
        return self.most or _SLOTS * len(self.loaded)

    @cached_property
    def slot_names(self) -> tuple[str, ...]:
        """The names of the state variables of all slots."""
        return tuple(f"{self.name}.slot{i + 1}.{label}" for i in range(self.slots) for label in MEMORY)

    @cached_property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """Memory of points of contact, in the slots that they have taken."""
        units = ("1", "m/s", "m", "m", "m")
        return tuple(
            StateVariable(name, units[k % len(MEMORY)], f"{MEMORY[k % len(MEMORY)]} of a contact of {self.name}")
            for k, name in enumerate(self.slot_names)
        )

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rates of deflections; all else is set at touch alone."""
        rates: dict[str, Scalar] = dict.fromkeys(self.slot_names, 0)
        for i in range(self.slots):
            for k in range(RATES):
                rates[self.slot_names[len(MEMORY) * i + 2 + k]] = motion.input(f"{self.name}.rate.{RATES * i + k}")
        return rates

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the loads on all bodies."""
        for i, body in enumerate(self.loaded):
            fx, fy, fz, mx, my, mz = (motion.input(f"{self.name}.load.{LOAD * i + k}") for k in range(LOAD))
            yield PointLoad(End(body), (fx, fy, fz), (mx, my, mz))

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the outputs."""
        return {label: motion.input(f"{self.name}.sum.{label}") for label in self.outputs}
