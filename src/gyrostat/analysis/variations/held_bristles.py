"""Bristles of friction at rest: whether they hold, or their deflection is beyond the limit of friction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from gyrostat.analysis.variations.dynamics import Dynamics
from gyrostat.model.forces import Contact, ForceElement, JointFriction, SheaveContact
from gyrostat.model.friction import FrictionLaw

_ROUNDING = 1e-9
"""By how much a deflection may exceed the limit, relative to it."""
_BRISTLE = ".bristle"


def yielding_bristles(dynamics: Dynamics) -> dict[str, float]:
    """Return the friction at points of contact, or joints, that exceeds what holds at rest, in terms of that limit.

    At rest the rate of a deflection is zero whatever its size, but beyond μ_s/σ₀ the least motion releases the
    bristles, and the bodies slide: such a state is no equilibrium.
    """
    if not len(dynamics.z):
        return {}
    system = dynamics.system
    states = dict(zip(system.state_names, dynamics.z.tolist(), strict=True))
    value = system.model.evaluator(system.model.values(dynamics.parameters))
    found: dict[str, float] = {}
    for force, law in _bristle_laws(system.model.forces):
        if law.holding is None:
            continue
        mu, stiffness = (float(value(one)) for one in law.holding)
        for label, deflection in _deflections(force, states).items():
            limit = mu / stiffness
            if deflection > (1.0 + _ROUNDING) * limit:
                found[label] = deflection / limit if limit else np.inf
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def described(bristles: Mapping[str, float]) -> str:
    """Write the point of contact, or joint, at which friction exceeds its limit most."""
    name, ratio = next(iter(bristles.items()))
    more = f" (and of {len(bristles) - 1} more)" if len(bristles) > 1 else ""
    return (
        f"friction of {name!r}{more} would have to be {ratio:.4g} times its limit at rest, so that the bodies slide. "
        "Give another guess, or a larger mu_static."
    )


def _bristle_laws(forces: Mapping[str, ForceElement]) -> Iterator[tuple[ForceElement, FrictionLaw]]:
    """Yield the force elements that have a friction law with bristles, and the law."""
    for force in forces.values():
        law = force.law if isinstance(force, JointFriction) else None
        if isinstance(force, Contact | SheaveContact):
            law = force.friction
        if law is not None and law.has_bristle:
            yield force, law


def _deflections(force: ForceElement, states: Mapping[str, float]) -> dict[str, float]:
    """Return the sizes of the deflections of an element's bristles by point of contact."""
    squares: dict[str, float] = {}
    for variable in force.state_variables:
        label, found, _ = variable.name.partition(_BRISTLE)
        if found:
            squares[label] = squares.get(label, 0.0) + states[variable.name] ** 2
    return {label: float(np.sqrt(square)) for label, square in squares.items()}
