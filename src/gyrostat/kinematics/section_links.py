"""Links of the mass of flexible bodies: one for each mass point of a beam, with the coordinates of its arms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gyrostat.coordinates import Coordinates, JointLayout
from gyrostat.kinematics.link import Link
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.station_arm import StationArm
from gyrostat.model.joints import Joint, Weld
from gyrostat.model.kinds import End
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector, matrix_sum, plus, point_inertia, scale

_EMPTY: Matrix = (ZERO, ZERO, ZERO)


def section_links(coordinates: Coordinates, links: Sequence[Link], value: Evaluator) -> Iterator[Link]:
    """Yield the links of all mass points, which hang on the root of their beam."""
    index_of = {link.body: i for i, link in enumerate(links)}
    seen: set[str] = set()
    for joint in coordinates.topology.joints.values():
        root = joint.parent.body
        if isinstance(joint, StationArm) and root not in seen:
            seen.add(root)
            index, layout = index_of[root], coordinates.joints[joint.name]
            yield from _of_beam(joint, layout, index, links[index], value)


def _of_beam(arm: StationArm, layout: JointLayout, index: int, root: Link, value: Evaluator) -> Iterator[Link]:
    fixed: list[tuple[Scalar, Vector]] = []
    for mass, place in arm.mass_arms(value):
        if place.position.moves:
            yield _section(index, root, place, layout, mass, ZERO, _EMPTY)
        else:
            fixed.append((mass, place.position.constant))
    if fixed:
        end = End(arm.parent.body)
        weld = Weld(f"{arm.parent.body}.rigid", end, end)
        yield _section(index, root, weld, JointLayout((), (), ()), *_rigid(fixed))


def _rigid(points: Iterable[tuple[Scalar, Vector]]) -> tuple[Scalar, Vector, Matrix]:
    """Return mass, mass moment and inertia of points fixed in the root frame."""
    mass: Scalar = 0
    moment, inertia = ZERO, _EMPTY
    for own, place in points:
        mass, moment = add(mass, own), plus(moment, scale(own, place))
        inertia = matrix_sum(inertia, point_inertia(own, place))
    return mass, moment, inertia


def _section(
    index: int, root: Link, joint: Joint, layout: JointLayout, mass: Scalar, moment: Vector, inertia: Matrix
) -> Link:
    return Link(
        body="",
        R_HB=IDENTITY,
        r_HB_H=ZERO,
        mass=mass,
        moment=moment,
        inertia=inertia,
        wheels=(),
        parent=index,
        joint=joint,
        reversed=False,
        layout=layout,
        whole=(joint, layout),
        R_PJ=root.R_HB,
        r_PJ_P=root.r_HB_H,
    )

