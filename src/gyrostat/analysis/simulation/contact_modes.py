"""Modes of rigid contacts in a segment of a motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.kernels.problem import OPEN_CONTACT, STICKING
from gyrostat.coordinates.arguments import Floats

_COLUMNS = 12
"""Number of columns of a contact in files."""


@dataclass(frozen=True, eq=False)
class ContactModes:
    """The modes of all rigid contacts of a system during a segment."""

    modes: tuple[int, ...]
    """OPEN_CONTACT, STICKING or SLIPPING."""
    directions: Floats
    """Shape (n, 3): direction of sliding at the start of the segment; zero where a contact does not slide."""
    offsets: Floats
    """Shape (n, 3): additions to the gap of contacts that open, to the sliding speed of those that begin to slide from
    rest or the friction limit of those that stick by chosen loads, and the speed below which friction keeps the
    direction in which sliding began."""
    weights: Floats
    """Shape (n,): compliance of the tangential directions, by which statically indeterminate friction is shared."""
    preload: Floats
    """Shape (n, 4): loads nearest to which statically indeterminate ones are sought; zero where those of least squares
    press and stay within their friction cones."""

    @staticmethod
    def open(count: int) -> ContactModes:
        """Return open contacts."""
        none = np.zeros((count, 3))
        return ContactModes((OPEN_CONTACT,) * count, none, none.copy(), np.ones(count), np.zeros((count, 4)))

    @property
    def closed(self) -> list[int]:
        """The numbers of closed contacts."""
        return [i for i, mode in enumerate(self.modes) if mode != OPEN_CONTACT]

    @property
    def held(self) -> list[int]:
        """The directions in which speeds stay zero: normals of closed contacts, tangents of sticking ones."""
        return [4 * i + k for i in self.closed for k in range(4 if self.modes[i] == STICKING else 1)]


def contacts_to_plain(contacts: ContactModes | None) -> Floats:
    """Return modes, directions, offsets, weights and preload as columns, a row for each contact; no row for None."""
    if contacts is None:
        return np.zeros((0, _COLUMNS))
    return np.column_stack((contacts.modes, contacts.directions, contacts.offsets, contacts.weights, contacts.preload))


def contacts_from_plain(rows: Floats) -> ContactModes | None:
    """Return the modes of columns; files of earlier versions have no preload."""
    if not len(rows):
        return None
    preload = rows[:, 8:] if rows.shape[1] == _COLUMNS else np.zeros((len(rows), 4))
    return ContactModes(tuple(rows[:, 0].astype(int).tolist()), rows[:, 1:4], rows[:, 4:7], rows[:, 7], preload)
