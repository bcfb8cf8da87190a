"""Speeds that go round: of a motion that is steady, though its speeds are components in axes that turn.

The angular velocity of a disc that rolls in a circle goes round in the disc's own axes, and the velocity of a car in a
turn goes round in the axes of the world. Such a motion is steady if all these vectors turn at constant rates: u̇ = −Γ u,
Γ a sum of generators, one for each axis about which the vectors of a joint or body may turn.
"""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.operating.generators import generators
from gyrostat.coordinates.arguments import Floats
from gyrostat.system import System


def turning_generators(system: System) -> tuple[Floats, ...]:
    """Return the generators: of axes of children with Euler parameters, and of velocities by x, y (and z)."""
    return (*generators(system), *_of_positions(system))


def _of_positions(system: System) -> list[Floats]:
    places = {name: i for i, name in enumerate(system.speed_names)}
    found = []
    for name in places:
        owner, _, last = name.removesuffix(".rate").rpartition(".")
        if last != "x" or not name.endswith(".rate"):
            continue
        vector = [places.get(f"{owner}.{axis}.rate") for axis in "xyz"]
        for first, second in ((0, 1), (1, 2), (2, 0)):
            i, j = vector[first], vector[second]
            if i is not None and j is not None:
                whole = np.zeros((len(places), len(places)))
                whole[i, j], whole[j, i] = 1.0, -1.0
                found.append(whole)
    return found


def turning_rates(system: System, u: Floats, udot: Floats) -> Floats:
    """Return rates for all generators by which u̇ = −Γ u as far as can be, nearest to those of axes that do not spin."""
    options = turning_generators(system)
    columns = np.stack([-option @ u for option in options], axis=1)
    joints = [joint for joint in system.coordinates.euler_parameters if f"{joint}.w1" in system.speed_names]
    still = np.zeros(len(options))
    omegas = [u[system.speed_names.index(f"{joint}.w{k}")] for joint in joints for k in (1, 2, 3)]
    still[: len(omegas)] = -np.array(omegas)
    return np.asarray(still + np.linalg.lstsq(columns, udot - columns @ still, rcond=1e-9)[0])


def turning_of(system: System, u: Floats, udot: Floats) -> Floats | None:
    """Return Γ with u̇ = −Γ u as far as generators can do that; None where speeds are constant."""
    options = turning_generators(system)
    if not options or not udot.any() or not u.any():
        return None
    rates = turning_rates(system, u, udot)
    return np.asarray(sum(rate * option for rate, option in zip(rates, options, strict=True)))
