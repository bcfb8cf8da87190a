"""Overlaps at the start: those of contacts of many pairs, and a position without any."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.assembly.assemble import first_state
from gyrostat.analysis.assembly.overlaps import GapProgram
from gyrostat.analysis.integrators import Moreau
from gyrostat.analysis.kernels.library import list_overlaps
from gyrostat.analysis.simulation.pairs import PairSet
from gyrostat.analysis.simulation.parting import Parting
from gyrostat.analysis.simulation.simulate import simulate
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.model.contacts import HuntCrossley
from gyrostat.model.forces import Contacts
from gyrostat.model.formula import Formula
from gyrostat.program.warning import GyrostatWarning
from gyrostat.system import System, formulate

_ROUNDING = 1e-12
"""Overlaps below this, in sizes of the mechanism, are none."""
_DEPTH_TOLERANCE = 1e-6
"""The depth, in sizes of the mechanism, that may be left."""
_OVERLAP_LIMIT = 1000
"""The largest number of overlaps that are listed."""
_NAMED_LIMIT = 5
"""The number of overlaps that are named, the deepest first."""
_ROUNDS = 5
"""Rounds in which the bodies of contacts of many pairs and of single ones are moved apart."""
_STEPS = 150
"""In each step overlaps shrink by a fifth."""


class Overlap(NamedTuple):
    """Two bodies that overlap."""

    contacts: str
    """The component that describes their contact."""
    a: str
    b: str
    depth: float


def overlaps_at(system: System, state: StateParts, parameters: Mapping[str, object] | None = None) -> list[Overlap]:
    """Return the pairs of bodies that overlap in a state, of all contacts of many pairs, the deepest first."""
    pairs = PairSet.of(system, system.model.values(parameters))
    if pairs is None:
        return []
    row = system.row.of(0.0, state, system.parameter_values(parameters), np.zeros(len(system.inputs)))
    found = np.zeros((_OVERLAP_LIMIT, 3))
    count = list_overlaps(pairs.tables(system.row.state_size).tables, row, found)
    deepest: dict[tuple[str, str, str], float] = {}
    for i, j, depth in found[: min(count, _OVERLAP_LIMIT)].tolist():
        a, b = pairs.shapes[int(i)], pairs.shapes[int(j)]
        if depth > _ROUNDING * system.model_size:
            key = (pairs.groups[a.group].name, a.body, b.body)
            deepest[key] = max(depth, deepest.get(key, 0.0))
    return sorted((Overlap(*key, depth) for key, depth in deepest.items()), key=lambda one: -one.depth)


def pair_overlap_notes(system: System, state: StateParts) -> list[str]:
    """Return notes on the deepest overlaps of contacts of many pairs."""
    found = overlaps_at(system, state)
    notes = [
        f"contacts {one.contacts!r}: {one.a} and {one.b} overlap by {one.depth:.3g} m initially."
        for one in found[:_NAMED_LIMIT]
    ]
    if len(found) > _NAMED_LIMIT:
        notes.append(f"{len(found) - _NAMED_LIMIT} more pairs of bodies overlap, less deep.")
    return notes


def separate(
    model: Model, initial: Mapping[str, object] | None = None, *, parameters: Mapping[str, object] | None = None
) -> dict[str, float]:
    """Return initial values of coordinates at which no bodies of `Contacts`, `Contact` and `RigidContact` overlap.

    Overlapping bodies are moved apart, those of less inertia more, along the normals of their contacts; joints and
    constraints hold. Bodies that do not overlap stay unless others push them.

    >>> import gyrostat as gs
    >>> model = gs.Model("two balls")
    >>> for name, x in (("a", 0.0), ("b", 0.16)):
    ...     ball = model.add(gs.Body(name, gs.sphere(1, 0.1)))
    ...     joint = model.add(gs.Free(f"{name}_motion", "ground", name, initial={"x": x}))
    >>> contacts = model.add(gs.Contacts("c", among=["a", "b"], normal=gs.HuntCrossley(1e6, chi=0.1)))
    >>> start = gs.separate(model)
    >>> [round(start[f"{name}_motion.x"], 6) for name in "ab"]
    [-0.02, 0.18]
    """
    system = formulate(model)
    q = first_state(system, initial, parameters, 0.0).q
    single = GapProgram(system)
    for _ in range(_ROUNDS):
        if _among_many(system, q, parameters):
            q = _stepped_apart(model, system, q, parameters)
        if not single.overlaps(q, parameters):
            break
        q = Parting(system, parameters, single).parted(q)
    _require_apart(system, q, single, parameters)
    return dict(zip(system.coordinate_names, q.tolist(), strict=True))


def _among_many(system: System, q: Floats, parameters: Mapping[str, object] | None) -> list[Overlap]:
    return overlaps_at(system, system.row.mechanical(q, np.zeros(system.coordinates.n_u)), parameters)


def _require_apart(system: System, q: Floats, single: GapProgram, parameters: Mapping[str, object] | None) -> None:
    """Raise an error if bodies still overlap, with the names of two."""
    found = [(f"Contacts {one.contacts!r}", one.a, one.b, one.depth) for one in _among_many(system, q, parameters)]
    found += [(f"Contact {one.name!r}", str(one.a), str(one.b), depth) for one, depth in single.overlaps(q, parameters)]
    head, a, b, depth = max(found, key=lambda one: one[-1], default=("", "", "", 0.0))
    if depth > _DEPTH_TOLERANCE * system.model_size:
        raise StateError(
            f"{head}: {a!r} and {b!r} still overlap by {depth:.3g} m after they were moved apart: there is no room for "
            "them. Give other initial values."
        )


def _stepped_apart(model: Model, system: System, q: Floats, parameters: Mapping[str, object] | None) -> Floats:
    """Return coordinates at which bodies of contacts of many pairs have moved apart, in steps with rigid contacts."""
    given = dict(zip(system.coordinate_names, q.tolist(), strict=True))
    step = 1.0
    with warnings.catch_warnings():  # overlaps that are left count, not the accuracy of the way
        warnings.simplefilter("ignore", GyrostatWarning)
        run = simulate(
            _bare(model), _STEPS * step, step=_STEPS * step, initial=given, parameters=parameters,
            integrator=Moreau(step=step), progress=False,
        )  # fmt: skip
    return np.array([float(run.state[name]) for name in system.coordinate_names])


def _bare(model: Model) -> Model:
    """Return the bodies, joints, constraints and contacts of a model, without gravity, other forces and friction."""
    flat = model.freeze()
    bare = Model(flat.name)
    for name, value in flat.parameters.items():
        bare.set_parameter(name, value)
    for part in (*flat.bodies.values(), *flat.joints.values(), *flat.constraints.values()):
        bare.add(part)
    law = HuntCrossley(Formula.of(1), restitution=Formula.of(0.01), speed=Formula.of(1))
    for force in flat.forces.values():
        if isinstance(force, Contacts):
            bare.add(Contacts(force.name, among=force.among, between=force.between, normal=law, joined=force.joined))
    return bare
