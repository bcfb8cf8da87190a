"""Check of armatures: they belong to speeds that coordinates have."""

from __future__ import annotations

from gyrostat.coordinates.layout import Coordinates
from gyrostat.errors import TopologyError


def with_armatures(coordinates: Coordinates) -> Coordinates:
    """Return coordinates; raise an error if a speed with armature is neither an unknown nor driven in a tree."""
    known = {*coordinates.speed_names, *(f"{name}.rate" for name in coordinates.driven)}
    for joint in coordinates.topology.joints.values():
        for name, inertia in zip(joint.speed_names, joint.armatures, strict=True):
            if inertia is None or name in known:
                continue
            fact = f"Joint {joint.name!r} has an armature, but {name!r} is not among the speeds of these"
            if coordinates.are_joint_coordinates:
                raise TopologyError(
                    f"{fact} joint coordinates, since the joint closes a loop. Let another joint of the loop close it: "
                    "formulate(model, cut=[…])."
                )
            raise TopologyError(
                f"{fact} {coordinates.description}. Use coordinates='joint', or model the rotor: a body on a revolute "
                "joint of its own, with a Gear to the coordinate."
            )
    return coordinates
