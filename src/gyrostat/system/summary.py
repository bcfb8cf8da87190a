"""What each choice of coordinates gives, by counting, before anything is solved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gyrostat.coordinates import Choice, Coordinates, branch_coordinates, joint_coordinates
from gyrostat.errors import GyrostatError
from gyrostat.kinematics.constraints import has_constraints
from gyrostat.results.html_table import html_table
from gyrostat.topology import Topology

if TYPE_CHECKING:
    from gyrostat.system.system import System

_HEAD = ("coordinates", "q", "u", "constraints", "equations")


@dataclass(frozen=True)
class Counts:
    """How many unknowns and equations a choice of coordinates has; driven coordinates are not counted."""

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


def summary(system: System) -> Summary:
    """Return the counts of a system's own choice and of all others that its model has."""
    own = system.coordinates
    found = [_counts(choice.value, layout) for choice, layout in choices_of(own)]
    if own.choice is Choice.TREES:
        found.append(_counts(own.label, own))
    plane = next((layout.plane for _, layout in choices_of(own) if not layout.are_joint_coordinates), None)
    return Summary(system.model.name, own.label, tuple(found), str(system.topology.mobility), plane is not None)


def choices_of(own: Coordinates) -> Iterator[tuple[Choice, Coordinates]]:
    """Yield the layouts of joint, absolute and branch coordinates of one model, on the same spanning tree."""
    topology: Topology = own.topology
    planar = None if own.are_joint_coordinates else own.plane is not None
    yield Choice.JOINT, joint_coordinates(topology)
    for choice in (Choice.ABSOLUTE, Choice.BRANCH):
        try:
            yield choice, branch_coordinates(topology, choice, planar=planar)
        except GyrostatError:  # a rotor with the name of a coordinate: this choice is not there
            continue


def _counts(choice: str, layout: Coordinates) -> Counts:
    from gyrostat.recipes.constraints import named_rows

    rows = len(named_rows(layout)) if has_constraints(layout) else 0
    return Counts(choice, layout.n_q, layout.n_u, rows)
