"""Contact in acceleration: which closed contacts at rest stay closed, and which of them stick.

Normal loads N and accelerations of separation g̈ are complementary, 0 ≤ N ⊥ g̈ ≥ 0. Contacts that slide have the
friction −μ N d, which is linear in N; those without sliding speed stick, with |T| ≤ μ_s N, or begin to slide along the
tangential acceleration (Pfeiffer and Glocker, Multibody Dynamics with Unilateral Contacts, 1996, chapter 5). Both are
the complementarity problem of impacts, with accelerations in place of speeds; the Delassus matrix of sliding contacts
is not symmetric. It may have no solution, or more than one: Painlevé's paradoxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.events.contact_set import ContactSet
from gyrostat.analysis.events.coulomb import CoulombProblem
from gyrostat.analysis.events.impact_law import ImpactLaw
from gyrostat.coordinates.arguments import Floats

_MOBILITY_TOLERANCE = 1e-12
"""Mobility of a direction, relative to that of its contact, below which no load acts along it."""
_LOAD_TOLERANCE = 1e-11
"""Load of a contact that is closed, relative to the largest, in terms of mobilities."""
_FRICTION_TOLERANCE = 1e-9
"""Distance of friction from its limit, relative to it, below which a contact slides."""
_ACCELERATION_TOLERANCE = 1e-9
"""Acceleration, relative to the largest, below which it does not give a direction."""
_APPROACH_TOLERANCE = 1e-9
"""Acceleration of approach, relative to the largest, that a contact without load may have by rounding."""


@dataclass(frozen=True, eq=False)
class ClosedContacts:
    """Closed contacts without speed of separation; four directions each, the normal and three tangential ones."""

    names: tuple[str, ...]
    D: Floats
    """Accelerations per unit of load, shape (4 n, 4 n)."""
    free: Floats
    """Accelerations without contact loads, shape (4 n,)."""
    friction: Floats
    """Shape (n, 2): coefficients of sliding and of rest."""

    @property
    def scale(self) -> Floats:
        """For each contact 1/√D of its normal direction; 0 where no load opens it."""
        mobility = np.diag(self.D)[::4]
        return np.where(mobility > 0.0, 1.0 / np.sqrt(np.where(mobility > 0.0, mobility, 1.0)), 0.0)


@dataclass(frozen=True, eq=False)
class ContactLoads:
    """Loads (n, 4) and accelerations (n, 4) of closed contacts."""

    loads: Floats
    accelerations: Floats


def solve_accelerations(contacts: ClosedContacts, sliding: dict[int, Floats]) -> ContactLoads | None:
    """Return loads and accelerations, with the given contacts sliding along directions; None where there are none."""
    n, scale = len(contacts.names), contacts.scale
    moving = [i for i in range(n) if scale[i] > 0.0]
    columns, rows, owners = list[Floats](), list[Floats](), list[int]()
    for place, i in enumerate(moving):
        normal = np.zeros(4 * n)
        normal[4 * i] = scale[i]
        push = normal.copy()
        if i in sliding:
            push[4 * i + 1 : 4 * i + 4] = -contacts.friction[i, 0] * scale[i] * sliding[i]
        columns.append(push)
        rows.append(normal)
        owners.append(place)
        if i in sliding or contacts.friction[i, 1] == 0.0:
            continue
        own = slice(4 * i + 1, 4 * i + 4)
        values, vectors = np.linalg.eigh(contacts.D[own, own])
        for value, vector in zip(values, vectors.T, strict=True):
            if value > _MOBILITY_TOLERANCE * contacts.D[4 * i, 4 * i]:
                tangent = np.zeros(4 * n)
                tangent[own] = scale[i] * vector
                columns.append(tangent)
                rows.append(tangent)
                owners.append(place)
    loads = np.zeros(4 * n)
    unit = float(np.abs(contacts.free * np.repeat(scale, 4)).max(initial=0.0))
    if rows and unit > 0.0:
        C, R, places = np.column_stack(columns), np.vstack(rows), np.array(owners, dtype=np.intp)
        problem = ContactSet(
            tuple(contacts.names[i] for i in moving),
            (ImpactLaw.NEWTON,) * len(moving),
            R @ contacts.D @ C,
            R @ contacts.free / unit,
            places,
            np.searchsorted(places, np.arange(len(moving))),
            np.zeros(len(moving)),
            contacts.friction[moving, 1],
        )
        none = np.zeros(len(moving))
        found = CoulombProblem(problem, none, none).solve()
        if found is None:
            return None
        loads = unit * (C @ found)
    return ContactLoads(loads.reshape(n, 4), (contacts.free + contacts.D @ loads).reshape(n, 4))


@dataclass(frozen=True, eq=False)
class ContactDecision:
    """Which contacts stay closed, and the directions of those of them that slide."""

    closed: tuple[int, ...]
    sliding: dict[int, Floats]
    loads: Floats
    """Loads (n, 4) that satisfy all conditions."""
    ambiguous: tuple[int, ...] = ()
    """Contacts that could also open: Painlevé's paradox of several solutions."""


