"""Resonances found in numbers: frequencies that force an oscillator come near its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gyrostat.analysis.scales.combination import Combination
from gyrostat.analysis.scales.expansion import Expansion
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.resonance import Resonance


@dataclass(frozen=True)
class NearResonance:
    """An oscillator is forced with a frequency that differs from its own by `distance` relative to it."""

    oscillator: str
    force: Combination
    natural: Combination
    distance: float
    resonance: Resonance

    def __str__(self) -> str:
        return (
            f"oscillator {self.oscillator!r} is forced with the frequency {self.force}, which differs from its own, "
            f"{self.natural}, by {100 * self.distance:.2g} %"
        )


def near_resonances(expansion: Expansion, values: Mapping[str, float], nearness: float) -> Iterator[NearResonance]:
    """Yield what is near a resonance that is not declared, nearest first; as far as frequencies have values."""
    problem = expansion.problem
    found: dict[Resonance, NearResonance] = {}
    for k, vector in expansion.divisors:
        oscillator = problem.oscillators[k]
        natural = expansion.basis.vector(oscillator.frequency)
        force_value, own = vector.value(values), natural.value(values)
        if force_value is None or own is None or not own:
            continue
        force = vector if force_value >= 0 else -vector
        distance = abs(abs(force_value) - own) / own
        if distance <= nearness and force != natural:
            resonance = relation(problem, force, natural)
            if resonance is not None and (resonance not in found or found[resonance].distance > distance):
                found[resonance] = NearResonance(oscillator.name, force, natural, distance, resonance)
    yield from sorted(found.values(), key=lambda near: (near.distance, str(near)))


def relation(problem: Oscillators, force: Combination, natural: Combination) -> Resonance | None:
    """Return the resonance force ≈ natural, solved for a forcing frequency, else for the last natural one."""
    difference = force - natural
    forcing = [name for name in difference.names if name in problem.forcing_frequencies]
    names = forcing or [name for o in reversed(problem.oscillators) for name in o.frequency.names if difference[name]]
    if not names:
        return None
    name = names[0]
    near = (Combination.of({name: 1}) * difference[name] - difference) * (1 / difference[name])
    return Resonance(name, near, detuning=f"sigma_{name}")
