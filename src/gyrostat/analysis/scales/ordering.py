"""Ordering: the powers of the small parameter of a mechanism's terms, with reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement

from gyrostat.analysis.scales.frequencies import Combination, Resonance
from gyrostat.analysis.scales.taylor import Grading
from gyrostat.analysis.scales.term import Harmonic
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean

FREQUENCY_DISTANCE = 0.15
"""Relative difference below which frequencies are near each other."""


@dataclass(frozen=True)
class Ordering:
    """Powers of the small parameter; those not given are proposed from the mechanism's equations.

    Coordinates are ε^amplitude × x with x of order one: 1 puts quadratic terms at ε and cubic ones at ε², 1/2 puts
    cubic terms at ε. `damping`, `forcing` (0 is hard forcing) and `parametric` are the powers of ε of these terms in
    the equations of x. `parameters` gives the power for single parameters, also for those that would not be proposed as
    small.

    >>> Ordering(amplitude=1, damping=2, parameters={"F": 2})
    Ordering(amplitude=1, damping=2, parameters={'F': 2})
    """

    amplitude: int | float | Fraction | None = None
    damping: int | None = None
    forcing: int | None = None
    parametric: int | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.amplitude is not None and Fraction(self.amplitude) not in (Fraction(1), Fraction(1, 2)):
            raise StateError(
                f"The ordering's amplitude is {self.amplitude}. Give 1 (quadratic terms at ε), or 1/2 (cubic terms at "
                "ε) where there are none."
            )
        powers = {"damping": self.damping, "forcing": self.forcing, "parametric": self.parametric, **self.parameters}
        for name, power in powers.items():
            least = 0 if name == "forcing" or name in self.parameters else 1
            if power is not None and (int(power) != power or power < least):
                raise StateError(f"The ordering's {name} is {power}. Give a whole power of ε, at least {least}.")

    def __repr__(self) -> str:
        given = {name: getattr(self, name) for name in ("amplitude", "damping", "forcing", "parametric", "parameters")}
        shown = ", ".join(f"{name}={value!r}" for name, value in given.items() if value not in (None, {}))
        return f"Ordering({shown})"


@dataclass(frozen=True)
class Roles:
    """Roles of parameters in the equations about the equilibrium, each with the elements through which it acts."""

    damping: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    direct: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Parameters of external excitation, which acts on the mechanism at rest."""
    parametric: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Parameters of parametric excitation."""
    quadratic: tuple[str, ...] = ()
    """Sources with terms of second degree."""
    static: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Parameters of a constant load on the mechanism at rest that the user declared small."""


@dataclass(frozen=True)
class ChosenOrdering:
    """The ordering that is used: powers of ε for all small parameters, and the reasons in words."""

    amplitude: Fraction
    powers: Mapping[str, int]
    """The power of ε of each small parameter's terms in the equations of coordinates of order one."""
    direct: frozenset[str]
    """The small parameters that act at rest; as physical quantities they are smaller by ε^amplitude."""
    reasons: tuple[str, ...]

    @property
    def grading(self) -> Grading:
        """The ordering in steps."""
        per_order = int(1 / self.amplitude)
        return Grading(per_order, {n: per_order * power + (n in self.direct) for n, power in self.powers.items()})

    def scale(self, name: str, small: float) -> float:
        """Return ε^power for a parameter as a physical quantity, at a value of ε."""
        power = self.powers[name] + (float(self.amplitude) if name in self.direct else 0.0)
        return float(small**power)

    def __str__(self) -> str:
        return "\n".join(self.reasons)


