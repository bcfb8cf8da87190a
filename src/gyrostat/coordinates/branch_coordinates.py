"""Coordinates from two trees: absolute and branch coordinates, and trees of a user's choice (McPhee 2002, part 3)."""

from __future__ import annotations

from gyrostat.coordinates.armatures import with_armatures
from gyrostat.coordinates.floating import as_element, floating_body
from gyrostat.coordinates.layout import Choice, Coordinates
from gyrostat.coordinates.plane import Plane, plane_of
from gyrostat.coordinates.unknowns import Unknowns
from gyrostat.errors import TopologyError
from gyrostat.model import Joint
from gyrostat.model.joints import Screw
from gyrostat.topology import Topology
from gyrostat.topology.branch_trees import BranchTrees, body_trees, chosen_trees, trees_by_priority
from gyrostat.topology.rigidity import require_no_flexible_body
from gyrostat.topology.trees import Trees


def branch_coordinates(topology: Topology, choice: Choice | Trees, *, planar: bool | None = None) -> Coordinates:
    """Return the layout of coordinates on two trees.

    Each element has the coordinates of its translations if it is in the tree of positions, those of its rotations if it
    is in the tree of orientations. Where the mechanism is planar (or `planar` is true), bodies have two displacements
    and an angle, else three displacements and Euler parameters.
    """
    require_no_flexible_body(topology, "absolute and branch coordinates are formed", "Use joint coordinates.")
    plane = plane_of(topology.model) if planar is not False else None
    if planar and plane is None:
        raise TopologyError(
            f"The model {topology.model.name!r} is not planar across one of the axes x, y, z that the ground and all "
            "bodies share. Use planar=None, or let the joints turn about one axis."
        )
    if isinstance(choice, Trees):
        trees, kind = chosen_trees(topology, choice), Choice.TREES
    elif choice is Choice.ABSOLUTE:
        trees, kind = body_trees(topology), choice
    else:
        trees, kind = trees_by_priority(topology, planar=plane is not None), Choice.BRANCH
    return _layout(topology, trees, kind, plane)


def moving_coordinates(joint: Joint) -> tuple[int, ...]:
    """Return which coordinates of a joint, by number, move the child's point."""
    return tuple(i for i, c in enumerate(joint.coordinates) if c.measure == "length" or isinstance(joint, Screw))


def turning_coordinates(joint: Joint) -> tuple[int, ...]:
    """Return which coordinates of a joint, by number, turn the child."""
    return tuple(i for i, c in enumerate(joint.coordinates) if c.measure != "length")


def speeds_of(joint: Joint, coordinates: tuple[int, ...]) -> tuple[int, ...]:
    """Return the speeds of a joint in a tree, by number, that change some of its coordinates.

    Speeds that are no rates are angular velocities, which go with Euler parameters.
    """
    labels = [joint.coordinates[i].label for i in coordinates]
    turning = any(joint.coordinates[i].measure == "number" for i in coordinates)
    return tuple(
        i
        for i, label in enumerate(joint.speed_labels)
        if (label.removesuffix(".rate") in labels if label.endswith(".rate") else turning)
    )


def _layout(topology: Topology, trees: BranchTrees, kind: Choice, plane: Plane | None) -> Coordinates:
    unknowns = Unknowns()
    elements: dict[str, Joint] = {}
    layouts = {}
    for name in trees.elements:
        joint = as_element(topology.joints[name]) if name in topology.joints else floating_body(name, plane)
        _refuse_own_names(topology, name, joint)
        moving = moving_coordinates(joint) if name in trees.translation.arc_set else ()
        turning = turning_coordinates(joint) if name in trees.rotation.arc_set else ()
        needed = tuple(sorted({*moving, *turning}))
        elements[name] = joint
        layouts[name] = unknowns.of_joint(joint, needed, speeds_of(joint, needed))
    rotors = unknowns.of_rotors(topology.model)
    names = tuple(unknowns.coordinates), tuple(unknowns.speeds)
    return with_armatures(Coordinates(topology, *names, layouts, rotors, elements, kind, trees, plane))


def _refuse_own_names(topology: Topology, name: str, joint: Joint) -> None:
    """Raise an error where a coordinate of a body would have the name of one of its rotors."""
    body = topology.model.bodies.get(name)
    if body is None or name in topology.joints:
        return
    labels = {coordinate.label for coordinate in joint.coordinates}
    for rotor in body.rotors:
        if rotor.name in labels:
            raise TopologyError(
                f"Rotor {rotor.name!r} of body {name!r} has the name of a coordinate of the body. Give it another name."
            )
