"""The symbolic state: a system whose time, state, parameters and inputs are symbols of the traced engine."""

from __future__ import annotations

from typing import Any

from gyrostat.coordinates import Coordinates
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.state import MotionState
from gyrostat.model.evaluator import Evaluator
from gyrostat.recipes.calculus import TracedCalculus
from gyrostat.recipes.trace import Trace
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.locked import LockedScalars, SwitchRecord
from gyrostat.scalar.structure import TracedStructure
from gyrostat.scalar.traced import TracedScalars, as_sx, symbols


def begin_trace(coordinates: Coordinates, softness: float = 0.0, *, locked: bool = False) -> Trace:
    """Return a system at a symbolic state; with `locked`, conditions of laws are recorded and replaced by modes."""
    model = coordinates.topology.model
    inputs = model.inputs
    sizes = {
        **coordinates.row.sizes,
        "udot": coordinates.n_u,
        "seed_q": coordinates.n_q,
        "seed_u": coordinates.n_u,
        "seed_z": coordinates.row.n_z,
    }
    columns: dict[str, Any] = {}
    entries: dict[str, list[Scalar]] = {}
    formed: list[Any] = []
    for name, size in sizes.items():
        columns[name], entries[name] = symbols(name, size, formed)
    values = dict(zip(model.parameters, entries["parameters"], strict=True))
    record = None
    scalars: Scalars = TracedScalars()
    if locked:
        fixed = [as_sx(symbol) for name in ("t", "parameters") for symbol in entries[name]]
        record = SwitchRecord(TracedStructure(fixed), scalars)
        scalars = LockedScalars(record)
    tree = build_mechanism(coordinates, Evaluator(scalars, values.__getitem__))
    state = MotionState(
        entries["q"],
        entries["u"],
        entries["t"][0],
        dict(zip(inputs, entries["inputs"], strict=True)),
        dict(zip(coordinates.state_names, entries["z"], strict=True)),
    )
    return Trace(columns, tree.at(state), entries["udot"], TracedCalculus(), softness, formed, record)
