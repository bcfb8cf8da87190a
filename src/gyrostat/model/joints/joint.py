"""The contract of a joint: its coordinates and its kinematics, over abstract scalars.

A joint connects a frame P, fixed in the parent body, to a frame C, fixed in the child body; at zero coordinates the two
coincide. The module of a joint defines the pose and motion of C relative to P, and nothing else.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from gyrostat.errors import TopologyError
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.inputs.law import LawKind, describes_table
from gyrostat.model.joints.closure import speeds_along
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.kinds import (
    CONSTANT,
    End,
    EndKind,
    FrozenMapping,
    LabelledKind,
    Plain,
    Quantity,
    QuantityKind,
    RecordKind,
    Scope,
    TextKind,
    Triple,
)
from gyrostat.model.limits import Limits, describes_limits
from gyrostat.model.names import did_you_mean, fault_of, output_fault
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value
from gyrostat.model.registry import Registry
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import is_number, is_zero
from gyrostat.spatial import IDENTITY, UNIT, Matrix, Vector, perpendicular, transpose

TABLE_DRIVER = ".driver"
"""The suffix of the input by which a table that drives a coordinate enters the equations."""

Measure: TypeAlias = Literal["angle", "length", "number"]


_DRIVER = Scope(time=True, inputs=True)


@dataclass(frozen=True)
class Coordinate:
    """A coordinate of a joint: label within the joint, measure, and value at which P and C coincide."""

    label: str
    measure: Measure
    rest: int = 0


@dataclass(frozen=True)
class Joint(Component):
    """Base of all joints.

    A subclass declares further fields (an axis, a pitch) and defines `coordinates`, `pose`, `motion_space`,
    and `reaction_space`; to close loops also `closure` and `measured`; if the free modes depend on the coordinates also
    `motion_rate`; and if the speeds are not the rates of the coordinates also `speed_labels` and `coordinate_rates`.
    """

    file_section: ClassVar[str] = "joints"
    word: ClassVar[str] = "joint"
    suffixes: ClassVar[frozenset[str]] = frozenset(("rate", "acc", "reaction"))
    open_suffixes: ClassVar[frozenset[str]] = frozenset(
        ("acceleration", "force", "moment", "load", "torque", "rotation", "rpy", "rotation_vector")
    )
    flexible: ClassVar[bool] = False
    """Whether the joint is an arm of a flexible body: its coordinates are those of all arms of the body."""
    planar_freedoms: ClassVar[int | None] = None
    """Degrees of freedom in a planar mechanism; None if the joint cannot be part of one."""

    parent: End = value(EndKind(), doc="Attachment on the parent: body, body.point, body.frame or [body, [x, y, z]].")
    child: End = value(EndKind(), doc="Attachment on the child.")
    symbol: FrozenMapping = value(
        LabelledKind(TextKind()), {}, doc="symbols of the coordinates in equations, by label", keyword=True
    )
    driven: FrozenMapping = value(
        LabelledKind(LawKind(_DRIVER, "cubic"), describes_table),
        {},
        doc="coordinates prescribed as functions of time t and inputs, or by tables, by label",
        keyword=True,
    )
    initial: FrozenMapping = value(
        LabelledKind(QuantityKind(CONSTANT)), {}, doc="initial coordinates and rates, by label", keyword=True
    )

    limits: FrozenMapping = value(
        LabelledKind(RecordKind(Limits), describes_limits),
        {},
        doc="bounds of coordinates, rates and loads of drives, by label; recorded, not enforced",
        keyword=True,
    )
    armature: FrozenMapping = value(
        LabelledKind(QuantityKind()),
        {},
        doc="inertia of rotors behind gears, by label of the speed (kg·m² or kg): it is added to the mass matrix",
        keyword=True,
    )
    label: str = value(TextKind(), "", doc="name for people, such as that in a file of another format", keyword=True)

    @cached_property
    def drivers(self) -> dict[str, Formula]:
        """The formulas of driven coordinates by label; that of a table is the input by which the table enters."""
        return {
            label: law if isinstance(law, Formula) else Formula.of(f"{self.full_name(label)}{TABLE_DRIVER}")
            for label, law in self.driven.items()
        }

    @property
    @abstractmethod
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates in order."""

    @abstractmethod
    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose of C in P."""

    @abstractmethod
    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return the free modes φ, one for each speed (Forehand et al., eq. 18)."""

    @abstractmethod
    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return mutually orthogonal unit reactions, which do no work on any free mode, at an admissible pose."""

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the closure residuals of a pose, one for each unit reaction.

        They vanish at admissible poses; there their rates are the relative velocities along the unit reactions.
        """
        raise self._cannot_close()

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the coordinates at an admissible pose."""
        raise self._cannot_close()

    def _cannot_close(self) -> TopologyError:
        return TopologyError(
            f"Joint {self.name!r} closes a loop, but its kind, {type(self).__name__}, does not define `closure` "
            "and `measured`. Cut the loop at another joint: formulate(…, cut=[…]), or define these methods."
        )

    def measured_speeds(self, q: Sequence[Scalar], twist: Mode, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the speeds of an admissible twist, given in the axes of C at C's origin."""
        return speeds_along(self.motion_space(q, value), twist)

    def motion_rate(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> Mode:
        """Return φ̇ u, the rate of the free modes' components in the axes of C; zero if these are constant."""
        return Mode("rate")

    def motion(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> tuple[Pose, tuple[Mode, ...], Mode]:
        """Return pose, free modes and φ̇ u; a joint whose formulas have parts in common forms them once."""
        return self.pose(q, value), self.motion_space(q, value), self.motion_rate(q, u, value)

    def aligned(self, value: Evaluator) -> tuple[Joint, Matrix]:
        """Return the same joint in rotated frames in which its formulas are shortest, and the rotation R_PA.

        Both frames are rotated by R_PA, from P to P R_PA and from C to C R_PA. The axis of a joint is then along z.
        """
        return self, IDENTITY

    def stages(self) -> tuple[Joint, ...]:
        """Return an equivalent chain of joints with one degree of freedom each, from P to C, with the same coordinates.

        Recursive algorithms need fewer operations on such chains than on modes that depend on the coordinates. A joint
        without an equivalent chain returns itself.
        """
        return (self,)

    @cached_property
    def speed_labels(self) -> tuple[str, ...]:
        """The labels of the speeds; by default the rates of the coordinates."""
        return tuple(f"{coordinate.label}.rate" for coordinate in self.coordinates)

    def coordinate_rates(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> tuple[Scalar, ...]:
        """Return q̇ = N(q) u."""
        return tuple(u)

    @property
    def speeds_are_rates(self) -> bool:
        """Whether u = q̇."""
        if type(self).speed_labels is Joint.speed_labels:
            return True
        return self.speed_labels == tuple(f"{coordinate.label}.rate" for coordinate in self.coordinates)

    @property
    def bends_in_plane(self) -> bool:
        """Whether elastic coordinates move a flexible arm in one plane."""
        return False

    @cached_property
    def coordinate_names(self) -> tuple[str, ...]:
        """The names of the coordinates in the model; a single coordinate has the name of the joint."""
        return tuple(self.full_name(coordinate.label) for coordinate in self.coordinates)

    @cached_property
    def speed_names(self) -> tuple[str, ...]:
        """The names of the speeds in the model."""
        return tuple(self.full_name(label) for label in self.speed_labels)

    @cached_property
    def armature_labels(self) -> tuple[str, ...]:
        """The labels that `armature` takes: those of the speeds; of a rate, that of its coordinate."""
        return tuple(label.removesuffix(".rate") for label in self.speed_labels)

    @property
    def armatures(self) -> tuple[Quantity | None, ...]:
        """The armature of each speed, or None."""
        return tuple(self.armature.get(label) for label in self.armature_labels)

    def full_name(self, label: str) -> str:
        """Return the name of a coordinate or speed in the model from its label in the joint."""
        if len(self.coordinates) == 1:
            return self.name + label.removeprefix(self.coordinates[0].label)
        return f"{self.name}.{label}"

    def inner_names(self) -> Mapping[str, str]:
        """Return descriptions of the names within the joint: outputs, coordinates and speeds."""
        inner = dict(super().inner_names())
        if len(self.coordinates) != 1:  # a single coordinate has the name of the joint
            named = [(label, "speed") for label in self.speed_labels]
            named += [(coordinate.label, "coordinate") for coordinate in self.coordinates]
            inner |= {label.partition(".")[0]: f"{word} {self.full_name(label)!r}" for label, word in named}
        return inner

    def validate(self, place: Place) -> None:
        """Label single values; refuse unknown labels."""
        labels = tuple(coordinate.label for coordinate in self.coordinates)
        for label in labels:
            if fault := output_fault(label, self.suffixes):
                place.report(*fault)
        self._name_labels("symbol", labels, place)
        self._name_labels("driven", labels, place)
        self._name_labels("limits", labels, place)
        self._name_labels("armature", self.armature_labels, place)
        self._name_labels("initial", (*labels, *self.speed_labels), place)
        if self.driven and not self.speeds_are_rates:
            place.inside("driven").report(
                "its coordinates are Euler parameters, which cannot be driven individually.",
                "Use a spherical joint with angles='zxz' or the like, or drive the orientation by a constraint.",
            )
        for label, symbol in self.symbol.items():
            if fault := fault_of(symbol):
                place.inside("symbol").inside(label).report(*fault)
        for label in self.driven:
            for given in (label, f"{label}.rate"):
                if given in self.initial:
                    place.inside("initial").report(
                        f"{self.full_name(given)!r} is driven and has an initial value as well.",
                        "Leave one of them out.",
                    )

    def to_plain(self) -> dict[str, Plain]:
        """Return the fields in file form; a single coordinate needs no label."""
        plain = super().to_plain()
        if len(self.coordinates) == 1:
            label = self.coordinates[0].label
            plain |= {
                field: held[label] for field in _LABELLED_FIELDS if tuple(held := plain.get(field, {})) == (label,)
            }
        return plain

    def _name_labels(self, field: str, labels: tuple[str, ...], place: Place) -> None:
        """Expand short labels: empty to the single coordinate, `rate` to its rate."""
        held = getattr(self, field)
        if not held:
            return
        single = len(self.coordinates) == 1
        named: dict[str, object] = {}
        for label, content in held.items():
            full = labels[0] if single and label == "" else f"{labels[0]}.rate" if single and label == "rate" else label
            if full == "" and field == "symbol" and labels:
                named.update((known, f"{content}_{i}") for known, i in zip(labels, _numbers(labels), strict=True))
            elif full not in labels:
                which = f"label {label!r}" if label else "a single value"
                hint = did_you_mean(label, labels) if labels else "It has no coordinates."
                place.inside(field).report(f"{which} does not belong to this joint.", hint)
            else:
                named[full] = content
        object.__setattr__(self, field, FrozenMapping(named))


def _numbers(labels: tuple[str, ...]) -> list[str]:
    """Return the numbers in the labels (e0 to e3), or else their positions, counted from one."""
    own = [label.lstrip("abcdefghijklmnopqrstuvwxyz") for label in labels]
    return own if len(set(own)) == len(labels) else [str(i) for i in range(1, len(labels) + 1)]


def turned_to_z(axis: Vector, value: Evaluator) -> Matrix | None:
    """Return R_PA whose z axis is a given unit vector, or None if it is not known, or fits as it is.

    Axes along x, y and z fit, unless joint frames are to be uniform.
    """
    along_one = sum(1 for x in axis if not is_zero(x)) == 1 and (not value.uniform or axis == UNIT["z"])
    if along_one or not all(is_number(x) for x in axis):
        return None
    n1, n2 = perpendicular(axis, value.scalars)
    return transpose((n1, n2, axis))


ALONG_Z: Triple = (Formula.of(0), Formula.of(0), Formula.of(1))
"""The direction of z, as a joint holds its axis."""

_LABELLED_FIELDS = ("symbol", "driven", "initial", "limits", "armature")

JOINTS: Registry[Joint] = Registry("joint", Joint)

EVERY_FORCE: tuple[Mode, ...] = (
    Mode("force x", linear=(1, 0, 0)),
    Mode("force y", linear=(0, 1, 0)),
    Mode("force z", linear=(0, 0, 1)),
)
EVERY_MOMENT: tuple[Mode, ...] = (
    Mode("moment x", angular=(1, 0, 0)),
    Mode("moment y", angular=(0, 1, 0)),
    Mode("moment z", angular=(0, 0, 1)),
)
