"""A system on the exact engine: the formulas of mechanics run on trigonometric polynomials."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.coordinates import Coordinates
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.mechanism import Carried, KinematicTree
from gyrostat.kinematics.parallel_axes import parallel_groups
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import TIME
from gyrostat.scalar.exact import ExactRing, ExactScalars


@dataclass(frozen=True)
class ExactTrace:
    """A system at a symbolic state: the ring of its symbols, and its motion."""

    ring: ExactRing
    motion: WorldMotion
    groups: list[list[int]]
    """The angles that turn about parallel axes, as places in q."""


def exact_trace(coordinates: Coordinates, most_terms: int | None = None) -> ExactTrace:
    """Return a system at a symbolic state; names in the ring are those of the model. `most_terms` is the ring's."""
    names = coordinates.coordinate_names
    ring, tree = _ring_and_tree(coordinates, [], most_terms)
    groups = parallel_groups(tree)
    named = [[names[place] for place in group] for group in groups]
    if ring.angles:  # constants have angles of their own; those of the coordinates are to come first
        ring, tree = _ring_and_tree(coordinates, named, most_terms)
    else:
        for group in named:
            ring.add_group(group)
    state = MotionState(
        [ring.symbol(name) for name in names],
        [ring.symbol(name) for name in coordinates.speed_names],
        ring.symbol(TIME),
        {name: ring.symbol(name) for name in coordinates.topology.model.inputs},
        {name: ring.symbol(name) for name in coordinates.state_names},
    )
    return ExactTrace(ring, tree.at(state), groups)


def _ring_and_tree(
    coordinates: Coordinates, groups: list[list[str]], most_terms: int | None
) -> tuple[ExactRing, KinematicTree[Carried]]:
    """Return a ring of all symbols, its rules for Euler parameters, and the tree with its constants on this ring."""
    model = coordinates.topology.model
    unknowns = (*coordinates.coordinate_names, *coordinates.speed_names, *coordinates.state_names)
    symbols = [*model.parameters, *unknowns, TIME, *model.inputs]
    ring = ExactRing(groups, symbols, most_terms=most_terms)
    for name in coordinates.euler_parameters:
        ring.euler_parameters(*(f"{name}.e{i}" for i in range(4)))
    return ring, build_mechanism(coordinates, Evaluator(ExactScalars(ring), ring.symbol))
