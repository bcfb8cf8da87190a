"""Near resonances by numbers: small divisors of the expansion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gyrostat.analysis.scales.coefficients import CoefficientReader
from gyrostat.analysis.scales.expansion import PerturbationExpansion
from gyrostat.analysis.scales.frequencies import Combination, Resonance
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.refusals import relation


@dataclass(frozen=True)
class NearResonance:
    """An excitation frequency that differs from the oscillator's by the relative `distance`."""

    oscillator: str
    force: Combination
    natural: Combination
    distance: float
    resonance: Resonance | None
    """The resonance to declare; None for frequencies without names."""

    def __str__(self) -> str:
        return (
            f"oscillator {self.oscillator!r} is forced with the frequency {self.force}, which differs from its own, "
            f"{self.natural}, by {100 * self.distance:.2g} %"
        )


def near_resonances(
    expansion: PerturbationExpansion, values: Mapping[str, float], nearness: float
) -> Iterator[NearResonance]:
    """Yield undeclared near resonances, nearest first, of frequencies with values."""
    problem = expansion.problem
    found: dict[object, NearResonance] = {}
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
            key = resonance or (force, natural)
            if key not in found or found[key].distance > distance:
                found[key] = NearResonance(oscillator.name, force, natural, distance, resonance)
    yield from sorted(found.values(), key=lambda near: (near.distance, str(near)))


def exact_ratios(problem: Oscillators) -> Iterator[Resonance]:
    """Yield exact relations between natural frequencies: ratios of their squares that are rational squares.

    >>> list(exact_ratios(Oscillators("m*x'' + k*x = eps*y**2", "m*y'' + 4*k*y = eps*x**2")))
    [omega_y = 2*omega_x]
    """
    defined = [o for o in problem.oscillators if o.square is not None]
    reader = CoefficientReader([o.square for o in defined])
    squares = [reader(o.square) for o in defined]
    for j, other in enumerate(defined):
        for i, oscillator in enumerate(defined[:j]):
            root = (squares[j] / squares[i]).square_root()
            ratio = None if root is None else root.rational()
            if ratio is not None:
                yield Resonance(str(other.frequency), oscillator.frequency * ratio)
                break
