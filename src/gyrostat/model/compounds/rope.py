"""A rope with mass all along."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

from gyrostat.model.compounds.compound import Compound
from gyrostat.model.contacts import NORMAL_LAWS, NormalLaw
from gyrostat.model.formula import Formula
from gyrostat.model.friction import FRICTION_LAWS, FrictionLaw
from gyrostat.model.kinds import (
    ChoiceKind,
    CountKind,
    End,
    EndKind,
    InertiaKind,
    OptionalKind,
    Quantity,
    QuantityKind,
    TaggedKind,
    Tensor,
)
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value
from gyrostat.model.ropes.division import RopeContacts, share
from gyrostat.model.ropes.grading_kind import Grading, GradingKind
from gyrostat.model.ropes.links import JOINTS, Links
from gyrostat.model.ropes.nodes import Nodes
from gyrostat.model.ropes.pulley import Pulley
from gyrostat.model.ropes.rope_path import RopePath, RopePathKind
from gyrostat.model.shapes.dimensioned import Dimensioned, Known


@dataclass(frozen=True)
class Rope(Compound, Dimensioned):
    """A rope with mass all along, over pulleys, in segments that are equal or graded.

    By `nodes` it consists of point masses `rope.n0`, `rope.n1`, … in absolute coordinates, with springs `rope.e1`, …
    between them, whose force is the tension, or rods whose load is the tension where `EA` is None; by `links` of rigid
    segments `rope.s1`, … with the points `start` and `end`, in joints `rope.j0`, `rope.j1`, …, along x of the frame at
    the first end (hinges about its z) or along its z (universal and spherical joints) at zero coordinates.
    `gs.lay_rope` gives the coordinates of a shape. An end that is None is free; a rope of links whose both ends are
    free needs a joint of its own.

    Contacts with a pulley are named `rope.PULLEY.n7`, at joints `rope.PULLEY.p7`, at mass centres `rope.PULLEY.s7`.
    The normal law is that of one node, joint or segment. Segments should be no longer than half the radius of a pulley;
    the `grading` `[(1, 40), (8, 5)]` has 40 segments and 5 eight times as long. A drum is a pulley with `turns`.

    >>> import gyrostat as gs
    >>> model = gs.Model("chain", gravity=(0, -9.81, 0))
    >>> rope = gs.Rope("rope", ["ground", None], segments=3, length=2, density=0.5, realisation="links")
    >>> gs.formulate(model.add(rope) and model).coordinate_names
    ('rope.j0', 'rope.j1', 'rope.j2')
    """

    positive: ClassVar[tuple[str, ...]] = ("length", "density", "creep_speed", "EA")
    not_negative: ClassVar[tuple[str, ...]] = ("EI", "damping", "bending_damping", "radius")
    path: RopePath = value(RopePathKind(), doc="an end, pulleys, an end; None is a free end")
    segments: int = value(CountKind(), doc="number of segments", keyword=True)
    length: Quantity = value(QuantityKind(), doc="length of the rope (m)", keyword=True)
    density: Quantity = value(QuantityKind(), doc="mass per length (kg/m)", keyword=True)
    grading: Grading | None = value(
        OptionalKind(GradingKind()),
        None,
        doc="relative lengths of segments, with numbers of them, from the start; by default all are equal",
        keyword=True,
    )
    realisation: str = value(ChoiceKind(("nodes", "links")), "nodes", doc="nodes or links", keyword=True)
    frame: End = value(EndKind(), "ground", doc="frame in whose axes the nodes have their coordinates", keyword=True)
    EA: Quantity | None = value(
        OptionalKind(QuantityKind()),
        None,
        doc="stiffness of stretching, of a rope of nodes (N); without it the rope is inextensible",
        keyword=True,
    )
    damping: Quantity = value(
        QuantityKind(),
        0,
        doc="damping of stretching, of a rope of nodes: force over rate of strain (N·s)",
        keyword=True,
    )
    EI: Quantity = value(QuantityKind(), 0, doc="stiffness of bending (N·m²)", keyword=True)
    bending_damping: Quantity = value(
        QuantityKind(), 0, doc="damping of bending: moment over rate of curvature (N·m²·s)", keyword=True
    )
    joints: str = value(ChoiceKind(tuple(JOINTS)), "revolute", doc="joints between links", keyword=True)
    contact: str = value(
        ChoiceKind(("joints", "centres")), "joints", doc="points of links that touch pulleys", keyword=True
    )
    radius: Quantity = value(
        QuantityKind(), 0, doc="radius for contacts with other bodies, and of links (m)", keyword=True
    )
    inertia: Tensor | None = value(
        OptionalKind(InertiaKind()), None, doc="inertia of a link about its mass centre (kg·m²)", keyword=True
    )
    normal: NormalLaw | None = value(
        OptionalKind(TaggedKind(lambda: NORMAL_LAWS)),
        None,
        doc="normal law of each point on pulleys, required where there are any",
        keyword=True,
    )
    friction: FrictionLaw | None = value(
        OptionalKind(TaggedKind(lambda: FRICTION_LAWS)),
        None,
        doc="friction law on all pulleys, instead of Coulomb's with the coefficient mu of each",
        keyword=True,
    )
    creep_speed: Quantity = value(
        QuantityKind(), 0.01, doc="speed over which Coulomb friction changes its sign (m/s)", keyword=True
    )
    side_stiffness: Quantity = value(QuantityKind(), 0, doc="stiffness along the axes of pulleys (N/m)", keyword=True)
    side_damping: Quantity = value(QuantityKind(), 0, doc="damping along the axes of pulleys (N·s/m)", keyword=True)
    side_load: Quantity | None = value(
        OptionalKind(QuantityKind()),
        None,
        doc="normal force of a point for which these two hold, in proportion to it (N)",
        keyword=True,
    )

    @property
    def pulleys(self) -> tuple[Pulley, ...]:
        """The pulleys on the path."""
        return tuple(entry for entry in self.path if isinstance(entry, Pulley))

    @property
    def ends(self) -> tuple[End | None, End | None]:
        """The places that hold the ends; None for a free end."""
        first, last = self.path[0], self.path[-1]
        assert not isinstance(first, Pulley), "a path begins at an end"
        assert not isinstance(last, Pulley), "a path ends at an end"
        return first, last

    @property
    def bodies(self) -> tuple[str, ...]:
        """The names of its nodes or segments, from the start on, for `Contacts` with other bodies and ropes."""
        if self.realisation == "nodes":
            return tuple(f"{self.name}.n{i}" for i in range(self.segments + 1))
        return tuple(f"{self.name}.s{i}" for i in range(1, self.segments + 1))

    def check_limits(self, known: Known, place: Place) -> None:
        """Report dimensions out of their limits, and nodes whose spheres overlap those of their neighbours."""
        super().check_limits(known, place)
        radius, length = known(self.radius), known(self.length)
        shortest = None if length is None or not self.segments else length * min(self.fractions)
        if self.realisation == "nodes" and radius and shortest and 2 * radius > shortest:
            place.inside("radius").report(
                f"nodes touch as spheres of radius {radius:.6g} m, and those of neighbours, {shortest:.6g} m apart, "
                "overlap.",
                "Give fewer segments, a smaller radius or realisation='links', whose segments are capsules.",
            )

    def validate(self, place: Place) -> None:
        """Require what the realisation needs, and refuse friction that is given twice."""
        super().validate(place)
        names = [pulley.name for pulley in self.pulleys]
        for name in sorted({name for name in names if names.count(name) > 1}):
            place.inside("path").report(f"two pulleys have the name {name!r}.", "Give each its own name.")
        for pulley in self.pulleys:
            held = {"loss": pulley.loss.number != 0, "grip": pulley.grip}
            if any(held.values()):
                which = next(one for one, given in held.items() if given)
                fact = f"pulley {pulley.name!r} has {which}, which a rope with mass all along does not have."
                place.inside("path").report(fact, "Leave it out: such a rope touches a pulley by contacts.")
        self._validate_grading(place)
        if self.pulleys and self.normal is None:
            place.inside("normal").report(
                "a rope over pulleys needs a normal law.",
                "Give normal=gs.KelvinVoigt(stiffness, damping), for example.",
            )
        rough = next((pulley for pulley in self.pulleys if pulley.mu.number != 0), None)
        if self.friction is not None and rough is not None:
            fact = f"pulley {rough.name!r} has mu={rough.mu}, and the rope has a friction law as well."
            place.inside("friction").report(fact, "Leave one of them out.")
        if self.EA is None and self.damping.number != 0:
            place.inside("damping").report(
                "a rope without EA is inextensible: it has no damping of stretching.", "Give EA=…, in N, as well."
            )
        if self.realisation == "links" and self.joints == "spherical" and not (self.radius.number != 0 or self.inertia):
            place.inside("radius").report(
                "segments in spherical joints have no inertia about the rope.",
                "Give radius=…, inertia=… or other joints.",
            )

        if self.joints == "spherical" and (self.EI.number != 0 or self.bending_damping.number != 0):
            place.inside("joints").report(
                "spherical joints have no angles on which a bending stiffness could act.", "Use joints='universal'."
            )

    def _validate_grading(self, place: Place) -> None:
        """Require a grading of all segments, and equal ones where nodes resist bending."""
        if self.grading is None:
            return
        count = sum(number for _, number in self.grading)
        if count != self.segments:
            fact = f"it has {count} segments, and the rope {self.segments}."
            place.inside("grading").report(fact, "Give the same number in both.")
        if self.realisation == "nodes" and self.EI.number != 0:
            fact = "a rope of nodes that resists bending has equal segments."
            place.inside("grading").report(fact, "Leave out the grading or EI, or use realisation='links'.")

    def parts(self) -> Iterable[Component]:
        """Return the bodies, joints and force elements of the rope, from the start on."""
        return self._links().parts() if self.realisation == "links" else self._nodes().parts()

    @property
    def fractions(self) -> tuple[float, ...]:
        """The lengths of the segments over that of the rope."""
        return tuple(1 / parts for parts in self._division)

    @property
    def _division(self) -> tuple[int | float, ...]:
        """The number of segments that the rope would have if all were as each is."""
        if self.grading is None:
            return (self.segments,) * self.segments
        whole = sum(size * number for size, number in self.grading)
        return tuple(parts for size, number in self.grading for parts in (whole / size,) * number)

    @property
    def _corners(self) -> tuple[int | float, ...]:
        """The same at the corners between segments and at the ends, by the mean length of both segments."""
        own = self._division
        inner = (a if a == b else 2 / (1 / a + 1 / b) for a, b in pairwise(own))
        return (own[0], *inner, own[-1])

    def _links(self) -> Links:
        corners = self._corners
        return Links(
            self.name,
            self.ends,
            tuple(share(self.length, parts) for parts in self._division),
            tuple(self._mass(parts) for parts in self._division),
            self.radius,
            self.inertia,
            self.joints,
            tuple(self._over_segment(self.EI, parts, 1) for parts in corners),
            tuple(self._over_segment(self.bending_damping, parts, 1) for parts in corners),
            self._contacts(self.pulleys, (None,) * len(self.pulleys)),
            self.contact == "centres",
        )

    def _nodes(self) -> Nodes:
        stiffness, damping, own = self.EA, self.damping, self._division
        touching = {parts: self._node_contacts(parts) for parts in self._corners}
        return Nodes(
            self.name,
            self.ends,
            tuple(share(self.length, parts) for parts in own),
            tuple(self._mass(parts) for parts in own),
            None if stiffness is None else tuple(self._over_segment(stiffness, parts, 1) for parts in own),
            tuple(self._over_segment(damping, parts, 1) for parts in own),
            self._over_segment(self.EI, self.segments, 3),
            self._over_segment(self.bending_damping, self.segments, 3),
            self.radius,
            tuple(touching[parts] for parts in self._corners),
            self.frame,
        )

    def _mass(self, parts: int | float) -> Quantity:
        """Return the mass of a segment."""
        return Formula.of(f"({self.density})*({self.length})/{parts}")

    def _over_segment(self, whole: Quantity, parts: int | float, power: int) -> Quantity:
        """Return a property of the rope divided by a power of the length of a segment; zero stays zero."""
        if whole.number == 0:
            return whole
        return Formula.of(f"({whole})*({parts}/({self.length}))**{power}")

    def _node_contacts(self, parts: int | float) -> RopeContacts:
        """Return the contacts of a node between segments of a length.

        Friction compares speeds on the circle of the nodes, without their sinking: a polygon runs slower than its
        nodes by l/(ρ Δφ), and on that circle as fast as the line of the rope on the pulley.
        """
        pulleys = tuple(self._under_nodes(pulley, parts) for pulley in self.pulleys)
        return self._contacts(pulleys, tuple(pulley.radius for pulley in pulleys))

    def _under_nodes(self, pulley: Pulley, parts: int | float) -> Pulley:
        """Return a pulley with the circle r (1 + (l/r)²/24), on which a polygon is as long as the arc of radius r."""
        r = pulley.radius
        return replace(pulley, radius=Formula.of(f"({r}) + (({self.length})/{parts})**2/(24*({r}))"))

    def _contacts(self, pulleys: tuple[Pulley, ...], lines: tuple[Quantity | None, ...]) -> RopeContacts:
        return RopeContacts(
            self.name,
            pulleys,
            lines,
            self.normal,
            self.friction,
            self.creep_speed,
            self.side_stiffness,
            self.side_damping,
            self.side_load,
        )
