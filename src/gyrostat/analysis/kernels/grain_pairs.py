"""Contacts of grains with each other."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.grain_law import end_contact, load_contact
from gyrostat.analysis.kernels.grain_tables import (
    COUNT,
    DEEPEST,
    DEPTH,
    DISSIPATED,
    ELASTIC,
    FORCE,
    LOAD,
    LOST,
    MASS,
    MOMENT,
    NORMAL,
    OMEGA,
    RADIUS,
    SPIN,
    STIFFEST,
    STORED,
    SUM_FORCE,
    TANGENT,
    VELOCITY,
    GrainMotion,
    GrainTables,
)
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.program.translation import kernel


@kernel
def load_grain_pairs(tables: GrainTables, dt: float) -> None:
    """Add forces and moments of all contacts between grains."""
    grains, lists, touch, sums = tables.grains, tables.lists, tables.touch, tables.sums
    x, radii, law = grains.x, grains.radii, tables.laws[0]
    for i in range(radii.size):
        for k in range(lists.start[i], lists.start[i + 1]):
            j = lists.near[k]
            dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
            squared = dx * dx + dy * dy + dz * dz
            reach = radii[i] + radii[j]
            memory = lists.memory[k]
            if squared >= reach * reach:
                if memory[TANGENT] > 0.0:
                    sums[DISSIPATED] += end_contact(memory)
                continue
            distance = math.sqrt(squared)
            touch[NORMAL], touch[NORMAL + 1], touch[NORMAL + 2] = dx / distance, dy / distance, dz / distance
            touch[DEPTH] = reach - distance
            touch[RADIUS] = radii[i] * radii[j] / reach
            touch[MASS] = grains.masses[i] * grains.masses[j] / (grains.masses[i] + grains.masses[j])
            arm = distance / reach
            _approach(grains, touch, i, j, arm)
            stiffness = load_contact(touch, memory, law, dt)
            _add(grains, touch, i, j, arm)
            add_sums(sums, touch, stiffness)


@kernel
def _approach(grains: GrainMotion, touch: Floats, i: int, j: int, arm: float) -> None:
    """Set relative velocities of two grains; the point of contact divides their distance by the radii."""
    v, w = grains.v, grains.w
    nx, ny, nz = touch[NORMAL], touch[NORMAL + 1], touch[NORMAL + 2]
    a, b = arm * grains.radii[i], arm * grains.radii[j]
    sx, sy, sz = a * w[i, 0] + b * w[j, 0], a * w[i, 1] + b * w[j, 1], a * w[i, 2] + b * w[j, 2]
    touch[VELOCITY] = v[i, 0] - v[j, 0] + sy * nz - sz * ny
    touch[VELOCITY + 1] = v[i, 1] - v[j, 1] + sz * nx - sx * nz
    touch[VELOCITY + 2] = v[i, 2] - v[j, 2] + sx * ny - sy * nx
    touch[OMEGA], touch[OMEGA + 1], touch[OMEGA + 2] = w[i, 0] - w[j, 0], w[i, 1] - w[j, 1], w[i, 2] - w[j, 2]
    about = 0.5 * ((w[i, 0] + w[j, 0]) * nx + (w[i, 1] + w[j, 1]) * ny + (w[i, 2] + w[j, 2]) * nz)
    touch[SPIN], touch[SPIN + 1], touch[SPIN + 2] = about * nx, about * ny, about * nz


@kernel
def _add(grains: GrainMotion, touch: Floats, i: int, j: int, arm: float) -> None:
    """Add the loads of a contact to both grains."""
    force = grains.force
    nx, ny, nz = touch[NORMAL], touch[NORMAL + 1], touch[NORMAL + 2]
    fx, fy, fz = touch[FORCE], touch[FORCE + 1], touch[FORCE + 2]
    a, b = arm * grains.radii[i], arm * grains.radii[j]
    mx, my, mz = ny * fz - nz * fy, nz * fx - nx * fz, nx * fy - ny * fx
    force[i, 0] += fx
    force[i, 1] += fy
    force[i, 2] += fz
    force[j, 0] -= fx
    force[j, 1] -= fy
    force[j, 2] -= fz
    force[i, 3] += a * mx + touch[MOMENT]
    force[i, 4] += a * my + touch[MOMENT + 1]
    force[i, 5] += a * mz + touch[MOMENT + 2]
    force[j, 3] += b * mx - touch[MOMENT]
    force[j, 4] += b * my - touch[MOMENT + 1]
    force[j, 5] += b * mz - touch[MOMENT + 2]


@kernel
def add_sums(sums: Floats, touch: Floats, stiffness: float) -> None:
    """Add a contact to the sums over contacts."""
    sums[COUNT] += 1.0
    sums[SUM_FORCE] += touch[LOAD]
    sums[ELASTIC] += touch[STORED]
    sums[DISSIPATED] += touch[LOST]
    sums[DEEPEST] = max(sums[DEEPEST], touch[DEPTH] / touch[RADIUS])
    sums[STIFFEST] = max(sums[STIFFEST], stiffness / touch[MASS])
