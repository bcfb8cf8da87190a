"""The links of a spanning tree of joints, outward from the ground."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gyrostat.coordinates import Coordinates, JointLayout
from gyrostat.kinematics.link import Link
from gyrostat.kinematics.mechanism import GROUND_INDEX, Carried, carried_body, turned_placement
from gyrostat.kinematics.section_links import SectionLinks
from gyrostat.lazy import LaterClass
from gyrostat.model import Joint
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.names import GROUND
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector, apply, opposite, plus, product, transpose

if TYPE_CHECKING:
    from gyrostat.model.flexible.station_arm import StationArm
else:
    StationArm = LaterClass("gyrostat.model.flexible.station_arm", "StationArm")


def joint_links(coordinates: Coordinates, value: Evaluator) -> Iterator[Link]:
    """Yield the links of the spanning tree, outward from the ground."""
    topology = coordinates.topology
    model, tree = topology.model, topology.tree
    bodies = model.bodies
    index_of = {GROUND: GROUND_INDEX}
    frames: dict[str, tuple[Matrix, Vector]] = {GROUND: (IDENTITY, ZERO)}  # R_HB, r_HB_H
    count = 0
    sections = SectionLinks(coordinates, value)
    for name in tree.order:
        if name == GROUND:
            continue
        joint = topology.joints[tree.parent_edge[name]]
        inboard, outboard = joint.parent, joint.child
        if outboard.body != name:
            inboard, outboard = outboard, inboard
        aligned, R_PA = joint.aligned(value)
        R_BJ, r_BJ_B = turned_placement(model.placement(inboard, value), R_PA)
        R_PB, r_PB_P = frames[inboard.body]
        R_BH, r_BH_B = turned_placement(model.placement(outboard, value), R_PA)
        R_HB = transpose(R_BH)
        r_HB_H = opposite(apply(R_HB, r_BH_B))
        frames[name] = (R_HB, r_HB_H)
        layout = coordinates.joints[joint.name]
        reverse = outboard is joint.parent
        standing = (product(R_PB, R_BJ), plus(r_PB_P, apply(R_PB, r_BJ_B)))
        parent = index_of[inboard.body]
        if isinstance(joint, StationArm) and not reverse and (step := sections.step_to(joint)) is not None:
            (parent, aligned), standing = step, (IDENTITY, ZERO)
        *before, last = _stages(aligned, layout, reverse)
        for stage, part in before:
            yield _link(parent, stage, part, (aligned, layout), reverse, standing, _NO_BODY)
            parent, standing, count = count, (IDENTITY, ZERO), count + 1
        index_of[name], count = count, count + 1
        carried = carried_body(bodies[name], *frames[name], coordinates, value)
        yield _link(parent, *last, (aligned, layout), reverse, standing, carried)
        for section in sections.of(carried, index_of[name], count):
            own = (section.joint, section.layout)
            yield _link(section.parent, *own, own, False, (section.R_PJ, section.r_PJ_P), section.carried)
            count += 1


def _stages(joint: Joint, layout: JointLayout, reverse: bool) -> list[tuple[Joint, JointLayout]]:
    """Return the joint's stages with their layouts, in the order in which the tree passes them."""
    stages = joint.stages()
    if len(stages) == 1:
        return [(joint, layout)]
    rows = [(stage, layout.only(i)) for i, stage in enumerate(stages)]
    return rows[::-1] if reverse else rows


_NO_BODY = Carried("", IDENTITY, ZERO, 0, ZERO, (ZERO, ZERO, ZERO), ())


def _link(
    parent: int,
    joint: Joint,
    layout: JointLayout,
    whole: tuple[Joint, JointLayout],
    reverse: bool,
    standing: tuple[Matrix, Vector],
    carried: Carried,
) -> Link:
    """Return a link with the body that it carries."""
    return Link(
        body=carried.body,
        parent=parent,
        joint=joint,
        reversed=reverse,
        layout=layout,
        whole=whole,
        R_PJ=standing[0],
        r_PJ_P=standing[1],
        R_HB=carried.R_HB,
        r_HB_H=carried.r_HB_H,
        mass=carried.mass,
        moment=carried.moment,
        inertia=carried.inertia,
        wheels=carried.wheels,
    )
