"""The basis of frequencies: independent frequencies, and all others as combinations of them with detunings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from gyrostat.analysis.scales.frequencies import UNIT, Combination, Resonance
from gyrostat.errors import Fault, ModelError
from gyrostat.model.names import did_you_mean

Detuning: TypeAlias = tuple[tuple[int, Combination], ...]
"""By order in the small parameter: a combination of detuning parameters."""


@dataclass(frozen=True)
class FrequencyBasis:
    """Independent base frequencies, and the frequencies that resonances relate to them.

    Equal frequencies are equal vectors, so that secular terms are found without tolerances.

    >>> resonances = [Resonance("w2", "2*w1", detuning="s"), Resonance.of("Omega=w2")]
    >>> basis = FrequencyBasis.of(["w1", "w2", "Omega"], resonances)
    >>> basis.names, basis.vector(Combination.of("Omega - w1")), basis.detuning(Combination.of("Omega - w1"))
    (('w1',), w1, ((1, s),))
    """

    names: tuple[str, ...]
    resonances: tuple[Resonance, ...]
    leading: Mapping[str, Combination]
    detunings: Mapping[str, Detuning]

    @staticmethod
    def of(frequencies: Iterable[str], resonances: Iterable[Resonance]) -> FrequencyBasis:
        """Resolve resonances; each may refer to frequencies that other resonances determine."""
        known = tuple(dict.fromkeys(frequencies))
        declared = {resonance.frequency: resonance for resonance in resonances}
        _check(known, tuple(resonances))
        leading: dict[str, Combination] = {}
        detunings: dict[str, Detuning] = {}

        def resolve(name: str, pending: tuple[str, ...]) -> None:
            if name in leading:
                return
            if name in pending:
                circle = " → ".join((*pending[pending.index(name) :], name))
                raise ModelError(Fault(f"resonance of {name!r}", f"is circular: {circle}.", "Leave one of them out."))
            resonance = declared.get(name)
            if resonance is None:
                leading[name], detunings[name] = Combination(((name, Fraction(1)),)), ()
                return
            for other in resonance.near.names:
                resolve(other, (*pending, name))
            leading[name] = resonance.near.written_in(leading)
            own = [(resonance.order, Combination.of({resonance.detuning: 1}))] if resonance.detuning else []
            detunings[name] = _collected([*own, *_detuning(resonance.near, detunings)])

        for name in known:
            resolve(name, ())
        names = tuple(name for name in known if name not in declared)
        return FrequencyBasis(names, tuple(declared.values()), leading, detunings)

    @property
    def detuning_names(self) -> tuple[str, ...]:
        """The names of the detuning parameters."""
        return tuple(dict.fromkeys(r.detuning for r in self.resonances if r.detuning))

    def vector(self, frequency: Combination) -> Combination:
        """Return a frequency in base frequencies, detuning left out."""
        return frequency.written_in(self.leading)

    def detuning(self, frequency: Combination) -> Detuning:
        """Return the detuning of a frequency from its vector."""
        return _collected(_detuning(frequency, self.detunings))

    def values(self, values: Mapping[str, float], small: float | None, name_of_small: str = "eps") -> dict[str, float]:
        """Return numbers for all frequencies and detunings that follow from those known.

        With a value for the small parameter, a declared frequency follows from its detuning, or the detuning from the
        frequency.
        """
        known = dict(values)
        if small is not None:
            known[name_of_small] = small
        for resonance in _in_order(self.resonances):
            near = resonance.near.value(known)
            if near is None:
                continue
            if resonance.detuning is None:
                known[resonance.frequency] = near
            elif resonance.detuning in known:
                if small is not None:
                    known[resonance.frequency] = near + small**resonance.order * known[resonance.detuning]
            elif resonance.frequency in known and small:
                known[resonance.detuning] = (known[resonance.frequency] - near) / small**resonance.order
        return known


def _in_order(resonances: tuple[Resonance, ...]) -> list[Resonance]:
    """Sort resonances so that each comes after those that determine its frequencies."""
    declared = {resonance.frequency: resonance for resonance in resonances}
    done: dict[str, Resonance] = {}

    def visit(resonance: Resonance) -> None:
        for name in resonance.near.names:
            if name in declared and name not in done:
                visit(declared[name])
        done[resonance.frequency] = resonance

    for resonance in resonances:
        visit(resonance)
    return list(done.values())


def _detuning(frequency: Combination, detunings: Mapping[str, Detuning]) -> list[tuple[int, Combination]]:
    return [
        (order, part * factor)
        for name, factor in frequency.parts
        if name != UNIT
        for order, part in detunings.get(name, ())
    ]


def _collected(parts: list[tuple[int, Combination]]) -> Detuning:
    total: dict[int, Combination] = {}
    for order, part in parts:
        total[order] = total.get(order, Combination()) + part
    return tuple(sorted((order, part) for order, part in total.items() if part))


def _check(known: tuple[str, ...], resonances: tuple[Resonance, ...]) -> None:
    faults: list[Fault] = []
    seen: set[str] = set()
    for resonance in resonances:
        if resonance.frequency in seen:
            faults.append(Fault(f"resonance {resonance}", "is declared beside another of the same frequency.", ""))
        seen.add(resonance.frequency)
        for name in (resonance.frequency, *resonance.near.names):
            if name not in known:
                hint = did_you_mean(name, known)
                faults.append(Fault(f"resonance {resonance}", f"names {name!r}, which is no frequency here.", hint))
    if faults:
        raise ModelError(faults, "The resonances cannot be used:")
