"""Pose and velocity of a link relative to its parent, in either direction of its joint."""

from __future__ import annotations

from typing import NamedTuple

from gyrostat.coordinates import JointLayout
from gyrostat.kinematics.link import Link
from gyrostat.kinematics.mechanism import Carried, KinematicTree
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.turns import hinge_turns
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Joint, Mode, Pose
from gyrostat.scalar import Scalar
from gyrostat.scalar.jets import Jet
from gyrostat.scalar.repeated import recurring, repeated
from gyrostat.spatial import (
    ZERO,
    Matrix,
    PlaneTurn,
    Vector,
    apply,
    conjugate,
    cross,
    minus,
    opposite,
    plane_turn,
    plus,
    product,
    scale,
    transpose,
)


@recurring
class RelativeFrame(NamedTuple):
    """The pose of a link's hinge frame H in its parent's hinge frame P.

    The rotation is given as turns about coordinate axes, from P to H, where it is known as such, else as R_PH.
    """

    turns: tuple[PlaneTurn, ...] | None
    R_PH: Matrix | None
    r_PH_P: Vector

    def to_parent(self, a: Vector) -> Vector:
        """Return R_PH a."""
        if self.R_PH is not None:
            return apply(self.R_PH, a)
        assert self.turns is not None
        for turn in reversed(self.turns):
            a = turn.vector(a)
        return a

    def from_parent(self, a: Vector) -> Vector:
        """Return R_HP a."""
        if self.R_PH is not None:
            return apply(transpose(self.R_PH), a)
        assert self.turns is not None
        for turn in self.turns:
            a = turn.opposite.vector(a)
        return a

    def tensor_to_parent(self, A: Matrix) -> Matrix:
        """Return R_PH A R_HP."""
        if self.R_PH is not None:
            return product(product(self.R_PH, A), transpose(self.R_PH))
        assert self.turns is not None
        for turn in reversed(self.turns):
            A = turn.tensor(A)
        return A

    def symmetric_to_parent(self, S: Matrix) -> Matrix:
        """Return R_PH S R_HP for a symmetric S."""
        return conjugate(self.R_PH, S) if self.R_PH is not None else self.tensor_to_parent(S)


class Coasting(NamedTuple):
    """Relative motion of a link while its unknown speeds do not change, in the axes of H: see `LinkMotion`."""

    frame: RelativeFrame
    omega: Vector
    velocity: Vector
    bias: tuple[Vector, Vector]


class LinkMotion(NamedTuple):
    """Relative motion of a link's hinge frame H in its parent's hinge frame P.

    `free` has the modes of unknown speeds with their places in u, `driven` those of driven coordinates by name. `omega`
    and `velocity` are the relative angular velocity and the velocity of H's origin, `bias` is the relative
    acceleration when unknown rates are zero: φ̇ u, and φ u̇ of driven coordinates. All are in the axes of H.
    """

    frame: RelativeFrame
    """R_PH as turns about coordinate axes, where it is known as such."""
    R_PH: Matrix
    r_PH_P: Vector
    free: tuple[tuple[int, Mode], ...]
    driven: tuple[tuple[str, Mode], ...]
    omega: Vector
    velocity: Vector
    bias: Mode

    @property
    def coasting(self) -> Coasting:
        """The relative motion while unknown speeds do not change."""
        return Coasting(self.frame, self.omega, self.velocity, (self.bias.angular, self.bias.linear))


def link_pose(tree: KinematicTree[Carried], link: Link, state: MotionState) -> tuple[Matrix, Vector]:
    """Return R_PH and r_PH_P."""
    q, _ = _coordinates(tree, link.joint, link.layout, state)
    return _placed(link, _directed(link, link.joint.pose(q, tree.value)))


def joint_pose(tree: KinematicTree[Carried], link: Link, state: MotionState) -> Pose:
    """Return the pose of the whole joint's child frame in its parent frame, in either direction of the tree."""
    joint, layout = link.whole
    q, _ = _coordinates(tree, joint, layout, state)
    return joint.pose(q, tree.value)


class JointMotion(NamedTuple):
    """Relative motion across a joint as it is written: of C in P, in the axes of C; or turned round, of P in C."""

    pose: Pose
    free: tuple[tuple[int, Mode], ...]
    driven: tuple[tuple[str, Mode], ...]
    omega: Vector
    velocity: Vector
    bias: Mode