def choose(
    given: Ordering, roles: Roles, parameters: tuple[str, ...], *, primary: bool, strong: bool
) -> ChosenOrdering:
    """Complete an ordering. `primary`: excitation near a natural frequency; `strong`: a resonance by quadratic
    terms at first order, one frequency near twice another or near the sum of two."""
    unknown = [name for name in given.parameters if name not in parameters]
    if unknown:
        raise StateError(
            f"The ordering names {unknown[0]!r}, which is no parameter. {did_you_mean(unknown[0], parameters)}"
        )
    reasons: list[str] = []
    amplitude = _amplitude(given, roles, reasons)
    balance = 1 if amplitude != 1 or (roles.quadratic and strong) else 2
    why = "so that it acts at the same order as the first nonlinear effect"
    if balance == 2 and roles.quadratic:
        why = "as quadratic terms shift frequencies at second order only, and it is to act at the same order"
    powers: dict[str, int] = {}

    def place(
        kind: str, sources_of: Mapping[str, tuple[str, ...]], chosen: int | None, proposed: int, why: str
    ) -> None:
        for name, sources in sources_of.items():
            own = given.parameters.get(name, chosen)
            powers[name] = proposed if own is None else own
            reason = why if own is None else "as given"
            reasons.append(f"{kind} {name} ({_of(sources)}) is of order {_power(powers[name])}, {reason}.")

    place("Damping", roles.damping, given.damping, balance, why)
    near = f"near a natural frequency (soft), {why}" if primary else "hard: it is far from natural frequencies"
    place("Forcing", roles.direct, given.forcing, balance if primary else 0, near)
    place("Parametric excitation", roles.parametric, given.parametric, balance, why)
    for name, power in given.parameters.items():
        if name not in powers:
            powers[name] = power
            reasons.append(f"{name} is of order {_power(power)}, as given.")
    if primary or roles.parametric:
        reasons.append(f"Detuning from a declared resonance is of order {_power(balance)} or smaller.")
    return ChosenOrdering(amplitude, powers, frozenset({*roles.direct, *roles.static} & powers.keys()), tuple(reasons))


def _amplitude(given: Ordering, roles: Roles, reasons: list[str]) -> Fraction:
    if given.amplitude is not None:
        amplitude = Fraction(given.amplitude)
        if amplitude != 1 and roles.quadratic:
            raise StateError(
                f"The ordering's amplitude is 1/2, but terms of second degree ({_of(roles.quadratic)}) would be of "
                "order ε^(1/2) then. Use amplitude=1."
            )
        reasons.append(f"Coordinates are of order ε^{amplitude}, as given.")
        return amplitude
    if roles.quadratic:
        reasons.append(
            f"Coordinates are of order ε: terms of second degree ({_of(roles.quadratic)}) are of order ε then, those "
            "of third degree of order ε²."
        )
        return Fraction(1)
    reasons.append(
        "Coordinates are of order ε^(1/2): there are no terms of second degree, and those of third are of order ε."
    )
    return Fraction(1, 2)


def _of(sources: tuple[str, ...]) -> str:
    return ", ".join(sources)


def _power(power: int) -> str:
    return "1" if power == 0 else "ε" if power == 1 else f"ε^{power}"


def is_primary(
    forcing: Iterable[Harmonic], natural: Sequence[str], values: Mapping[str, float], resonances: Iterable[Resonance]
) -> bool:
    """Tell whether an external excitation has a frequency near a natural one, declared or by its value."""
    near = {each.frequency: each.near for each in resonances}
    for harmonic in forcing:
        frequency = harmonic.frequency
        if any(name in near for name in frequency.names):
            resolved = frequency.written_in(near).written_in(near)
            if any(Combination.of({name: 1}).written_in(near).written_in(near) == resolved for name in natural):
                return True
            continue
        value = frequency.value(values)
        if value is not None and any(abs(value - values[name]) < FREQUENCY_DISTANCE * values[name] for name in natural):
            return True
    return False


def is_strong(natural: Sequence[str], values: Mapping[str, float], resonances: Iterable[Resonance]) -> bool:
    """Tell whether one natural frequency is nearly twice another, or nearly the sum of two others."""
    for each in resonances:
        if {each.frequency, *each.near.names} <= set(natural) and _order(each.frequency, each.near) == 3:
            return True
    for first, second in combinations_with_replacement(natural, 2):
        total = values[first] + values[second]
        if any(
            abs(total - values[name]) < FREQUENCY_DISTANCE * values[name]
            for name in natural
            if name not in (first, second)
        ):
            return True
    return False


def _order(frequency: str, near: Combination) -> int:
    """Return the order of a resonance, the sum of its integer coefficients: three for w2 ≈ 2 w1 and w3 ≈ w1 + w2."""
    relation = Combination.of({frequency: 1}) - near
    common = 1
    for _, factor in relation.parts:
        common = max(common, factor.denominator)
    return int(sum(abs(factor) * common for _, factor in relation.parts))
