"""Summaries of a system: text, table, drawing of its trees, and the size of each choice of coordinates."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gyrostat import recipes, written
from gyrostat.coordinates import Choice, Coordinates, branch_coordinates, joint_coordinates
from gyrostat.errors import GyrostatError, ModelError
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.lazy import later
from gyrostat.model.names import counted, first_few
from gyrostat.results.html_table import html_table
from gyrostat.topology import Topology

if TYPE_CHECKING:
    from gyrostat.system.system import System
    from gyrostat.topology import tree_drawing
else:
    (tree_drawing,) = later("gyrostat.topology", "tree_drawing")

_HEAD = ("coordinates", "q", "u", "constraints", "equations")


@dataclass(frozen=True)
class Counts:
    """The number of unknowns and equations of a choice of coordinates, without driven coordinates."""

    choice: str
    coordinates: int
    speeds: int
    constraints: int

    @property
    def equations(self) -> int:
        """Equations of motion and constraints together: for the accelerations and multipliers."""
        return self.speeds + self.constraints

    @property
    def row(self) -> tuple[str, ...]:
        """The counts as text."""
        numbers = (self.coordinates, self.speeds, self.constraints, self.equations)
        return (self.choice, *(str(number) for number in numbers))


@dataclass(frozen=True)
class Summary:
    """The counts of all choices, that of the system marked, and the mobility."""

    model: str
    own: str
    counts: tuple[Counts, ...]
    mobility: str
    planar: bool

    @staticmethod
    def of(system: System) -> Summary:
        """Return the counts of a system's own choice and of all others that its model has."""
        own = system.coordinates
        found = [_counts(choice.value, layout) for choice, layout in choices_of(own)]
        if own.choice is Choice.TREES:
            found.append(_counts(own.label, own))
        plane = next((layout.plane for _, layout in choices_of(own) if not layout.are_joint_coordinates), None)
        return Summary(system.model.name, own.label, tuple(found), str(system.topology.mobility), plane is not None)

    def __iter__(self) -> Iterator[Counts]:
        return iter(self.counts)

    def __getitem__(self, choice: str) -> Counts:
        return {counts.choice: counts for counts in self.counts}[choice]

    def __str__(self) -> str:
        rows = [_HEAD, *(counts.row for counts in self.counts)]
        marks = ["", *("← this system" if counts.choice == self.own else "" for counts in self.counts)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
        lines = [
            "  "
            + f"{row[0]:<{widths[0]}}  "
            + "  ".join(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
            + (f"  {mark}" if mark else "")
            for row, mark in zip(rows, marks, strict=True)
        ]
        motion = "planar" if self.planar else "spatial"
        return "\n".join([f"{self.model!r}, {motion}; mobility by counting: {self.mobility}", *lines])

    def _repr_html_(self) -> str:
        return html_table(str(self).partition("\n")[0], _HEAD, [counts.row for counts in self.counts])


def choices_of(own: Coordinates) -> Iterator[tuple[Choice, Coordinates]]:
    """Yield the layouts of joint, absolute and branch coordinates of one model, on the same spanning tree."""
    topology: Topology = own.topology
    planar = None if own.are_joint_coordinates else own.plane is not None
    yield Choice.JOINT, joint_coordinates(topology)
    for choice in (Choice.ABSOLUTE, Choice.BRANCH):
        try:
            yield choice, branch_coordinates(topology, choice, planar=planar)
        except GyrostatError:  # a rotor has the name of a coordinate, or a joint an armature
            continue


def _counts(choice: str, layout: Coordinates) -> Counts:
    rows = len(recipes.named_rows(layout)) if has_constraints(layout) else 0
    return Counts(choice, layout.n_q, layout.n_u, rows)


def system_text(system: System) -> str:
    """Return the names of a system by kind, its constraints and its mobility, one line each."""
    topology, coordinates = system.topology, system.coordinates
    driven = tuple(coordinates.all_driven)
    inputs = _own_inputs(system)
    lines = [
        f"System of {system.model.name!r} in {coordinates.description}: "
        f"{counted(len(topology.bodies), 'body', 'bodies')}, {counted(len(topology.joints), 'joint', 'joints')}",
        f"  coordinates ({coordinates.n_q}): {first_few(system.coordinate_names)}",
        f"  speeds ({coordinates.n_u}): {first_few(system.speed_names)}",
        f"  states ({len(system.state_names)}): {first_few(system.state_names)}",
        f"  driven ({len(driven)}): {first_few(driven)}",
        f"  inputs ({len(inputs)}): {first_few(inputs)}",
        f"  constraints: {_constraints(system)}; mobility by counting: {_mobility(system)}",
    ]
    return "\n".join(line for line in lines if "(0)" not in line)


def _own_inputs(system: System) -> tuple[str, ...]:
    """Return the inputs but those that follow from the equations of motion."""
    hidden = set(system.model.solved_inputs)
    return tuple(name for name in system.inputs if name not in hidden)


def _constraints(system: System) -> str:
    owners = (*system.coordinates.chords, *system.model.constraints)
    if not system.coordinates.are_joint_coordinates:  # all rows of a joint in one tree may be trivial
        owners = tuple(dict.fromkeys(row.owner for row in system.constraints)) if owners else ()
    return f"from {first_few(owners)}" if owners else "none"


def _mobility(system: System) -> str:
    """Return the mobility by counting joints, and how many rows of constraint components come on top."""
    components = system.model.constraints
    rows = sum(row.owner in components for row in system.constraints) if components else 0
    return f"{system.topology.mobility}{f', less {rows} by constraint components' if rows else ''}"


def system_html(system: System) -> str:
    """Return a table of coordinates, speeds, driven coordinates and inputs with the symbols that equations have."""
    groups: tuple[tuple[str, Iterable[str]], ...] = (
        ("coordinate", system.coordinate_names),
        ("speed", system.speed_names),
        ("driven", system.coordinates.all_driven),
        ("input", _own_inputs(system)),
    )
    symbols = _symbols(system)
    rows = [(role, name, symbols.get(name, "")) for role, names in groups for name in names]
    return html_table(str(system).partition("\n")[0], ("role", "name", "symbol"), rows)


def drawn_trees(system: System, path: str | os.PathLike[str] | None) -> str:
    """Return both trees as SVG text, each joint with the coordinates that it carries; write it if a path is given."""
    carried = {
        name: [each for each in layout.names if each in system.coordinate_names]
        for name, layout in system.coordinates.joints.items()
    }
    return tree_drawing.draw_trees(system.topology, system.chosen_trees, carried, path)


def _symbols(system: System) -> dict[str, str]:
    """Return symbols by name as LaTeX; none where two of them clash."""
    try:
        return {name: f"${text}$" for name, text in written.Symbols(system.coordinates).latex.items()}
    except ModelError:
        return {}
