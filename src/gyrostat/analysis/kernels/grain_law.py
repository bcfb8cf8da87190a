"""The laws of one contact of a grain: normal force, sliding friction with memory, rolling resistance with memory."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.grain_tables import (
    APPROACH,
    CHI,
    DAMPING,
    DELTA,
    DEPTH,
    EXPONENT,
    FADE,
    FORCE,
    HERTZ,
    KIND,
    LOAD,
    LOST,
    MASS,
    MEMORY,
    MOMENT,
    MU,
    NORMAL,
    OMEGA,
    RADIUS,
    RATIO,
    REST_SPEED,
    ROLLING,
    ROLLING_DAMPING,
    SPIN,
    STIFFNESS,
    STORED,
    TANGENT,
    TANGENT_DAMPING,
    VELOCITY,
)
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.program.translation import kernel

_E = math.e
_ROLLING_STIFFNESS = 2.25
"""Factor of the rolling stiffness k μ_r² R² (Jiang, Yu and Harris 2005)."""


@kernel
def load_contact(touch: Floats, memory: Floats, law: Floats, dt: float) -> float:
    """Evaluate a contact after a step of its memory; return its normal stiffness, force by depth."""
    nx, ny, nz = touch[NORMAL], touch[NORMAL + 1], touch[NORMAL + 2]
    vx, vy, vz = touch[VELOCITY], touch[VELOCITY + 1], touch[VELOCITY + 2]
    depth = touch[DEPTH]
    rate = vx * nx + vy * ny + vz * nz
    if memory[TANGENT] == 0.0:
        memory[APPROACH] = max(rate, 0.0)
    scale = law[STIFFNESS]
    if law[HERTZ] > 0.0:
        scale *= math.sqrt(touch[RADIUS])
    n = law[EXPONENT]
    stiffness = scale
    if n == 1.5:
        stiffness *= math.sqrt(depth)
    elif n != 1.0:
        stiffness *= depth ** (n - 1.0)
    elastic = stiffness * depth
    if law[KIND] > 0.0:
        chi = law[CHI]
        if law[DELTA] > 0.0:
            chi = law[DELTA] / max(memory[APPROACH], law[REST_SPEED])
        load = elastic * max(1.0 + chi * rate, 0.0)
    else:
        damping = law[DAMPING]
        if law[FADE] > 0.0:
            damping *= 1.0 - _E ** (-depth / law[FADE])
        load = max(elastic + damping * rate, 0.0)
    touch[LOAD] = load
    touch[STORED] = elastic * depth / (n + 1.0)
    touch[LOST] = (load - elastic) * rate * dt
    vx -= rate * nx
    vy -= rate * ny
    vz -= rate * nz
    touch[FORCE], touch[FORCE + 1], touch[FORCE + 2] = -load * nx, -load * ny, -load * nz
    touch[VELOCITY], touch[VELOCITY + 1], touch[VELOCITY + 2] = vx, vy, vz
    _slide(touch, memory, law, stiffness, dt)
    if law[ROLLING] > 0.0:
        _roll(touch, memory, law, stiffness, dt)
    else:
        touch[MOMENT], touch[MOMENT + 1], touch[MOMENT + 2] = 0.0, 0.0, 0.0
    return float(stiffness)


@kernel
def _slide(touch: Floats, memory: Floats, law: Floats, stiffness: float, dt: float) -> None:
    """Add sliding friction (Cundall and Strack 1979): a spring with a damper, up to μ times the normal load."""
    tangent = law[RATIO] * stiffness
    limit = law[MU] * touch[LOAD]
    vx, vy, vz = touch[VELOCITY], touch[VELOCITY + 1], touch[VELOCITY + 2]
    _turn(touch, memory, 0, dt)
    zx, zy, zz = memory[0], memory[1], memory[2]
    touch[LOST] += 0.5 * (memory[TANGENT] - tangent) * (zx * zx + zy * zy + zz * zz)  # of a spring that changes
    memory[TANGENT] = tangent
    zx, zy, zz = zx + vx * dt, zy + vy * dt, zz + vz * dt
    size = math.sqrt(zx * zx + zy * zy + zz * zz)
    if tangent * size > limit:
        part = limit / (tangent * size)
        touch[LOST] += limit * (1.0 - part) * size  # slip under the limiting force
        zx, zy, zz = zx * part, zy * part, zz * part
        fx, fy, fz = tangent * zx, tangent * zy, tangent * zz
        size *= part
    else:
        damping = 2.0 * law[TANGENT_DAMPING] * math.sqrt(tangent * touch[MASS])
        fx, fy, fz = tangent * zx + damping * vx, tangent * zy + damping * vy, tangent * zz + damping * vz
        whole = math.sqrt(fx * fx + fy * fy + fz * fz)
        if whole > limit:
            part = limit / whole
            fx, fy, fz = fx * part, fy * part, fz * part
        touch[LOST] += ((fx - tangent * zx) * vx + (fy - tangent * zy) * vy + (fz - tangent * zz) * vz) * dt
    memory[0], memory[1], memory[2] = zx, zy, zz
    touch[STORED] += 0.5 * tangent * size * size
    touch[FORCE] -= fx
    touch[FORCE + 1] -= fy
    touch[FORCE + 2] -= fz


@kernel
def _roll(touch: Floats, memory: Floats, law: Floats, stiffness: float, dt: float) -> None:
    """Set the moment against rolling (Ai et al. 2011, model C): a spring with a damper, up to μ_r R times the load."""
    nx, ny, nz = touch[NORMAL], touch[NORMAL + 1], touch[NORMAL + 2]
    wx, wy, wz = touch[OMEGA], touch[OMEGA + 1], touch[OMEGA + 2]
    about = wx * nx + wy * ny + wz * nz
    wx, wy, wz = wx - about * nx, wy - about * ny, wz - about * nz
    arm = law[ROLLING] * touch[RADIUS]
    rolling, limit = _ROLLING_STIFFNESS * stiffness * arm * arm, arm * touch[LOAD]
    _turn(touch, memory, 3, dt)
    rx, ry, rz = memory[3] + wx * dt, memory[4] + wy * dt, memory[5] + wz * dt
    size = math.sqrt(rx * rx + ry * ry + rz * rz)
    mx, my, mz = rolling * rx, rolling * ry, rolling * rz
    if rolling * size > limit:
        part = limit / (rolling * size)
        touch[LOST] += limit * (1.0 - part) * size
        rx, ry, rz = rx * part, ry * part, rz * part
        mx, my, mz = mx * part, my * part, mz * part
        size *= part
    else:
        inertia = 1.4 * touch[MASS] * touch[RADIUS] * touch[RADIUS]  # about the point of contact
        damping = 2.0 * law[ROLLING_DAMPING] * math.sqrt(rolling * inertia)
        mx, my, mz = mx + damping * wx, my + damping * wy, mz + damping * wz
        touch[LOST] += damping * (wx * wx + wy * wy + wz * wz) * dt
    memory[3], memory[4], memory[5] = rx, ry, rz
    touch[STORED] += 0.5 * rolling * size * size
    touch[MOMENT], touch[MOMENT + 1], touch[MOMENT + 2] = -mx, -my, -mz


@kernel
def _turn(touch: Floats, memory: Floats, at: int, dt: float) -> None:
    """Turn a deflection with the axes of its memory, and into the present tangent plane."""
    nx, ny, nz = touch[NORMAL], touch[NORMAL + 1], touch[NORMAL + 2]
    ax, ay, az = touch[SPIN] * dt, touch[SPIN + 1] * dt, touch[SPIN + 2] * dt
    zx, zy, zz = memory[at], memory[at + 1], memory[at + 2]
    zx, zy, zz = zx + ay * zz - az * zy, zy + az * zx - ax * zz, zz + ax * zy - ay * zx
    off = zx * nx + zy * ny + zz * nz
    memory[at], memory[at + 1], memory[at + 2] = zx - off * nx, zy - off * ny, zz - off * nz


@kernel
def end_contact(memory: Floats) -> float:
    """Forget a contact that has opened; return the energy that its tangential spring gave up."""
    lost = 0.5 * memory[TANGENT] * (memory[0] * memory[0] + memory[1] * memory[1] + memory[2] * memory[2])
    for k in range(MEMORY):
        memory[k] = 0.0
    return float(lost)
