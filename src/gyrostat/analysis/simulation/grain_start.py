"""The start of grains: sizes, places, and refusal of those that overlap."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.simulation.grain_laws import granular_step, law_rows
from gyrostat.analysis.simulation.wall_geometry import wall_geometry
from gyrostat.errors import StateError
from gyrostat.model.body import Body
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces.grains import Grains
from gyrostat.model.granular import GranularBed
from gyrostat.scalar import FloatScalars
from gyrostat.system import System

_SPACING, _SCATTER = 2.04, 0.01
"""Distance of places of the lattice, and random displacements along each axis, by the largest radius."""
OVERLAP_LIMIT = 0.1
"""Overlap at the start, by the smaller radius, that is refused."""


def granular_bed(
    system: System, grains: Grains, parameters: Mapping[str, float], state: Mapping[str, Floats]
) -> GranularBed:
    """Return the bed of grains at the start of a simulation, or as a state of an earlier one has it."""
    value = Evaluator(FloatScalars(), parameters.__getitem__)
    choices = np.array([float(value(radius)) for radius in grains.radii])
    density = float(value(grains.density))
    for what, numbers in (("radius", choices), ("density", np.array([density]))):
        if not (numbers > 0).all():
            raise StateError(f"Grains {grains.name!r}: a {what} is {numbers.min():g}. Give a positive number.")
    random = np.random.default_rng(grains.seed)
    positions = _positions(grains, float(choices.max()), value, random)
    radii = random.permutation(np.resize(choices, len(positions)))
    masses = density * 4.0 / 3.0 * np.pi * radii**3
    velocity = np.array([float(x) for x in value.vector(grains.velocity)])
    laws = law_rows(grains, value)
    walls = tuple(wall_geometry(_body(system, name), value) for name in grains.walls)
    gravity = np.array([float(x) for x in value.vector(system.model.gravity)])
    return GranularBed(
        grains.name, radii, masses, positions, np.tile(velocity, (len(positions), 1)), gravity, walls, laws,
        granular_step(grains, laws, radii, masses, value), parameters, state,
    )  # fmt: skip


def _body(system: System, name: str) -> Body:
    body = system.model[name]
    assert isinstance(body, Body), "a checked model has bodies there"
    return body


def _positions(grains: Grains, largest: float, value: Evaluator, random: np.random.Generator) -> Floats:
    """Return given positions, or places of a lattice in the box, layer by layer from its lower end."""
    if grains.positions is not None:
        return np.array(grains.positions, float)
    assert grains.fill is not None, "validated when it was made"
    size = np.array([float(x) for x in value.vector(grains.fill.size)])
    spacing = _SPACING * largest
    numbers = np.maximum(np.floor(size / spacing + 1e-9), 0.0).astype(int)
    room = int(np.prod(numbers))
    count = room if grains.count is None else grains.count
    if not 0 < count <= room:
        edges = " × ".join(f"{x:g}" for x in size)
        raise StateError(
            f"Grains {grains.name!r}: a box of {edges} m has room for {room} grains of radius {largest:g} m, {count} "
            "are asked for. Use a larger box, fewer grains, or smaller ones."
            if count
            else f"Grains {grains.name!r}: a box of {edges} m has no room for a grain of radius {largest:g} m. Use a "
            "larger box."
        )
    z, y, x = np.unravel_index(np.arange(count), numbers[::-1])
    places = np.stack((x, y, z), axis=1) + 0.5
    inside = (places - 0.5 * numbers) * spacing
    inside[:, 2] -= 0.5 * (size[2] - numbers[2] * spacing)
    inside += random.uniform(-_SCATTER, _SCATTER, inside.shape) * largest
    placement = grains.fill.placement(value)
    rotation = np.array(placement.R_BS, float)
    found: Floats = inside @ rotation.T + np.array([float(x) for x in placement.r_BS_B])
    return found
