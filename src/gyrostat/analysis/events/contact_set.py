"""Contacts of an instant in contact space: the Delassus matrix and the speeds of separation and sliding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from gyrostat.analysis.events.contact import REST_SPEED, ClosedContact
from gyrostat.analysis.events.impact_law import ImpactLaw
from gyrostat.coordinates.arguments import Floats

Places: TypeAlias = np.ndarray[Any, np.dtype[np.intp]]

_MOBILITY_TOLERANCE = 1e-12
"""Mobility of a tangential direction, relative to those of its contact, below which no impulse acts along it."""
_COUPLING_TOLERANCE = 1e-14
"""Entry of the Delassus matrix, relative to its diagonal, below which two contacts do not influence each other."""


@dataclass(frozen=True, eq=False)
class ContactSet:
    """Contacts with separation and sliding speeds γ, of which impulses Λ change γ by D Λ.

    Entries are ordered by contact: the normal direction, then none, one or two tangential ones. The change of energy in
    an impact without moving obstacles is Λᵀ (γ + ½ D Λ).
    """

    events: tuple[str, ...]
    laws: tuple[ImpactLaw, ...]
    D: Floats
    speeds: Floats
    owners: Places
    """For each entry the number of its contact."""
    normals: Places
    """For each contact the place of its normal direction."""
    restitution: Floats
    friction: Floats

    @staticmethod
    def of(contacts: Sequence[ClosedContact], D: Floats, speeds: Floats) -> tuple[ContactSet, Floats]:
        """Return contacts with Delassus matrix D₀ and speeds γ₀ of all columns, and Q, of which γ = Qᵀ γ₀, Λ₀ = Q Λ.

        Tangential directions that no impulse moves and that do not
        slide are left out, so that planar models have one per contact.
        """
        fastest = float(np.abs(speeds).max())
        parts, owners, first = [], list[int](), 0
        for number, contact in enumerate(contacts):
            count = len(contact.speeds)
            kept = np.zeros((len(speeds), count))
            kept[first, 0] = 1.0
            rest = slice(first + 1, first + count)
            values, vectors = np.linalg.eigh(D[rest, rest])
            sizes = D[first, first] + values.sum()
            moving = (values > _MOBILITY_TOLERANCE * sizes) | (np.abs(vectors.T @ speeds[rest]) > REST_SPEED * fastest)
            kept[rest, 1:] = vectors
            part = kept[:, np.append(True, moving)]
            parts.append(part)
            owners += [number] * part.shape[1]
            first += count
        Q = np.hstack(parts)
        places = np.array(owners, dtype=np.intp)
        found = ContactSet(
            tuple(contact.event for contact in contacts),
            tuple(contact.law for contact in contacts),
            Q.T @ D @ Q,
            Q.T @ speeds,
            places,
            np.searchsorted(places, np.arange(len(contacts))),
            np.array([contact.restitution for contact in contacts]),
            np.array([contact.friction for contact in contacts]),
        )
        return found, Q

    @property
    def approach(self) -> Floats:
        """Normal speeds of separation."""
        return np.asarray(self.speeds[self.normals])

    def tangents(self, contact: int) -> Places:
        """Return the places of the tangential directions of a contact."""
        own = np.flatnonzero(self.owners == contact)
        return np.asarray(own[own != self.normals[contact]], dtype=np.intp)

    @property
    def smooth(self) -> bool:
        """Whether no contact has a tangential impulse."""
        return len(self.normals) == len(self.owners)

    def part(self, chosen: Places) -> tuple[ContactSet, Places]:
        """Return some of the contacts, by rising number, and the places of their entries."""
        places = np.flatnonzero(np.isin(self.owners, chosen))
        owners = np.searchsorted(chosen, self.owners[places])
        found = ContactSet(
            tuple(self.events[i] for i in chosen),
            tuple(self.laws[i] for i in chosen),
            self.D[np.ix_(places, places)],
            self.speeds[places],
            owners,
            np.searchsorted(owners, np.arange(len(chosen))),
            self.restitution[chosen],
            self.friction[chosen],
        )
        return found, places

    def at(self, speeds: Floats) -> ContactSet:
        """Return the contacts with other speeds."""
        return replace(self, speeds=speeds)

    def scaled(self, factor: float) -> ContactSet:
        """Return the contacts with all coefficients of restitution multiplied by a factor."""
        return replace(self, restitution=factor * self.restitution)

    def energy_gain(self, impulses: Floats) -> float:
        """Return the change of energy by impulses, relative to the energies exchanged."""
        given, taken = float(impulses @ self.speeds), 0.5 * float(impulses @ self.D @ impulses)
        return (given + taken) / (abs(given) + taken) if taken > 0.0 else 0.0

    def groups(self) -> Iterator[Places]:
        """Yield the numbers of contacts that influence each other, group by group."""
        left = list(range(len(self.normals)))
        diagonal = np.sqrt(np.diag(self.D))
        coupled = np.abs(self.D) > _COUPLING_TOLERANCE * np.outer(diagonal, diagonal)
        while left:
            group, reached = {left[0]}, [left[0]]
            while reached:
                own = self.owners == reached.pop()
                for other in np.unique(self.owners[coupled[own].any(axis=0)]).tolist():
                    if other not in group:
                        group.add(other)
                        reached.append(other)
            left = [i for i in left if i not in group]
            yield np.array(sorted(group), dtype=np.intp)