def joint_motion(
    tree: KinematicTree[Carried], joint: Joint, layout: JointLayout, state: MotionState, *, turned_round: bool = False
) -> JointMotion:
    """Return pose (as the joint is written), modes, relative velocity and its bias."""
    q, jets = _coordinates(tree, joint, layout, state)
    places = layout.speeds
    u: list[Scalar] = [_speed(state, place, jet) for place, jet in zip(places, jets, strict=True)]
    pose, modes, bias = joint.motion(q, u, tree.value)
    if turned_round:
        modes = tuple(_reversed_mode(mode, pose) for mode in modes)
        bias = _reversed_mode(bias, pose)
    if joint.flexible:
        omega, velocity = _along_modes(tuple(modes), tuple(u))
        places_of_modes = zip(places, modes, strict=True)
        shared = tuple((place, mode) for place, mode in places_of_modes if isinstance(place, int))
        return JointMotion(pose, shared, (), omega, velocity, bias)
    omega, velocity = ZERO, ZERO
    free: list[tuple[int, Mode]] = []
    driven: list[tuple[str, Mode]] = []
    for i, (place, jet, mode, speed) in enumerate(zip(places, jets, modes, u, strict=True)):
        if place is None:
            continue
        omega = plus(omega, scale(speed, mode.angular))
        velocity = plus(velocity, scale(speed, mode.linear))
        if isinstance(place, int):
            free.append((place, mode))
        elif jet is not None:
            driven.append((layout.names[i], mode))
            bias = Mode(
                "bias",
                plus(bias.angular, scale(jet.acceleration, mode.angular)),
                plus(bias.linear, scale(jet.acceleration, mode.linear)),
            )
    return JointMotion(pose, tuple(free), tuple(driven), omega, velocity, bias)


@repeated
def _along_modes(modes: tuple[Mode, ...], u: tuple[Scalar, ...]) -> tuple[Vector, Vector]:
    """Return the angular velocity and the velocity of elastic coordinates."""
    omega, velocity = ZERO, ZERO
    for mode, speed in zip(modes, u, strict=True):
        omega, velocity = plus(omega, scale(speed, mode.angular)), plus(velocity, scale(speed, mode.linear))
    return omega, velocity


def link_motion(tree: KinematicTree[Carried], link: Link, state: MotionState) -> LinkMotion:
    """Return a link's relative motion in its parent's hinge frame."""
    across = joint_motion(tree, link.joint, link.layout, state, turned_round=link.reversed)
    directed = _directed(link, across.pose)
    R_PH, r_PH_P = _placed(link, directed)
    turns = hinge_turns(link.R_PJ, plane_turn(directed[0]), link.turns)
    frame = RelativeFrame(turns, R_PH if turns is None else None, r_PH_P)
    return LinkMotion(frame, R_PH, r_PH_P, across.free, across.driven, across.omega, across.velocity, across.bias)


def _coordinates(
    tree: KinematicTree[Carried], joint: Joint, layout: JointLayout, state: MotionState
) -> tuple[list[Scalar], list[Jet | None]]:
    """Return a joint's coordinates, at rest those that no tree needs, and for each speed its jet if it is driven."""
    q: list[Scalar] = []
    jets: list[Jet | None] = []
    for coordinate, place in zip(joint.coordinates, layout.coordinates, strict=True):
        jet = state.in_time(place, tree.value) if isinstance(place, Formula) else None
        q.append(state.q[place] if isinstance(place, int) else jet.value if jet else coordinate.rest)
        jets.append(jet)
    return q, jets if joint.speeds_are_rates else [None] * len(layout.speeds)


def _speed(state: MotionState, place: int | Formula | None, jet: Jet | None) -> Scalar:
    """Return a speed: an unknown, the rate of a driven coordinate, or none."""
    if isinstance(place, int):
        return state.u[place]
    return jet.rate if jet else 0


def _directed(link: Link, pose: Pose) -> tuple[Matrix, Vector]:
    """Return the pose of the outboard frame in the inboard one."""
    if not link.reversed:
        return pose.R_PC, pose.r_PC_P
    R_CP = transpose(pose.R_PC)
    return R_CP, opposite(apply(R_CP, pose.r_PC_P))


def _placed(link: Link, directed: tuple[Matrix, Vector]) -> tuple[Matrix, Vector]:
    """Return the pose of H in P, from its pose in the joint's inboard frame."""
    return _behind(link.R_PJ, link.r_PJ_P, *directed)


@repeated
def _behind(R_PJ: Matrix, r_PJ_P: Vector, R_JH: Matrix, r_JH_J: Vector) -> tuple[Matrix, Vector]:
    """Return R_PH and r_PH_P of H behind J."""
    return product(R_PJ, R_JH), plus(r_PJ_P, apply(R_PJ, r_JH_J))


def _reversed_mode(mode: Mode, pose: Pose) -> Mode:
    """Return the motion of P seen from C, in the axes of P at P's origin, for a motion of C seen from P.

    With ω and v of C in P axes: −ω and −v + ω × r. The same holds for the rate φ̇ u, since the terms of the turning
    axes and of the moving origin cancel.
    """
    angular = apply(pose.R_PC, mode.angular)
    linear = apply(pose.R_PC, mode.linear)
    return Mode(mode.label, opposite(angular), minus(cross(angular, pose.r_PC_P), linear))
