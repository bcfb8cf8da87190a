"""Newton's and Poisson's hypotheses with friction, for any number of contacts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.events.contact_set import ContactSet
from gyrostat.analysis.events.coulomb import CoulombProblem
from gyrostat.analysis.events.impact_law import ImpactLaw
from gyrostat.coordinates.arguments import Floats

ENERGY_GAIN_TOLERANCE = 1e-11
"""Gain of energy, relative to the energies exchanged, that counts as rounding."""
_BISECTIONS = 50
_SMALLEST_FACTOR = 1e-3
"""Factor of restitution below which it counts as zero."""


@dataclass(frozen=True)
class RestitutionReduction:
    """The factor by which coefficients of restitution were reduced, 1 for none, and the reason."""

    factor: float
    jammed: bool = False
    """Whether no impulses satisfy the law; otherwise energy would be gained."""


FULL_RESTITUTION = RestitutionReduction(1.0)


def impulses_by_phases(contacts: ContactSet) -> Floats | None:
    """Return the impulses by Newton's or Poisson's hypothesis at each contact; None where there are none.

    Compression brings the approach to an end: 0 ≤ Λ_C ⊥ γ_C ≥ 0 with Coulomb friction. In expansion, contacts by
    Poisson's hypothesis receive at least e Λ_C: 0 ≤ Λ_E − e Λ_C ⊥ γ_E ≥ 0 (Pfeiffer and Glocker, Multibody Dynamics
    with Unilateral Contacts, 1996). Those by Newton's separate with −e γ_A at least: 0 ≤ Λ ⊥ γ_E + e γ_A ≥ 0, Λ the
    impulse of both phases. The direction of friction is that of the sliding at the end of a phase, for contacts by
    Newton's hypothesis at the end of the impact.
    """
    count = len(contacts.normals)
    zero = np.zeros(count)
    compression = CoulombProblem(contacts, zero, zero).solve()
    if compression is None or not (contacts.restitution > 0.0).any():
        return compression
    poisson = np.array([law is ImpactLaw.POISSON for law in contacts.laws])
    kept = np.where(poisson[contacts.owners], compression, 0.0)
    given = np.where(poisson, contacts.restitution * compression[contacts.normals], 0.0)
    shift = np.where(poisson, 0.0, np.minimum(contacts.restitution * contacts.approach, 0.0))
    expansion = CoulombProblem(contacts.at(contacts.speeds + contacts.D @ kept), given, shift).solve()
    return None if expansion is None else kept + expansion


def impulses_without_gain(contacts: ContactSet) -> tuple[Floats | None, RestitutionReduction]:
    """Return the impulses by Newton's or Poisson's hypothesis, and by how much restitution was reduced.

    It is reduced where energy would be gained: by Newton's hypothesis with friction (Kane's paradox), or by Poisson's
    with several contacts of unequal coefficients. Then all coefficients are multiplied by the factor that conserves
    energy. The same is done where contacts that jam cannot separate as fast as Newton's hypothesis demands. With
    coefficients of zero, energy is lost in any case: Λᵀ (γ_A + γ_C) / 2 = Λᵀ γ_C − Λᵀ D Λ / 2 ≤ 0.
    """
    found = impulses_by_phases(contacts)
    if found is not None and contacts.energy_gain(found) <= ENERGY_GAIN_TOLERANCE:
        return found, FULL_RESTITUTION
    jammed = found is None
    best, low, high = impulses_by_phases(contacts.scaled(0.0)), 0.0, 1.0
    if best is None:
        return None, FULL_RESTITUTION
    for _ in range(_BISECTIONS):
        if high < _SMALLEST_FACTOR:
            break
        middle = 0.5 * (low + high)
        found = impulses_by_phases(contacts.scaled(middle))
        if found is None or contacts.energy_gain(found) > 0.0:
            high = middle
        else:
            best, low = found, middle
    return best, RestitutionReduction(low, jammed)
