"""Shapes of modes: displacements of bodies and points, and the shares of bodies and elements in energy and work.

With a right eigenvector x of M ẍ + C ẋ + K x = 0, and m = xᴴM x, c = xᴴC x, k = xᴴK x, the eigenvalue satisfies
m λ² + c λ + k = 0. All three are sums over bodies and elements. The share of an element in k/|λ|²m is its part in the
frequency, its part of c/2|λ|m is its contribution to the damping ratio.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.variations.spectrum import Complexes
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.placement import place_on_body
from gyrostat.kinematics.state import MotionState
from gyrostat.lazy import LaterModule
from gyrostat.model.kinds import End
from gyrostat.signals import AXES
from gyrostat.spatial import MassProperties

if TYPE_CHECKING:
    import xarray

    from gyrostat.analysis.linear.modes import Mode
    from gyrostat.analysis.variations.operating_point import OperatingPoint
else:
    xarray = LaterModule("xarray")

GRAVITY, CONSTRAINTS, INERTIA, ROTORS = "gravity", "constraints", "inertia", "rotors"
"""Contributions beside force elements and bodies; inertia has one in steady motion: centrifugal, gyroscopic."""


def body_motions(mode: Mode) -> tuple[Complexes, Complexes, Floats]:
    """Return displacements of the bodies' frames, their small turns, and their rotations, in world axes.

    Velocities are linear in the speeds; with δθ in their place they are displacements.
    """
    found = mode.linear.flow.variations
    system, point = found.system, found.point
    real, imaginary = mode.motion.real, mode.motion.imag
    speeds = np.stack((np.zeros_like(real), real, imaginary))
    moved = system.body_motion(
        np.broadcast_to(point.q, (3, len(point.q))), speeds, t=point.t, parameters=point.parameters
    )
    shifts = moved.velocities[1] - moved.velocities[0] + 1j * (moved.velocities[2] - moved.velocities[0])
    turns = moved.omegas[1] - moved.omegas[0] + 1j * (moved.omegas[2] - moved.omegas[0])
    return shifts, turns, moved.rotations[0]


def point_motions(mode: Mode) -> xarray.Dataset:
    """Return complex displacements of bodies, points and frames by name, and turns of bodies."""
    system, point = mode.linear.system, mode.linear.point
    shifts, turns, rotations = body_motions(mode)
    value = system.model.evaluator(point.parameters)
    names: list[str] = []
    moved: list[Complexes] = []
    for i, name in enumerate(system.bodies):
        body = system.model.bodies[name]
        for end in (End(name), *(End(name, place) for place in (*body.points, *body.frames))):
            arm = rotations[i] @ place_on_body(system.model, end, value)[1]
            names.append(str(end))
            moved.append(shifts[i] + np.cross(turns[i], arm))
    axes = list(AXES)
    return xarray.Dataset(
        {
            "displacement": (("place", "axis"), np.array(moved)),
            "turn": (("body", "axis"), turns),
        },
        coords={"place": names, "body": list(system.bodies), "axis": axes},
    )


def mode_energy(mode: Mode) -> xarray.Dataset:
    """Return `kinetic` by body, `stiffness` and `damping` by element, normalised as in the module's docstring.

    Of an undamped mode about rest, `kinetic` and `stiffness` each sum up to one.
    """
    found = mode.linear.flow.variations
    x = mode.motion
    if not x.any():
        raise StateError(f"In mode {mode.number} no body moves, so that it has no mechanical energy. Ask another mode.")
    mass = float(np.real(x.conj() @ found.mass @ x))
    rate = abs(mode.eigenvalue) or 1.0
    kinetic = _kinetic(mode)
    if (left := 0.5 * mass - sum(kinetic.values())) > 1e-9 * mass:
        kinetic[ROTORS] = left
    elements = [*found.system.model.forces, GRAVITY, CONSTRAINTS, INERTIA]
    stiffness, damping = _work(mode)
    totals = [float(np.real(x.conj() @ part @ x)) for part in (found.load_by_position, found.load_by_speed)]
    stiffness, damping = (
        np.append(parts, total - parts.sum()) for parts, total in zip((stiffness, damping), totals, strict=True)
    )
    return xarray.Dataset(
        {
            "kinetic": ("body", np.array(list(kinetic.values())) / (0.5 * mass)),
            "stiffness": ("element", _cleaned(stiffness / (rate * rate * mass))),
            "damping": ("element", _cleaned(damping / (2 * rate * mass))),
        },
        coords={"body": list(kinetic), "element": elements},
    )


def _cleaned(values: Floats) -> Floats:
    return np.where(np.abs(values) > 1e-12, values, 0.0)


def _kinetic(mode: Mode) -> dict[str, float]:
    """Return ½ m |v|² + ½ ωᴴ I ω of each body for speeds like the shape."""
    system, point = mode.linear.flow.variations.system, mode.linear.flow.variations.point
    value = system.model.evaluator(point.parameters)
    shifts, turns, rotations = body_motions(mode)
    energies: dict[str, float] = {}
    varying = _varying_masses(point)
    for i, name in enumerate(system.bodies):
        energies[name] = 0.0
        for properties in (system.model.bodies[name].mass_properties(value), *varying.get(name, ())):
            R = rotations[i]
            velocity = shifts[i] + np.cross(turns[i], R @ np.array(properties.com, dtype=float))
            inertia = R @ np.array(properties.inertia, dtype=float) @ R.T
            turning = np.real(turns[i].conj() @ inertia @ turns[i])
            energies[name] += 0.5 * float(properties.mass * np.vdot(velocity, velocity).real + turning)
    return energies


def _varying_masses(point: OperatingPoint) -> dict[str, list[MassProperties]]:
    """Return the masses that vary at an operating point, by the bodies that carry them."""
    system, found = point.system, dict[str, list[MassProperties]]()
    tree = build_mechanism(system.coordinates, system.model.evaluator(point.parameters))
    if tree.varying_masses:
        z = dict(zip(system.state_names, point.z.tolist(), strict=True))
        motion = tree.at(MotionState(point.q.tolist(), point.u.tolist(), point.t, dict(point.inputs), z))
        for element in tree.varying_masses:
            found.setdefault(element.body, []).append(element.properties(motion))
    return found


def _work(mode: Mode) -> tuple[Floats, Floats]:
    """Return Re xᴴK_e x and Re xᴴC_e x for each element e, gravity and constraints."""
    found = mode.linear.flow.variations
    program = found.system.program("element_work")
    real, imaginary = mode.motion.real, mode.motion.imag
    still, no_states = np.zeros_like(real), np.zeros(found.system.row.n_z)
    rows = [
        np.concatenate((found.point.row, virtual, found.loads, _in_coordinates(mode, along), along, no_states))
        for virtual, along in ((real, real), (imaginary, imaginary), (still, real), (still, imaginary))
    ]
    outputs = program.loop(np.array(rows))
    parts = []
    for name in ("by_position", "by_speed"):
        along_real, along_imaginary, base_real, base_imaginary = outputs[:, program.output_slice(name)]
        parts.append(-(along_real - base_real + along_imaginary - base_imaginary))
    return parts[0], parts[1]


def _in_coordinates(mode: Mode, change: Floats) -> Floats:
    """Return N δθ, the change of coordinates."""
    found = mode.linear.flow.variations
    program = found.system.program("rates_of_coordinates")
    row = found.point.row.copy()
    row[found.system.row.u] = change
    return np.asarray(program.loop(row[None, :])[0])
