"""Modal data of a flexible body: mass points with mode shapes, modal stiffness, and interfaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gyrostat.model.joints.joint import Coordinate
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.kinds.arrays import ArrayKind
from gyrostat.model.place import Place
from gyrostat.model.record import Record, value
from gyrostat.once import cached_property


@dataclass(frozen=True)
class Interface(Record):
    """A place on a flexible body for joints and forces: its position, and what each mode moves and turns it by."""

    position: tuple[float, float, float] = value(ArrayKind(1), doc="position without deformation (m)", keyword=True)
    translation: tuple[Any, ...] = value(
        ArrayKind(2), doc="displacements by the modes: 3 rows, a column for each mode", keyword=True
    )
    rotation: tuple[Any, ...] = value(
        ArrayKind(2), ((), (), ()), doc="rotations by the modes (rad): 3 rows, a column for each mode", keyword=True
    )

    def check(self, modes: int, place: Place) -> None:
        """Report shapes that do not belong to a number of modes."""
        if len(self.position) != 3:
            place.inside("position").report(f"{len(self.position)} coordinates are given.", "Give x, y and z.")
        for name, rows in (("translation", self.translation), ("rotation", self.rotation)):
            absent = name == "rotation" and not any(rows)
            if not absent and (len(rows) != 3 or any(len(row) != modes for row in rows)):
                fact = f"its shape is {len(rows)} × {len(rows[0]) if rows else 0}, and there are {modes} modes."
                place.inside(name).report(fact, f"Give 3 rows of {modes} numbers.")


@dataclass(frozen=True)
class ModalProperties(Record):
    """Inertia and stiffness of a body in n modes; inertia is that of K mass points that move with the modes."""

    masses: tuple[float, ...] = value(ArrayKind(1), doc="masses of the points (kg): K numbers", keyword=True)
    positions: tuple[Any, ...] = value(ArrayKind(2), doc="their positions without deformation (m): K × 3", keyword=True)
    shapes: tuple[Any, ...] = value(ArrayKind(3), doc="their displacements by the modes: K × 3 × n", keyword=True)
    stiffness: tuple[Any, ...] = value(ArrayKind(2), doc="modal stiffness: n × n", keyword=True)
    damping: Quantity = value(QuantityKind(), 0, doc="damping matrix over stiffness matrix (s)", keyword=True)

    def validate(self, place: Place) -> None:
        """Require shapes of arrays that agree, positive masses, and a positive definite stiffness."""
        points, modes = len(self.masses), len(self.stiffness)
        if not points or min(self.masses) <= 0:
            place.inside("masses").report("there are none, or some are not positive.", "Give masses above zero.")
        if len(self.positions) != points or any(len(row) != 3 for row in self.positions):
            place.inside("positions").report(f"they are not {points} × 3 numbers.", "Give a position for each mass.")
        if len(self.shapes) != points or any(
            len(axes) != 3 or any(len(row) != modes for row in axes) for axes in self.shapes
        ):
            fact = f"they are not {points} × 3 × {modes} numbers."
            place.inside("shapes").report(
                fact, "Give three displacements of each point for each mode of the stiffness."
            )
        if not modes or any(len(row) != modes for row in self.stiffness):
            place.inside("stiffness").report("it is not a square matrix.", "Give n rows of n numbers.")
        elif not _positive_definite(self.stiffness):
            fact = "it is not symmetric and positive definite: a mode without strain moves the body as a whole."
            remedy = "Leave rigid-body modes out: joints of the body give it those motions."
            place.inside("stiffness").report(fact, remedy)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of the modal coordinates."""
        return tuple(f"q{i + 1}" for i in range(len(self.stiffness)))

    @cached_property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The modal coordinates."""
        return tuple(Coordinate(label, "length") for label in self.labels)


def _positive_definite(matrix: tuple[Any, ...]) -> bool:
    import numpy as np

    K = np.array(matrix, dtype=float)
    scale = float(np.abs(K).max())
    return bool(np.abs(K - K.T).max() <= 1e-9 * scale and np.linalg.eigvalsh(K)[0] > 1e-13 * scale)
