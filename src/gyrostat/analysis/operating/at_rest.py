"""Systems with delays and sampled blocks at rest, or in steady motion.

There a delayed value is the value of its signal, and a sample changes nothing: it gives the value that is held. Both
conditions are those of a state with the rate ẋ = new value − x: settling blocks take their places in the search.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gyrostat.analysis.operating.settling_block import SettlingBlock
from gyrostat.analysis.operating.task import without_linear_model
from gyrostat.analysis.variations.flow import flow_at
from gyrostat.analysis.variations.operating_point import OperatingKind, OperatingPoint, point_of
from gyrostat.analysis.variations.sampled_flow import sampled_multipliers
from gyrostat.analysis.variations.stability import Stability, Verdict
from gyrostat.analysis.variations.stability_criteria import stability_of_multipliers
from gyrostat.analysis.variations.steady_flow import steady_flow
from gyrostat.coordinates.row import StateParts
from gyrostat.model.states import Delay, Sampled
from gyrostat.system import System, choice_to_plain, formulate_as

_CIRCLE_TOLERANCE = 1e-7
"""Distance from the unit circle that counts as zero: double eigenvalues are split by the root of the rounding error."""


def _timed(system: System) -> list[Delay | Sampled]:
    return [block for block in system.model.states.values() if isinstance(block, Delay | Sampled)]


def at_rest(system: System) -> System:
    """Return the system with settling blocks in the places of delays and sampled blocks, or itself without these.

    Its states at rest, and in steady motion, are those of the original system; its motions are not.
    """
    blocks = _timed(system)
    if not blocks:
        return system
    model = system.model.flattened()
    for block in blocks:
        model.replace(SettlingBlock.of(block))
    return formulate_as(model, choice_to_plain(system))


def in_original(system: System, point: OperatingPoint) -> OperatingPoint:
    """Return an operating point of `at_rest(system)` as one of the system itself, with its stability."""
    blocks = _timed(system)
    if not blocks:
        return point
    delayed = {block.name: point.states[block.name] for block in blocks if isinstance(block, Delay)}
    z = np.array([point.states[name] for name in system.state_names])
    found = point_of(
        system,
        StateParts(point.q, point.u, z),
        t=point.t,
        parameters=point.parameters,
        inputs={**point.inputs, **delayed},
        kind=point.kind,
    )
    others = tuple(in_original(system, other) for other in point.others)
    return replace(found, stability=_stability(found, delayed), others=others, notes=point.notes)


def _stability(point: OperatingPoint, delayed: dict[str, float]) -> Stability:
    """Return the stability by the motion from sample to sample; delays leave it undecided."""
    if delayed:
        names = ", ".join(map(repr, delayed))
        reason = f"it is not examined with the delay of {names}; linearize(…, delay=gs.Pade(3)) approximates it."
        return Stability(Verdict.UNDECIDED, reason)
    undefined = without_linear_model(point)
    if undefined is not None:
        return undefined
    flow = moved = flow_at(point)
    if point.kind is not OperatingKind.EQUILIBRIUM:
        steady = steady_flow(flow)
        if not steady.constant:
            return Stability(Verdict.UNDECIDED, "coefficients of the linear motion change along it.")
        moved = steady.flow
    values = sampled_multipliers(flow, moved.state_rates[:, : moved.states])
    return stability_of_multipliers(values, on_circle=_CIRCLE_TOLERANCE, at_one=_CIRCLE_TOLERANCE)