def decide(
    contacts: ClosedContacts, sliding: dict[int, Floats], released: Sequence[int], breaking: dict[int, Floats]
) -> ContactDecision | None:
    """Return the decision on closed contacts; None where no loads satisfy all conditions.

    sliding: directions of contacts that slide
    released: contacts whose load has become zero; they open if the accelerations allow it
    breaking: contacts whose friction has reached its limit, with the direction in which they begin to slide
    """
    n, scale = len(contacts.names), contacts.scale
    for forced in ((tuple(released), breaking), (tuple(released), {}), ((), {})):
        out = set(forced[0])
        kept = [i for i in range(n) if i not in out]
        slides = {i: d for i, d in (sliding | forced[1]).items() if i not in out}
        for _ in range(2 * n + 2):
            part = _part(contacts, kept)
            found = solve_accelerations(part, {kept.index(i): d for i, d in slides.items()})
            if found is None:
                break
            added = _breaking(part, found, {kept.index(i) for i in slides})
            if not added:
                break
            slides |= {kept[i]: d for i, d in added.items()}
        if found is None:
            continue
        weights = np.zeros(4 * n)
        for place, i in enumerate(kept):
            weights[4 * i : 4 * i + 4] = found.loads[place]
        rates = (contacts.free + contacts.D @ weights).reshape(n, 4)
        largest = (
            float((np.abs(rates[:, 0]) * scale).max(initial=0.0)) + float(np.abs(contacts.free).max()) * scale.max()
        )
        if any(rates[i, 0] * scale[i] < -_APPROACH_TOLERANCE * largest for i in out):
            continue
        if any(
            rates[i, 1:] @ d * scale[i] < -_APPROACH_TOLERANCE * largest for i, d in forced[1].items() if i in slides
        ):
            continue
        heaviest = float((weights[::4] * np.where(scale > 0.0, 1.0 / np.where(scale > 0.0, scale, 1.0), 0.0)).max())
        closed = tuple(i for i in kept if scale[i] > 0.0 and weights[4 * i] > _LOAD_TOLERANCE * heaviest * scale[i])
        kept_sliding = {i: d for i, d in slides.items() if i in closed}
        return ContactDecision(closed, kept_sliding, weights.reshape(n, 4), _ambiguous(contacts, slides))
    return None


def _part(contacts: ClosedContacts, kept: Sequence[int]) -> ClosedContacts:
    places = np.array([4 * i + k for i in kept for k in range(4)], dtype=np.intp)
    names = tuple(contacts.names[i] for i in kept)
    return ClosedContacts(
        names, contacts.D[np.ix_(places, places)], contacts.free[places], contacts.friction[list(kept)]
    )


def _breaking(contacts: ClosedContacts, found: ContactLoads, sliding: set[int]) -> dict[int, Floats]:
    """Return the loaded contacts at the limit of friction that begin to slide, with the directions of that.

    Those that others hold stick, although redundant loads may be at their limits.
    """
    size = float(np.abs(contacts.free).max(initial=0.0))
    heaviest = float(found.loads[:, 0].max(initial=0.0))
    added = {}
    for i in range(len(contacts.names)):
        limit, friction = contacts.friction[i, 1] * found.loads[i, 0], float(np.linalg.norm(found.loads[i, 1:]))
        rough = contacts.friction[i, 1] > 0.0 and i not in sliding and found.loads[i, 0] > _LOAD_TOLERANCE * heaviest
        if not rough or friction < (1.0 - _FRICTION_TOLERANCE) * limit:
            continue
        rate = found.accelerations[i, 1:]
        if np.linalg.norm(rate) > _ACCELERATION_TOLERANCE * size:
            added[i] = rate / np.linalg.norm(rate)
    return added


def _ambiguous(contacts: ClosedContacts, sliding: dict[int, Floats]) -> tuple[int, ...]:
    """Return sliding contacts whose friction presses them on so much that they could open as well."""
    found = []
    for i, direction in sliding.items():
        own = contacts.D[4 * i, 4 * i] - contacts.friction[i, 0] * contacts.D[4 * i, 4 * i + 1 : 4 * i + 4] @ direction
        if own <= 0.0:
            found.append(i)
    return tuple(found)
