"""Simultaneous impacts at all closed contacts of an instant.

With the directions of the contacts as columns of W, the Delassus matrix D = Wᵀ M⁻¹ W (constraints included) and the
speeds of separation γ, the impulses Λ without friction solve the linear complementarity problem

    γ⁺ = γ⁻ + D Λ,   0 ≤ Λ ⊥ γ⁺ + e γ⁻ ≥ 0      (Glocker, Set-Valued Force Laws, 2001, sect. 8; Moreau 1988)

for the contacts with γ⁻ ≤ 0. The change of energy is ½ Λᵀ (γ⁺ + γ⁻) = ½ Σ Λᵢ (1 − eᵢ) γᵢ⁻ ≤ 0, with any eᵢ from 0 to 1.
Friction adds tangential directions to W; `hypotheses` and `impulse_process` have the laws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from gyrostat.analysis.events.contact import REST_SPEED, ClosedContact
from gyrostat.analysis.events.contact_set import ContactSet
from gyrostat.analysis.events.frictionless import frictionless_impulses
from gyrostat.analysis.events.hypotheses import FULL_RESTITUTION, RestitutionReduction, impulses_without_gain
from gyrostat.analysis.events.impact_law import ImpactLaw
from gyrostat.analysis.events.impulse_process import impulses_by_work
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

_ROUNDS = 100
"""Largest number of impacts that follow one another at one instant, such as from end to end of a rod."""

_REST_SPEED = 1e-10
"""Speed below which a contact is at rest after an impact with friction, relative to the fastest approach."""
_ROUNDING = 1e-14
"""Rounding error of speeds after an impact, relative to the changes of which they are the sum."""


@dataclass(frozen=True, eq=False)
class Impact:
    """The change of the speeds u in an impact, and the normal impulse Λ of each contact."""

    change: Floats
    impulses: Floats
    reduced: Mapping[str, RestitutionReduction] = field(default_factory=dict)
    """Reductions of the coefficients of restitution, by event, without which energy would be gained."""


def solve_impact(contacts: Sequence[ClosedContact], mobility: Callable[[Floats], Floats]) -> Impact | None:
    """Return the impact at closed contacts, None without approach.

    mobility: returns M⁻¹ W for directions W (n_u, k), with constraints including their impulses.

    Contacts that separate take no part, unless the impulses of the others turn their motion round: then they are hit at
    the same instant, after the others. A sequence that does not end after many such impacts ends with e = 0.
    """
    if not any(contact.speed < 0.0 for contact in contacts):
        return None
    count = len(contacts)
    mobilities = np.array([contact.direction @ mobility(contact.direction) for contact in contacts])
    kept = _movable(contacts, mobilities)
    contacts, sizes = [contacts[i] for i in kept], np.sqrt(mobilities[kept])
    W = np.hstack([contact.columns / size for contact, size in zip(contacts, sizes, strict=True)])
    response = mobility(W)
    D = W.T @ response
    scaled = np.concatenate([contact.speeds / size for contact, size in zip(contacts, sizes, strict=True)])
    unit = float(np.abs(scaled).max())
    found, Q = ContactSet.of(contacts, 0.5 * (D + D.T), scaled / unit)
    total, reduced = _impacts(found)
    impulses = np.zeros(count)
    impulses[kept] = unit * total[found.normals] / sizes
    return Impact(unit * (response @ (Q @ total)), impulses, reduced)


def _impacts(contacts: ContactSet) -> tuple[Floats, dict[str, RestitutionReduction]]:
    """Return the impulses of all impacts that follow one another, and the reductions of restitution by event."""
    rest = (REST_SPEED if contacts.smooth else _REST_SPEED) * float(-contacts.approach.min())
    total, reduced = np.zeros(len(contacts.speeds)), dict[str, RestitutionReduction]()
    now = contacts
    for _ in range(_ROUNDS):
        rounding = _ROUNDING * (np.abs(contacts.D) @ np.abs(total))[contacts.normals]
        if (now.approach >= -rest - rounding).all():
            break
        taking, places = now.part(np.flatnonzero(now.approach <= rest))
        found, reductions = _impact(taking)
        if found is None:  # obstacles that move towards each other allow less
            break
        total[places] += found
        for event, e, reduction in zip(taking.events, taking.restitution, reductions, strict=True):
            if reduction.factor < 1.0 and e > 0.0:
                reduced[event] = reduction
        now = contacts.at(contacts.speeds + contacts.D @ total)
    rounding = _ROUNDING * (np.abs(contacts.D) @ np.abs(total))[contacts.normals]
    if (now.approach < -0.1 * rest - rounding).any():
        found, _ = _impact(now.scaled(0.0))
        if found is None:
            jam = "" if contacts.smooth else ", or redundant contacts jam by friction"
            raise StateError(
                f"Events {', '.join(map(repr, contacts.events))}: their obstacles move towards each other, so that no "
                f"motion keeps clear of all of them{jam}. Check their formulas."
            )
        total += found
    return total, reduced


def _impact(contacts: ContactSet) -> tuple[Floats | None, list[RestitutionReduction]]:
    """Return the impulses of one impact, and for each contact by how much its restitution was reduced."""
    reductions = [FULL_RESTITUTION] * len(contacts.normals)
    if contacts.smooth and all(law is ImpactLaw.NEWTON for law in contacts.laws):
        return frictionless_impulses(contacts.D, contacts.speeds, contacts.restitution), reductions
    total = np.zeros(len(contacts.speeds))
    for group in contacts.groups():
        part, places = contacts.part(group)
        found: Floats | None
        if ImpactLaw.STRONGE in part.laws and (len(group) == 1 or (part.restitution > 0.0).any()):
            found = _by_work(part)
        else:
            found, reduction = impulses_without_gain(part)
            for i in group:
                reductions[i] = reduction
        if found is None:
            return None, reductions
        total[places] = found
    return total, reductions


def _by_work(contacts: ContactSet) -> Floats:
    """Return the impulses by Stronge's hypothesis, which is that of a single contact."""
    if len(contacts.normals) > 1:
        raise StateError(
            f"Events {', '.join(map(repr, contacts.events))} are impacts at one instant that influence each other. "
            "Stronge's law follows the impulse of a single contact; the order in which several impulses grow is not "
            "known. Use law='poisson' for them."
        )
    return impulses_by_work(contacts)


def _movable(contacts: Sequence[ClosedContact], mobilities: Floats) -> list[int]:
    """Return the places of the contacts that some motion opens; raise an error where one of the others approaches."""
    for contact, mobility in zip(contacts, mobilities, strict=True):
        if mobility <= 0.0 and contact.speed < 0.0:
            raise StateError(
                f"At event {contact.event!r} no change of speeds reverses the approach: its function does not depend "
                "on the motion there. Name a coordinate: Restitution(coefficient, coordinate)."
            )
    return [i for i, mobility in enumerate(mobilities) if mobility > 0.0]
