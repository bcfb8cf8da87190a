"""Grains: spheres in great numbers, which are no bodies of the mechanism."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.contacts import NORMAL_LAWS, Hertz, HuntCrossley, KelvinVoigt, NormalLaw
from gyrostat.model.forces.force_element import ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.granular import GRANULAR_ENGINES, GranularEngine, GranularFriction
from gyrostat.model.kinds import (
    CountKind,
    End,
    ListKind,
    OptionalKind,
    Quantity,
    QuantityKind,
    RecordKind,
    ReferenceKind,
    TaggedKind,
    Triple,
    VectorKind,
)
from gyrostat.model.kinds.arrays import ArrayKind
from gyrostat.model.kinds.one_or_more import OneOrMoreKind
from gyrostat.model.names import GROUND
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes import Box
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.spatial import Vector

WRENCH = 6
"""Numbers of the load on a wall: force at the origin of its body's frame, and moment, in world axes."""
_GRAIN_LIMIT = 10_000_000


@dataclass(frozen=True)
class Grains(ForceElement):
    """Spheres with sliding friction and rolling resistance, in contact with each other and with surfaces of bodies.

    Grains have no coordinates. A native kernel, or another `engine`, moves them in short steps of its own; poses of
    `walls` and loads on them are exchanged every `exchange` steps. At the start they stand in a lattice in the box
    `fill`, `count` of them or as many as there is room for, or at given `positions`. Of several `radii` the grains
    have each in equal shares, in random order. Trajectories have their motion: `trajectory.grains(name)`.

    >>> import gyrostat as gs
    >>> sand = gs.Grains("sand", 0.01, 2600, ["ground"], count=20, fill=gs.shapes.Box((0.1, 0.1, 0.2), at=(0, 0, 0.11)),
    ...     normal=gs.KelvinVoigt(1e4, 2.0), friction=gs.GranularFriction(0.5))
    >>> sand.loaded
    ()
    """

    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "touching": ForceOutput(1, "1", "number of contacts"),
        "depth": ForceOutput(1, "1", "largest depth of a contact so far, by the reduced radius"),
        "force": ForceOutput(1, "N", "sum of the normal forces of all contacts"),
        "kinetic": ForceOutput(1, "J", "kinetic energy of the grains"),
        "potential": ForceOutput(1, "J", "potential energy of the grains: of gravity and elastic"),
        "dissipated": ForceOutput(1, "J", "energy lost in contacts so far"),
        "supplied": ForceOutput(1, "J", "work of the walls on the grains so far"),
    }
    in_kernel: ClassVar[bool] = True
    radii: tuple[Quantity, ...] = value(OneOrMoreKind(QuantityKind()), doc="radius, or several (m)")
    density: Quantity = value(QuantityKind(), doc="density of the material of the grains (kg/m³)")
    walls: tuple[str, ...] = value(ListKind(ReferenceKind("body")), doc="bodies whose surfaces grains touch")
    count: int | None = value(OptionalKind(CountKind(_GRAIN_LIMIT)), None, doc="number of grains", keyword=True)
    fill: Box | None = value(
        OptionalKind(RecordKind(Box)), None, doc="box, in world axes, that grains fill at the start", keyword=True
    )
    positions: tuple[tuple[float, ...], ...] | None = value(
        OptionalKind(ArrayKind(2)), None, doc="positions at the start, n × 3 (m), instead of a box", keyword=True
    )
    velocity: Triple = value(VectorKind(), (0, 0, 0), doc="velocity of all grains at the start (m/s)", keyword=True)
    normal: NormalLaw = value(TaggedKind(lambda: NORMAL_LAWS), doc="the normal law", keyword=True)
    friction: GranularFriction | None = value(
        OptionalKind(RecordKind(GranularFriction)), None, doc="friction; without one there is none", keyword=True
    )
    wall_friction: GranularFriction | None = value(
        OptionalKind(RecordKind(GranularFriction)), None, doc="friction on walls; by default as between grains",
        keyword=True,
    )  # fmt: skip
    step: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="granular step (s); by default 0.1 √(m/k)", keyword=True
    )
    exchange: int = value(CountKind(), 10, doc="granular steps between two exchanges with the bodies", keyword=True)
    seed: int = value(CountKind(2**31), 1, doc="number from which random places follow", keyword=True)
    engine: GranularEngine | None = value(
        OptionalKind(TaggedKind(lambda: GRANULAR_ENGINES)), None, doc="another engine than the own one", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Require positive sizes, a place for the grains, and laws that the kernel knows."""
        if not self.radii:
            place.inside("radii").report("there is none.", "Give a radius, or several.")
        for i, radius in enumerate(self.radii):
            if radius.number is not None and not radius.number > 0:
                place.inside("radii").inside(i).report(f"{radius} is not positive.", "Give a radius in metres.")
        for name in ("density", "step"):
            given = getattr(self, name)
            if given is not None and given.number is not None and not given.number > 0:
                place.inside(name).report(f"{given} is not positive.", "Give a positive number.")
        if (self.fill is None) == (self.positions is None):
            place.report("it needs a place for its grains at the start.", "Give fill=gs.shapes.Box(…) or positions=….")
        elif self.positions is not None and {len(row) for row in self.positions} != {3}:
            place.inside("positions").report("it has no rows of three numbers.", "Give [[x, y, z], …].")
        elif self.positions is not None and self.count not in (None, len(self.positions)):
            fact = f"{self.count} grains have {len(self.positions)} positions."
            place.inside("count").report(fact, "Leave the count out.")
        if not isinstance(self.normal, KelvinVoigt | HuntCrossley | Hertz):
            fact = f"grains have no law {type(self.normal).__name__}."
            place.inside("normal").report(fact, "Use KelvinVoigt, HuntCrossley or Hertz.")
        for name in sorted({name for name in self.walls if self.walls.count(name) > 1}):
            place.inside("walls").report(f"body {name!r} is named twice.", "Name each body once.")

    @cached_property
    def loaded(self) -> tuple[str, ...]:
        """The walls that move: all but the ground."""
        return tuple(name for name in self.walls if name != GROUND)

    @property
    def all_outputs(self) -> Mapping[str, ForceOutput]:
        """Sums over all contacts, and the mean force on each wall since the last exchange."""
        walls = {f"{name}.force": ForceOutput(3, "N", f"force of the grains on {name}") for name in self.walls}
        return {**self.outputs, **walls}

    @cached_property
    def load_inputs(self) -> tuple[str, ...]:
        """The inputs that are loads on walls, six for each."""
        return tuple(f"{self.name}.load.{k}" for k in range(WRENCH * len(self.walls)))

    @cached_property
    def sum_inputs(self) -> tuple[str, ...]:
        """The inputs that are sums over contacts."""
        return tuple(f"{self.name}.sum.{label}" for label in self.outputs)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs that the exchange sets."""
        return (*self.load_inputs, *self.sum_inputs)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the loads on walls that move."""
        for i, body in enumerate(self.walls):
            if body != GROUND:
                fx, fy, fz, mx, my, mz = (motion.input(f"{self.name}.load.{WRENCH * i + k}") for k in range(WRENCH))
                yield PointLoad(End(body), (fx, fy, fz), (mx, my, mz))

    def observed(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return the outputs."""
        found: dict[str, Scalar | Vector] = {label: motion.input(f"{self.name}.sum.{label}") for label in self.outputs}
        for i, body in enumerate(self.walls):
            x, y, z = (motion.input(f"{self.name}.load.{WRENCH * i + k}") for k in range(3))
            found[f"{body}.force"] = (x, y, z)
        return found
