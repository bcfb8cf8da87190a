"""Laws of grains as kernels take them, and the granular step that they allow."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.kernels.grain_tables import (
    CHI,
    DAMPING,
    DELTA,
    EXPONENT,
    FADE,
    HERTZ,
    KIND,
    LAW,
    MU,
    RATIO,
    REST_SPEED,
    ROLLING,
    ROLLING_DAMPING,
    STIFFNESS,
    TANGENT_DAMPING,
)
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.errors import StateError
from gyrostat.model.contacts import Hertz, HuntCrossley, KelvinVoigt
from gyrostat.model.contacts.restitution import impact_damping
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces.grains import Grains
from gyrostat.model.granular import GranularFriction
from gyrostat.scalar import FloatScalars

_DEPTH = 0.01
"""Depth, by the smallest radius, at which the stiffness of laws k dⁿ determines the step."""
_STEP, _LONGEST_STEP = 0.1, 0.3
"""Granular step by default and at most, by √(m/k) of the lightest grain. A grain between twelve others has a highest
frequency of some 3.5 √(k/m), at which the limit of stability is 0.57 √(m/k)."""
_DAMPED_STEP = 0.5
"""Granular step at most, by m/c of the lightest grain."""


def law_rows(grains: Grains, value: Evaluator) -> Floats:
    """Return the coefficients of the laws between grains and with walls."""
    normal = _normal_row(grains, value)
    wall = grains.friction if grains.wall_friction is None else grains.wall_friction
    return np.array([_with_friction(normal, friction, value) for friction in (grains.friction, wall)])


def _normal_row(grains: Grains, value: Evaluator) -> Floats:
    row, law = np.zeros(LAW), grains.normal
    if isinstance(law, KelvinVoigt):
        row[[KIND, STIFFNESS, EXPONENT]] = 0.0, value(law.stiffness), 1.0
        row[DAMPING] = value(law.damping)
        row[FADE] = 0.0 if law.fade_depth is None else value(law.fade_depth)
        return row
    assert isinstance(law, HuntCrossley | Hertz), "validated when it was made"
    row[KIND], row[REST_SPEED] = 1.0, value(law.rest_speed)
    if isinstance(law, HuntCrossley):
        row[STIFFNESS], row[EXPONENT] = value(law.stiffness), value(law.exponent)
    else:
        row[STIFFNESS], row[EXPONENT], row[HERTZ] = 4.0 / 3.0 * float(law.modulus(value)), 1.5, 1.0
    if law.chi is not None:
        row[CHI] = value(law.chi)
    elif law.restitution is not None:
        delta = float(impact_damping(value(law.restitution), FloatScalars()))
        if law.speed is None:
            row[DELTA] = delta
        else:
            row[CHI] = delta / float(value(law.speed))
    return row


def _with_friction(normal: Floats, friction: GranularFriction | None, value: Evaluator) -> Floats:
    row = normal.copy()
    row[RATIO] = 1.0
    if friction is not None:
        row[MU], row[RATIO] = value(friction.mu), value(friction.stiffness_ratio)
        row[TANGENT_DAMPING], row[ROLLING] = value(friction.damping), value(friction.rolling)
        row[ROLLING_DAMPING] = value(friction.rolling_damping)
    return row


def contact_stiffness(row: Floats, radius: float) -> float:
    """Return the stiffness of a contact of two grains of a radius, by coefficients of its law."""
    scale = row[STIFFNESS] * (np.sqrt(0.5 * radius) if row[HERTZ] else 1.0)
    return float(scale * row[EXPONENT] * (_DEPTH * radius) ** (row[EXPONENT] - 1.0))


def granular_step(grains: Grains, laws: Floats, radii: Floats, masses: Floats, value: Evaluator) -> float:
    """Return the granular step; one that is too long for the stiffness is refused."""
    mass, row = float(masses.min()), laws[0]
    stiffness = contact_stiffness(row, float(radii.min()))
    time = float(np.sqrt(mass / stiffness))
    limit = min(_LONGEST_STEP * time, _DAMPED_STEP * mass / row[DAMPING] if row[DAMPING] > 0 else np.inf)
    if grains.step is None:
        return min(_STEP * time, 0.5 * limit)
    step = float(value(grains.step))
    if not 0.0 < step <= limit:
        raise StateError(
            f"Grains {grains.name!r}: the granular step {step:.3g} s is too long for a stiffness of {stiffness:.3g} "
            f"N/m and grains of {mass:.3g} kg: it may be {limit:.3g} s at most. Leave the step out, or use "
            "softer contacts."
            if step > 0.0
            else f"Grains {grains.name!r}: the granular step is {step:g} s. Give a positive time."
        )
    return step
