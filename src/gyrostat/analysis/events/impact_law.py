"""Hypotheses on restitution: the relation between the approach in an impact and the separation after it."""

from __future__ import annotations

from enum import Enum

from gyrostat.errors import StateError


class ImpactLaw(Enum):
    """The meaning of the coefficient of restitution e.

    NEWTON: ratio of the normal speeds of separation and approach, γ⁺ = −e γ⁻.
    POISSON: ratio of the normal impulses of expansion and compression, Λ_E = e Λ_C.
    STRONGE: e² is the ratio of the works of the normal impulse in expansion and compression.

    Without friction, the three agree for a single contact.
    """

    NEWTON = "newton"
    POISSON = "poisson"
    STRONGE = "stronge"

    @staticmethod
    def of(value: ImpactLaw | str) -> ImpactLaw:
        """Return a law from itself or from its name."""
        try:
            return ImpactLaw(value.lower() if isinstance(value, str) else value)
        except ValueError:
            known = ", ".join(repr(law.value) for law in ImpactLaw)
            raise StateError(f"Restitution has the law {value!r}. Use one of {known}.") from None
