"""Simultaneous impacts without friction: Newton's law of restitution at all closed contacts of an instant.

With the directions of the contacts as columns of W, the Delassus matrix D = Wᵀ M⁻¹ W (constraints included) and the
separation speeds γ, the impulses Λ solve the linear complementarity problem

    γ⁺ = γ⁻ + D Λ,   0 ≤ Λ ⊥ γ⁺ + e γ⁻ ≥ 0      (Glocker, Set-Valued Force Laws, 2001, sect. 8; Moreau 1988)

for the contacts with γ⁻ ≤ 0. The change of energy is ½ Λᵀ (γ⁺ + γ⁻) = ½ Σ Λᵢ (1 − eᵢ) γᵢ⁻ ≤ 0, with any eᵢ from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

REST = 1e-12
"""Speed below which a contact is at rest, relative to the fastest approach."""
_ROUNDS = 100
"""Largest number of impacts that follow one another at one instant, such as from end to end of a rod."""
_ROUNDING = 1e-11
"""Relative residual of the complementarity problem up to which a solution is accepted."""


@dataclass(frozen=True, eq=False)
class Contact:
    """A closed unilateral contact at an instant."""

    event: str
    direction: Floats
    """Derivatives of the separation speed by the speeds u: the direction of the contact impulse."""
    speed: float
    """Separation speed γ; negative for an approach."""
    restitution: float

    def after(self, change: Floats) -> Contact:
        """Return the contact after a change of the speeds u; a speed of rounding errors is zero."""
        added = float(self.direction @ change)
        speed = self.speed + added
        at_rest = abs(speed) <= REST * abs(added)
        return Contact(self.event, self.direction, 0.0 if at_rest else speed, self.restitution)

    @property
    def reversed(self) -> Contact:
        """The contact with the obstacle on the other side."""
        return Contact(self.event, -self.direction, -self.speed, self.restitution)


@dataclass(frozen=True, eq=False)
class Impact:
    """The change of the speeds u in an impact, and the impulse Λ of each contact."""

    change: Floats
    impulses: Floats


def solve_impact(contacts: Sequence[Contact], mobility: Callable[[Floats], Floats]) -> Impact | None:
    """Return the impact at closed contacts, None without approach.

    mobility: returns M⁻¹ W for directions W (n_u, k), with constraints including their impulses.

    Contacts that separate take no part, unless the impulses of the others turn their motion round: then they are hit at
    the same instant, after the others. A sequence that does not end after many such impacts ends with e = 0.
    """
    speeds, count = np.array([contact.speed for contact in contacts]), len(contacts)
    if not (speeds < 0.0).any():
        return None
    W = np.column_stack([contact.direction for contact in contacts])
    response = mobility(W)
    D = W.T @ response
    kept = _movable(contacts, np.diag(D))
    contacts, D, speeds, response = [contacts[i] for i in kept], D[np.ix_(kept, kept)], speeds[kept], response[:, kept]
    sizes = np.sqrt(np.diag(D))
    D, speeds = 0.5 * (D + D.T) / np.outer(sizes, sizes), speeds / sizes
    rest = REST * float(-speeds.min())
    restitution = np.array([contact.restitution for contact in contacts])
    total = np.zeros(len(speeds))
    now = speeds
    for _ in range(_ROUNDS):
        if now.min() >= -rest:
            break
        taking = now <= rest
        found = _impulses(D[np.ix_(taking, taking)], now[taking], restitution[taking])
        if found is None:  # obstacles that move towards each other allow less
            break
        total[taking] += found
        now = speeds + D @ total
    if now.min() < -0.1 * rest:
        found = _impulses(D, now, np.zeros(len(now)))
        if found is None:
            raise StateError(
                f"Events {', '.join(repr(contact.event) for contact in contacts)}: their obstacles move towards each "
                "other, so that no motion keeps clear of all of them. Check their formulas."
            )
        total += found
    impulses = np.zeros(count)
    impulses[kept] = total / sizes
    return Impact(response @ impulses[kept], impulses)


def _movable(contacts: Sequence[Contact], mobilities: Floats) -> list[int]:
    """Return the places of the contacts that some motion opens; raise an error where one of the others approaches."""
    for contact, mobility in zip(contacts, mobilities, strict=True):
        if mobility <= 0.0 and contact.speed < 0.0:
            raise StateError(
                f"At event {contact.event!r} no change of speeds reverses the approach: its function does not depend "
                "on the motion there. Name a coordinate: Restitution(coefficient, coordinate)."
            )
    return [i for i, mobility in enumerate(mobilities) if mobility > 0.0]


def _impulses(D: Floats, speeds: Floats, restitution: Floats) -> Floats | None:
    """Return Λ ≥ 0 complementary to D Λ − h ≥ 0, h = max(0, −e γ) − γ; None where no Λ exists. D has unit diagonal.

    Of all changes of the motion that separate the contacts as fast as the law demands, it is the one of least energy:
    min |x| with Bᵀ x ≥ h, D = Bᵀ B, by nonnegative least squares (Lawson and Hanson, Solving Least Squares Problems,
    1974, ch. 23.4). It is unique; impulses of redundant contacts are not, and one choice is returned.
    """
    needed = np.maximum(-restitution * speeds, 0.0) - speeds
    if len(needed) == 1:
        return np.maximum(needed, 0.0)
    from scipy.optimize import nnls

    size = float(np.abs(needed).max())
    h = needed / size
    values, vectors = np.linalg.eigh(D)
    B = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    y = nnls(np.vstack((B, h)), np.append(np.zeros(len(h)), 1.0))[0]
    residual = 1.0 - float(h @ y)
    if residual <= 1e-14:
        return None
    found = y / residual
    active = found > 1e-12 * found.max(initial=0.0)
    refined = np.zeros(len(h))
    refined[active] = np.linalg.lstsq(D[np.ix_(active, active)], h[active], rcond=1e-13)[0]
    for each in (refined, found):
        gap, limit = D @ each - h, _ROUNDING * max(1.0, float(each.max()))
        if each.min() >= -limit and gap.min() >= -limit and float(np.abs(gap * each).max()) <= limit * each.max():
            return np.asarray(size * np.maximum(each, 0.0))
    return None
