"""Which frequencies lie near each other: what the proposed ordering depends on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations_with_replacement

from gyrostat.analysis.scales.combination import Combination
from gyrostat.analysis.scales.resonance import Resonance
from gyrostat.analysis.scales.term import Harmonic

NEAR = 0.15
"""Frequencies that differ by less than this part count as near each other."""


def is_primary(
    forcing: Iterable[Harmonic], natural: Sequence[str], values: Mapping[str, float], resonances: Iterable[Resonance]
) -> bool:
    """Tell whether a harmonic that acts at rest has a frequency near a natural one, declared or else by its value."""
    near = {each.frequency: each.near for each in resonances}
    for harmonic in forcing:
        frequency = harmonic.frequency
        if any(name in near for name in frequency.names):
            resolved = frequency.written_in(near).written_in(near)
            if any(Combination.of({name: 1}).written_in(near).written_in(near) == resolved for name in natural):
                return True
            continue
        value = frequency.value(values)
        if value is not None and any(abs(value - values[name]) < NEAR * values[name] for name in natural):
            return True
    return False


def is_strong(natural: Sequence[str], values: Mapping[str, float], resonances: Iterable[Resonance]) -> bool:
    """Tell whether one natural frequency is twice another, or the sum of two others, nearly."""
    for each in resonances:
        if {each.frequency, *each.near.names} <= set(natural) and _order(each.frequency, each.near) == 3:
            return True
    for first, second in combinations_with_replacement(natural, 2):
        total = values[first] + values[second]
        if any(abs(total - values[name]) < NEAR * values[name] for name in natural if name not in (first, second)):
            return True
    return False


def _order(frequency: str, near: Combination) -> int:
    """Return how many quanta a resonance joins: w2 ≈ 2 w1 and w3 ≈ w1 + w2 join three."""
    relation = Combination.of({frequency: 1}) - near
    common = 1
    for _, factor in relation.parts:
        common = max(common, factor.denominator)
    return int(sum(abs(factor) * common for _, factor in relation.parts))
