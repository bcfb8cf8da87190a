"""The mechanism's own motion, from its compiled equations, in modal coordinates: what certificates compare with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.analysis.integrators import DOP853
from gyrostat.analysis.scales.term import RATE
from gyrostat.analysis.simulation.simulate import simulate
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.scalar.exact import evaluate

if TYPE_CHECKING:
    from gyrostat.analysis.scales.mechanism_record import Mechanism

_CONSISTENT = 1e-9
_FOLLOWS = 1e-7
_RELATIVE, _ABSOLUTE = 1e-12, 1e-14


def scaled_parameters(mechanism: Mechanism, small: float, values: Mapping[str, float]) -> dict[str, float]:
    """Return the mechanism's parameters at a value of ε: small ones are multiplied by their powers of it.

    `values` gives parameters that differ, small ones as they are where ε is one, and frequencies where a detuning
    changes them: natural ones change the parameters that are written by them.
    """
    model = mechanism.system.model
    known = mechanism.values(values)
    found = {name: known[name] for name in model.parameters if known[name] != mechanism.values()[name]}
    natural = {mode.frequency for mode in mechanism.modes.modes if mode.frequency}
    tuned = {**known, **{name: value for name, value in values.items() if name in natural}}
    for name, formula in mechanism.modes.eliminated.items():
        value = evaluate(formula, tuned)
        if abs(value - known[name]) > _CONSISTENT * abs(known[name]):
            found[name] = tuned[name] = value
    _check_frequencies(mechanism, mechanism.values(found), values, natural)
    return found | {name: known[name] * mechanism.ordering.scale(name, small) for name in mechanism.ordering.powers}


def _check_frequencies(
    mechanism: Mechanism, own: Mapping[str, float], values: Mapping[str, float], natural: set[str]
) -> None:
    """Refuse detunings that no parameter can follow."""
    for name in (natural | mechanism.tokens.keys()) & values.keys():
        if abs(own[name] - values[name]) > _FOLLOWS * abs(own[name]):
            raise StateError(
                f"The frequency {name} would have to be {values[name]:.6g} instead of {own[name]:.6g} at this ε, and "
                "no parameter stands for it alone. Choose parameters for which the resonance is exact, and declare it "
                f'as such: "{name} = …".'
            )


def reference_motion(
    mechanism: Mechanism, small: float, times: Floats, initial: Mapping[str, float], values: Mapping[str, float]
) -> Floats:
    """Return the oscillators' positions (oscillators × times) from the mechanism's equations, at a value of ε.

    Oscillators without stiffness drift, and have their speeds in place of positions.
    `initial` has positions and rates of order one; the mechanism starts from ε^amplitude times them.
    """
    parameters = scaled_parameters(mechanism, small, values)
    known = mechanism.values(parameters)
    modes = mechanism.modes.modes
    start = {mode.name + suffix: initial.get(mode.name + suffix, 0.0) for mode in modes for suffix in ("", RATE)}
    run = simulate(
        mechanism.system,
        times=times,
        initial=_start(mechanism, mechanism.coordinates(start, known, small), {**mechanism.parameters, **parameters}),
        inputs=mechanism.inputs,
        parameters={**mechanism.parameters, **parameters},
        integrator=DOP853(rtol=_RELATIVE, atol=_ABSOLUTE),
        progress=False,
    )
    if not run.status.success:
        status = run.status
        raise StateError(
            f"The mechanism could not be simulated for the comparison beyond t = {status.time:g} s: "
            f"{status.outcome.value}. Take smaller motions, or a shorter duration."
        )
    names = mechanism.independent
    centre = np.array([evaluate(mechanism.point.centre[name], known) for name in names])
    shapes = mechanism.shapes(known) * small ** float(mechanism.ordering.amplitude)
    positions = np.linalg.solve(shapes, np.array([run[name].values for name in names]) - centre[:, None])
    speeds = np.linalg.solve(shapes, np.array([run[name + RATE].values for name in names]))
    return np.where(np.array([[mode.is_free] for mode in modes]), speeds, positions)


def _start(mechanism: Mechanism, values: Mapping[str, Floats], parameters: Mapping[str, object]) -> dict[str, float]:
    """Return an initial state that obeys all constraints and has the independent coordinates and rates given."""
    numbers = {name: float(value) for name, value in values.items()}
    for place in mechanism.system.coordinates.euler_parameters.values():
        four = mechanism.names[place : place + 4]
        length = np.linalg.norm([numbers[name] for name in four])
        numbers |= {name: float(numbers[name] / length) for name in four}
    if not mechanism.system.constrained:
        return numbers
    kept = [name + suffix for name in mechanism.independent for suffix in ("", RATE)]
    guess = {name: value for name, value in numbers.items() if name not in kept}
    found = assemble(mechanism.system, {name: numbers[name] for name in kept}, guess=guess, parameters=parameters)
    return found.state
