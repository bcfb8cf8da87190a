"""A system on the exact engine: the formulas of mechanics run on trigonometric polynomials."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.coordinates import Coordinates
from gyrostat.kinematics.link import Tree, build_tree
from gyrostat.kinematics.parallel_axes import parallel_groups
from gyrostat.kinematics.state import State
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import TIME
from gyrostat.scalar.exact import ExactRing, ExactScalars


@dataclass(frozen=True)
class ExactTrace:
    """A system at a symbolic state: the ring of its symbols, and the motion whose formulas are asked for."""

    ring: ExactRing
    motion: WorldMotion


def constant_tree(coordinates: Coordinates) -> Tree:
    """Return the tree with its constants on an exact ring of the parameters alone."""
    constants = ExactRing(groups=[], symbols=list(coordinates.topology.model.parameters))
    return build_tree(coordinates, Evaluator(ExactScalars(constants), constants.symbol))


def exact_trace(coordinates: Coordinates) -> ExactTrace:
    """Return a system at a symbolic state; names in the ring are those of the model."""
    model = coordinates.topology.model
    groups = parallel_groups(constant_tree(coordinates))
    names = coordinates.coordinate_names
    ring = ExactRing(
        groups=[[names[place] for place in group] for group in groups],
        symbols=[*model.parameters, *names, *coordinates.speed_names, TIME, *model.inputs],
    )
    for layout, joint in ((coordinates.joints[name], coordinates.topology.joints[name]) for name in coordinates.joints):
        parameters = [n for n, c in zip(layout.names, joint.coordinates, strict=True) if c.measure == "number"]
        if len(parameters) == 4:
            ring.euler_parameters(*parameters)
    tree = build_tree(coordinates, Evaluator(ExactScalars(ring), ring.symbol))
    state = State(
        [ring.symbol(name) for name in names],
        [ring.symbol(name) for name in coordinates.speed_names],
        ring.symbol(TIME),
        {name: ring.symbol(name) for name in model.inputs},
    )
    return ExactTrace(ring, WorldMotion.of(tree, state))
