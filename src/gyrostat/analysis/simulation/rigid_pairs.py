"""Contacts of many pairs that are rigid, as time stepping takes them."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np

from gyrostat.analysis.integrators.moreau import Moreau, stages_of
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.library import rigid_loads
from gyrostat.analysis.kernels.moreau_tables import TWIST, RigidTables
from gyrostat.analysis.kernels.pair_tables import PairKernels, PairTables
from gyrostat.analysis.kernels.problem import Floats, Pairs, Places, Step
from gyrostat.analysis.simulation.pairs import PairSet
from gyrostat.analysis.simulation.state_switches import StateSwitches
from gyrostat.coordinates.row import TIME
from gyrostat.errors import StateError
from gyrostat.model.contacts.restoring_law import RestoringLaw
from gyrostat.model.forces.contacts import Contacts
from gyrostat.model.friction import Coulomb
from gyrostat.model.joints import Free
from gyrostat.model.names import GROUND
from gyrostat.system import System

KERNELS = PairKernels.of("no_pairs")
_SLIGHT = 1e-6
"""Overlaps up to this, in terms of the largest bounding radius, are left."""


def require_rigid(system: System) -> None:
    """Refuse systems that time stepping with rigid contacts does not treat."""
    groups = [force for force in system.kernel_forces if isinstance(force, Contacts)]
    if not groups:
        raise StateError(
            "Moreau steps over rigid contacts, and the model has none of many pairs. Describe them by gs.Contacts, or "
            "use another integrator, such as gs.DOP853()."
        )
    switches = StateSwitches.of(system, {}, momenta=False)
    if switches is not None:
        raise StateError(
            f"Moreau does not treat the law of {switches.owners[0]!r}, which has conditions of the state (where, min, "
            "max, abs, sign, comparisons, or a Contact). Use gs.Contacts for contacts, and laws without conditions."
        )
    for group in groups:
        _require_law(group)


def _require_law(group: Contacts) -> None:
    """Refuse laws without a coefficient of restitution, or with friction other than Coulomb's."""
    normal, name = group.normal, f"Moreau takes the contacts {group.name!r} as rigid"
    if not isinstance(normal, RestoringLaw) or normal.chi is not None:
        raise StateError(
            f"{name} and needs their coefficient of restitution, which the law {type(normal).__name__} does not have. "
            "Use normal=gs.HuntCrossley(stiffness, restitution=…); the stiffness then has no effect."
        )
    if group.friction is not None and not isinstance(group.friction, Coulomb):
        raise StateError(
            f"{name}, with dry friction that sticks; {type(group.friction).__name__} is none. Use "
            "friction=gs.Coulomb(mu, speed=…); the speed then has no effect."
        )
    if group.rolling is not None:
        raise StateError(f"{name} and has no resistance to rolling. Leave rolling=… out, or use gs.DOP853().")


def rigid_tables(pairs: PairSet, parameters: Mapping[str, float], size: int) -> Pairs:
    """Return the tables of a run whose state has a size."""
    plain = pairs.tables(size, rigid=True).tables
    rigid = _TABLE_CACHE.get(pairs) or _TABLE_CACHE.setdefault(pairs, _fixed_tables(pairs, parameters, plain))
    fixed = rigid.pairs.groups
    groups = plain.groups._replace(functions=fixed.functions, point_functions=fixed.point_functions)
    return Pairs(KERNELS, rigid._replace(pairs=plain._replace(groups=groups, rigid=True)))


_TABLE_CACHE: WeakKeyDictionary[PairSet, RigidTables] = WeakKeyDictionary()
"""Tables by sets of pairs, which have values of parameters; `rigid_tables` alone uses it."""


def _fixed_tables(pairs: PairSet, parameters: Mapping[str, float], plain: PairTables) -> RigidTables:
    """Return tables of which kernels only read all but `pairs`."""
    functions = np.zeros_like(plain.groups.functions)
    for place, program in pairs.touch_programs.items():
        functions[place] = program.address
    points = pairs.point_functions(pairs.point_touch_programs)
    system, values = pairs.system, dict(parameters)
    lone = _lone(system)
    loads = np.full(len(system.bodies), -1, np.int64)
    for body, place in zip(plain.shapes.bodies, plain.shapes.loads, strict=True):
        if body >= 0:
            loads[body] = place
    return RigidTables(
        plain._replace(groups=plain.groups._replace(functions=functions, point_functions=points)),
        np.array([_restitution(group, values) for group in pairs.groups]),
        np.array([_friction(group, values) for group in pairs.groups]),
        lone,
        loads,
        _carried(system),
        _mobilities(pairs, parameters, lone, loads),
        _owners(system, lone),
        int(np.flatnonzero(lone >= 0)[0]) if (lone >= 0).any() else -1,
        system.coordinates.n_q,
        system.coordinates.n_u,
        _SLIGHT * float(plain.shapes.radii.max(initial=0.0)),
    )


