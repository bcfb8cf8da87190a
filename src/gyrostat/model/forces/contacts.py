"""Contacts of many pairs of bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.contacts import NORMAL_LAWS, Adhesion, NormalLaw
from gyrostat.model.forces.force_element import ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.friction import FRICTION_LAWS, FrictionLaw
from gyrostat.model.kinds import End, ListKind, OptionalKind, ReferenceKind, TaggedKind
from gyrostat.model.names import GROUND
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar

LOAD = 6
"""Numbers of the load on a body: force at the origin of its frame, and moment, in world axes."""
_BODIES = ListKind(ReferenceKind("body"))


@dataclass(frozen=True)
class Contacts(ForceElement):
    """Contacts of all bodies `among` a list with each other, or `between` those of two lists, by their shapes.

    Shapes are those that bodies are drawn with: spheres, capsules, boxes, cylinders, cones, and planes, which are
    half-spaces. Bodies that a joint connects do not touch each other, unless that is a `Free` joint. A native kernel
    finds the pairs that are near and gives their loads in simulations, whatever the number of pairs; steps of adaptive
    integrators end where a pair touches. The normal law must not remember the approach (`HuntCrossley` with `speed` or
    `chi`), and the friction law must have no bristles (`Coulomb`, `Stribeck`).

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

    def validate(self, place: Place) -> None:
        """Require one or two lists of bodies, each body once, and laws without memory."""
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
        if isinstance(self.normal, NormalLaw) and self.normal.remembers:
            place.inside("normal").report(
                "the law remembers the speed of approach of each contact, which contacts of many pairs do not.",
                "Give the speed for which the restitution holds, HuntCrossley(k, restitution=0.5, speed=1), or chi.",
            )
        if isinstance(self.normal, Adhesion):
            place.inside("normal").report(
                "adhesion acts between bodies that do not touch, which contacts of many pairs leave out.",
                "Use a law without adhesion here, and a Contact for each pair that sticks together.",
            )
        if isinstance(self.friction, FrictionLaw) and self.friction.has_bristle:
            place.inside("friction").report(
                "the law has bristles, whose deflections contacts of many pairs do not have.",
                "Use Coulomb(mu, speed=…) or Stribeck here, and a Contact for each pair that must stick.",
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
        return (*loads, *(f"{self.name}.sum.{label}" for label in self.outputs))

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the loads on all bodies."""
        for i, body in enumerate(self.loaded):
            fx, fy, fz, mx, my, mz = (motion.input(f"{self.name}.load.{LOAD * i + k}") for k in range(LOAD))
            yield PointLoad(End(body), (fx, fy, fz), (mx, my, mz))

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the outputs."""
        return {label: motion.input(f"{self.name}.sum.{label}") for label in self.outputs}
