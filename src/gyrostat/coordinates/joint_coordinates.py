"""Joint coordinates: the arcs of the spanning tree carry them, in the order in which joints were added."""

from __future__ import annotations

from gyrostat.coordinates.armatures import with_armatures
from gyrostat.coordinates.layout import Choice, Coordinates
from gyrostat.coordinates.unknowns import Unknowns
from gyrostat.topology import Topology
from gyrostat.topology.branch_trees import BranchTrees


def joint_coordinates(topology: Topology) -> Coordinates:
    """Return the layout of joint coordinates on the topology's spanning tree; free rotors come last."""
    unknowns = Unknowns()
    layouts = {name: unknowns.of_joint(topology.joints[name]) for name in topology.arcs}
    rotors = unknowns.of_rotors(topology.model)
    elements = {name: topology.joints[name] for name in topology.arcs}
    names = tuple(unknowns.coordinates), tuple(unknowns.speeds)
    trees = BranchTrees(topology.tree, topology.tree)
    return with_armatures(Coordinates(topology, *names, layouts, rotors, elements, Choice.JOINT, trees))
