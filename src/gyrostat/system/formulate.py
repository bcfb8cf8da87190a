"""From a model to a system: the pipeline, top to bottom, and choices of coordinates as plain data."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gyrostat.coordinates import Choice, Coordinates, branch_coordinates, joint_coordinates
from gyrostat.errors import GyrostatError, TopologyError
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.constraint_loads import coordinates_of
from gyrostat.kinematics.turn_sums import chord_angle
from gyrostat.lazy import later
from gyrostat.model import Model
from gyrostat.model.checks import gravity_notes, require_valid
from gyrostat.model.evaluator import Evaluator
from gyrostat.program.warning import GyrostatWarning
from gyrostat.scalar import FloatScalars
from gyrostat.system.system import System
from gyrostat.topology import Topology
from gyrostat.topology.trees import Trees

if TYPE_CHECKING:
    from gyrostat.closing import compliant
    from gyrostat.closing.compliant import Compliant
else:
    (compliant,) = later("gyrostat.closing", "compliant")


def formulate(
    model: Model,
    coordinates: str | Choice | Trees = "joint",
    *,
    tree: Iterable[str] | None = None,
    cut: Iterable[str] = (),
    planar: bool | None = None,
    closing: Compliant | None = None,
) -> System:
    """Return the system of a model, in a choice of coordinates.

    The model is checked and a frozen copy kept. The coordinates are "joint": those of the arcs of a spanning tree;
    "absolute": position and orientation of every body; "branch": from one tree for positions and one for orientations,
    with few coordinates; or `Trees` that you choose. For joint coordinates `tree` names all joints of the spanning
    tree, `cut` joints that must not be in it; without them the tree is chosen by `Topology.of`. With `planar`,
    bodies have two displacements and an angle; by default this holds for planar mechanisms. Loops are closed by
    constraints, or with `closing=gs.Compliant(stiffness, damping)` by springs and dampers.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    >>> bar = model.add(gs.Body("bar", gs.rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> system = gs.formulate(model)
    >>> system.mass_matrix([0.0]).round(6)
    array([[0.666667]])
    """
    require_model(model)
    if closing is not None and not isinstance(closing, compliant.Compliant):
        raise GyrostatError(
            f"closing={closing!r:.60} is not a way to close loops. Give gs.Compliant(stiffness, damping), or leave it "
            "out: then constraints close them."
        )
    require_valid(model)
    for note in gravity_notes(model):
        warnings.warn(f"Model {model.name!r}: {note}", GyrostatWarning, stacklevel=2)
    topology = Topology.of(model, tree=tree, cut=cut)
    if closing is not None and topology.chords:
        topology = Topology.of(closing.applied(topology), tree=topology.arcs)
    system = System(_chosen(topology, coordinates, planar))
    _require_counted_turns(system)
    return system


def require_model(given: object) -> None:
    """Raise an error unless a model is given."""
    if isinstance(getattr(given, "system", None), System):
        raise GyrostatError(
            f"{type(given).__name__} is a result, not a model. Give its system, and the result where the function has "
            "an argument for it: gs.linearize(point.system, at=point), gs.simulate(run.system, 1, initial=run)."
        )
    if not isinstance(given, Model):
        raise GyrostatError(f"{given!r:.60} is not a model. Give a gs.Model, or read one: gs.Model.load('model.yaml').")


def system_of(given: System | Model) -> System:
    """Return the system that is given, or that of a model in joint coordinates; anything else is refused."""
    return given if isinstance(given, System) else formulate(given)


def _chosen(topology: Topology, coordinates: str | Choice | Trees, planar: bool | None) -> Coordinates:
    if isinstance(coordinates, Trees):
        return branch_coordinates(topology, coordinates, planar=planar)
    value = coordinates.value if isinstance(coordinates, Choice) else coordinates
    if not isinstance(value, str) or value not in _CHOICES:
        choices = ", ".join(repr(choice) for choice in _CHOICES)
        raise TopologyError(f"Coordinates {value!r} are not known. Use {choices}, or gs.Trees(…).")
    choice = _CHOICES[value]
    if choice is Choice.JOINT:
        return joint_coordinates(topology)
    return branch_coordinates(topology, choice, planar=planar)


_CHOICES = {choice.value: choice for choice in Choice if choice is not Choice.TREES}
"""The choices of coordinates by name."""


def _require_counted_turns(system: System) -> None:
    """Raise an error if a constraint uses an angle that is only known up to whole turns."""
    constraints = system.model.constraints
    if not constraints:
        return
    measures, chord_of = system.coordinates.measures, system.coordinates.chord_of
    mechanism = None
    for name, constraint in constraints.items():
        for coordinate in coordinates_of(system.coordinates, constraint):
            if coordinate in chord_of and measures[coordinate] == "angle":
                mechanism = mechanism or build_mechanism(system.coordinates, _anywhere(system.model))
                if chord_angle(mechanism, chord_of[coordinate]) is not None:
                    continue
                raise TopologyError(
                    f"Constraint {name!r} uses the angle {coordinate!r} of a joint that closes a loop, of which whole "
                    "turns are not counted. Let another joint of the loop close it: formulate(model, cut=[…])."
                )


def _anywhere(model: Model) -> Evaluator:
    """Return an evaluator for directions of axes; dimensions without a value are 1, which turns no axis."""
    values = model.values()
    return Evaluator(FloatScalars(), lambda name: values.get(name, 1.0))


def choice_to_plain(system: System) -> dict[str, Any]:
    """Return the choice of a system: its tree of joints, or its two trees and whether motion is planar."""
    coordinates = system.coordinates
    plain: dict[str, Any] = {"coordinates": coordinates.choice.value, "tree": list(system.topology.arcs)}
    if not coordinates.are_joint_coordinates:
        names = coordinates.trees.names
        plain |= {
            "translation": list(names.translation),
            "rotation": list(names.rotation),
            "planar": coordinates.plane is not None,
        }
    return plain


def formulate_as(model: Model, plain: Mapping[str, Any]) -> System:
    """Return the system of a model in a choice that `choice_to_plain` has written."""
    if plain["coordinates"] == Choice.JOINT.value:
        return formulate(model, tree=plain["tree"])
    if plain["coordinates"] != Choice.TREES.value:
        return formulate(model, plain["coordinates"], tree=plain["tree"], planar=plain["planar"])
    trees = Trees(plain["translation"], plain["rotation"])
    return formulate(model, trees, tree=plain["tree"], planar=plain["planar"])