def _restitution(group: Contacts, values: dict[str, float]) -> float:
    normal = group.normal
    assert isinstance(normal, RestoringLaw), "other laws are refused"
    return 1.0 if normal.restitution is None else float(normal.restitution.value(values))


def _friction(group: Contacts, values: dict[str, float]) -> float:
    return float(group.friction.mu.value(values)) if isinstance(group.friction, Coulomb) else 0.0


def _lone(system: System) -> Places:
    """Return for each body −1 if it moves freely and alone, otherwise its number among the other ones."""
    joints: dict[str, list[bool]] = {name: [] for name in system.bodies}
    for joint in system.model.joints.values():
        ends = joint.parent.body, joint.child.body
        for end in ends:
            if end != GROUND:
                joints[end].append(isinstance(joint, Free) and GROUND in ends)
    coordinates = system.coordinates
    apart = coordinates.are_joint_coordinates and not system.constrained and not coordinates.rotors
    free = [apart and joints[name] == [True] for name in system.bodies]
    return np.where(free, -1, np.cumsum(~np.array(free, bool)) - 1).astype(np.int64)


def _owners(system: System, lone: Places) -> Places:
    """Return for each speed the lone body that it moves, −1 where it moves coupled ones."""
    coordinates, places = system.coordinates, {name: i for i, name in enumerate(system.bodies)}
    found = np.full(coordinates.n_u, -1, np.int64)
    for joint in system.model.joints.values():
        body = joint.child.body if joint.child.body != GROUND else joint.parent.body
        if body != GROUND and lone[places[body]] < 0:
            for speed in joint.speed_names:
                found[coordinates.place_of[speed][1]] = places[body]
    return found


def _carried(system: System) -> Places:
    """Return where in the state the velocity in axes of each rotated body begins, −1 where there is none."""
    coordinates = system.coordinates
    found = []
    for name in coordinates.euler_parameters:
        follows = coordinates.are_joint_coordinates and isinstance(system.model.joints[name], Free)
        found.append(coordinates.n_q + coordinates.place_of[f"{name}.v1"][1] if follows else -1)
    return np.array(found, np.int64)


def _mobilities(pairs: PairSet, parameters: Mapping[str, float], lone: Places, loads: Places) -> Floats:
    """Return the motions of lone bodies in their axes by units of load, from their accelerations."""
    system, count = pairs.system, len(lone)
    found = np.zeros((count, TWIST, TWIST))
    free = np.flatnonzero((lone < 0) & (loads >= 0))
    if not len(free):
        return found
    state = system.row.split(
        np.concatenate((system.initial_coordinates, np.zeros(system.coordinates.n_u + system.row.n_z)))
    )
    row = system.row.of(0.0, state, [parameters[name] for name in system.model.parameters], 0.0)
    rates, motion = system.ready_program("rates"), pairs.motion
    rotations = motion.loop(row[None, :])[0][3 * count : 12 * count].reshape(count, 3, 3)
    n_q, n_u = system.coordinates.n_q, system.coordinates.n_u
    rest = rates.loop(row[None, :])[0][n_q : n_q + n_u]
    for k in range(TWIST):
        loaded = row.copy()
        for body in free:
            axis = rotations[body][:, k % 3]
            start = loads[body] + (0 if k < 3 else 3)
            loaded[start : start + 3] = axis
        moving = row.copy()
        moving[system.row.u] = rates.loop(loaded[None, :])[0][n_q : n_q + n_u] - rest
        moved = motion.loop(moving[None, :])[0]
        for body in free:
            for half, first in enumerate((12 * count, 15 * count)):
                vector = moved[first + 3 * body : first + 3 * body + 3]
                found[body, 3 * half : 3 * half + 3, k] = rotations[body].T @ vector
    return found


def fill_rigid_loads(integrator: Moreau, run: Run, rows: Floats) -> None:
    """Write the loads of contacts at all rows of arguments into them: means over a step from there."""
    equations, memory = run.equations(exponential=True, pivots=True), stages_of(run)
    inputs = slice(run.x.size - rows.shape[1], None) if run.x.size > rows.shape[1] else slice(None)
    load = rigid_loads.bind(integrator.numbers, memory, equations)
    for row in rows:
        run.x[inputs] = row
        y = row[run.state].copy()
        t, h = float(row[TIME]), integrator.step
        step = Step(t, h, t + h, False, y, memory.new, memory.polynomial)
        load(step)
        kept = run.x[inputs].copy()
        kept[run.state], kept[TIME] = y, t
        row[:] = kept
