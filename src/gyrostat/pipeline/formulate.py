"""From a model to a system: the pipeline, top to bottom."""

from __future__ import annotations

from collections.abc import Iterable

from gyrostat.coordinates import joint_coordinates
from gyrostat.errors import TopologyError
from gyrostat.kinematics.constraint_loads import coordinates_of
from gyrostat.model import Model
from gyrostat.model.checks import demand_sound
from gyrostat.pipeline.system import System
from gyrostat.topology import Topology


def formulate(
    model: Model, coordinates: str = "joint", *, tree: Iterable[str] | None = None, cut: Iterable[str] = ()
) -> System:
    """Return the system of a model, in a choice of coordinates.

    The model is checked and a frozen copy kept. `tree` names all joints of the spanning tree, `cut` joints that must
    not be in it; without them the tree is chosen as `Topology.of` says.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    >>> bar = model.add(gs.Body("bar", gs.rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> system = gs.formulate(model)
    >>> system.mass_matrix([0.0]).round(6)
    array([[0.666667]])
    """
    demand_sound(model)
    topology = Topology.of(model, tree=tree, cut=cut)
    if coordinates != "joint":
        raise TopologyError(f"Coordinates {coordinates!r} are not known. Use coordinates='joint'.")
    system = System(joint_coordinates(topology))
    _demand_counted_turns(system)
    return system


def _demand_counted_turns(system: System) -> None:
    """Raise an error if a constraint uses an angle that is only known up to whole turns."""
    measures, chord_of = system.coordinates.measures, system.coordinates.chord_of
    for name, constraint in system.model.constraints.items():
        for coordinate in coordinates_of(system.coordinates, constraint):
            if coordinate in chord_of and measures[coordinate] == "angle":
                raise TopologyError(
                    f"Constraint {name!r} uses the angle {coordinate!r} of a joint that closes a loop, of which whole "
                    "turns are not counted. Let another joint of the loop close it: formulate(model, cut=[…])."
                )
