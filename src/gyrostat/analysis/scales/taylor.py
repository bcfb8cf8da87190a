"""Expansion of a mechanism's exact equations about a point, graded by powers of the small parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from gyrostat.analysis.scales.excitation import Excitation
from gyrostat.analysis.scales.mechanism_loads import GRAVITY, INERTIA, MechanismLoads
from gyrostat.analysis.scales.term import ACCELERATION, RATE, Harmonic
from gyrostat.errors import Fault, GyrostatError, ModelError
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, ExactRing, Expansion
from gyrostat.scalar.exact.branches import Sign
from gyrostat.scalar.exact.element import settled
from gyrostat.scalar.exact.taylor import Series

Powers: TypeAlias = tuple[int, ...]
"""Exponents of coordinates, then of their rates, then of their accelerations."""


@dataclass(frozen=True)
class Grading:
    """Grades of variables and parameters: a coordinate has grade one, `per_order` grades are one power of ε.

    A term of grade 1 is linear; one of grade 1 + per_order is one power of ε smaller.
    """

    per_order: int = 1
    parameters: Mapping[str, int] = field(default_factory=dict)
    """Grades of small parameters; all others have grade zero."""

    def highest(self, order: int) -> int:
        """Return the grade of the smallest terms that count at an order."""
        return 1 + self.per_order * order


@dataclass(frozen=True)
class GradedTerm:
    """coefficient × monomial × harmonic in one equation, on its left-hand side, with its grade and its source."""

    equation: int
    grade: int
    powers: Powers
    harmonic: Harmonic | None
    coefficient: Scalar
    source: str

    @property
    def degree(self) -> int:
        """The total degree in coordinates and their derivatives."""
        return sum(self.powers)


@dataclass(frozen=True, eq=False)
class Chart:
    """The mechanism's symbols as series in the variables of the expansion: q, u, u̇ and tangents.

    `series` has for each symbol of the ring its parts by grade; `tangents[j][k]` is the series of ∂u_j/∂(rate of k).
    """

    variables: tuple[str, ...]
    series: Mapping[str, Series]
    tangents: Sequence[Mapping[int, Series]]

    @property
    def symbols(self) -> tuple[str, ...]:
        """Names of the variables, of their rates and accelerations."""
        return tuple(name + suffix for suffix in ("", RATE, ACCELERATION) for name in self.variables)


def padded(parts: Sequence[Scalar], highest: int) -> Series:
    """Return a series of a given length."""
    return [*parts, *[0] * (highest + 1)][: highest + 1]


def straight_chart(
    loads: MechanismLoads,
    centre: Mapping[str, Scalar],
    names: Sequence[str],
    shapes: Sequence[Sequence[Scalar]],
    highest: int,
) -> Chart:
    """Return q = centre + Σ shape × variable for a tree whose speeds are the rates of its coordinates."""
    ring, system = loads.trace.ring, loads.system
    series: dict[str, Series] = {}
    rows = zip(system.coordinate_names, system.speed_names, loads.acceleration_names, shapes, strict=True)
    for q, u, a, row in rows:
        for symbol, suffix, middle in ((q, "", centre[q]), (u, RATE, 0), (a, ACCELERATION, 0)):
            moved: Scalar = 0
            for factor, name in zip(row, names, strict=True):
                if isinstance(factor, Element) or factor != 0:
                    moved = moved + factor * ring.symbol(name + suffix)
            series[symbol] = padded([middle, moved], highest)
    tangents = [
        {k: padded([factor], highest) for k, factor in enumerate(row) if isinstance(factor, Element) or factor != 0}
        for row in shapes
    ]
    return Chart(tuple(names), series, tangents)


def graded_terms(
    loads: MechanismLoads,
    chart: Chart,
    grading: Grading,
    highest: int,
    excitation: Excitation,
    *,
    constants: Mapping[str, Scalar] | None = None,
    sign: Sign,
    rounded: bool = False,
) -> list[GradedTerm]:
    """Return all terms up to a grade, of the equations along the chart's variables: Σ_j tangent_jk × equation j.

    `constants` are parameters that are replaced by numbers or by other symbols; with `rounded`, functions of numbers
    become decimals.
    """
    ring = loads.trace.ring
    known = parameter_series(ring, grading, constants or {}, highest)
    expansion = Expansion(ring, {**known, **chart.series}, highest, sign, rounded=rounded)
    found: list[GradedTerm] = []
    with blamed(loads, INERTIA):
        series = loads.expanded(expansion)
    for source in loads.sources:
        with blamed(loads, source):
            rows = series.column(source)
            for k, projected in enumerate(_projected(ring, rows, chart, highest)):
                for grade, part in enumerate(projected):
                    found += _monomials(part, k, grade, chart, excitation, source)
    return found


def parameter_series(
    ring: ExactRing, grading: Grading, constants: Mapping[str, Scalar], highest: int
) -> dict[str, Series]:
    """Return the series of small and of replaced parameters."""
    small = {name: padded([*[0] * grade, ring.symbol(name)], highest) for name, grade in grading.parameters.items()}
    return {name: padded([value], highest) for name, value in constants.items()} | small


def _projected(ring: ExactRing, rows: list[Series], chart: Chart, highest: int) -> list[Series]:
    """Return Σ_j tangent_jk × row_j for each variable k."""
    result: list[Series] = [[0] * (highest + 1) for _ in chart.variables]
    for row, tangent in zip(rows, chart.tangents, strict=True):
        for k, along in tangent.items():
            result[k] = [a + b for a, b in zip(result[k], product(row, along), strict=True)]
    return result


def product(a: Series, b: Series) -> Series:
    """Return the product of two series, truncated at their length."""
    result: Series = [0] * len(a)
    for i, left in enumerate(a):
        if isinstance(left, Element) or left != 0:
            for j in range(len(a) - i):
                right = b[j]
                if isinstance(right, Element) or right != 0:
                    result[i + j] = result[i + j] + left * right
    return result


def _monomials(
    part: Scalar, equation: int, grade: int, chart: Chart, excitation: Excitation, source: str
) -> Iterator[GradedTerm]:
    """Yield the terms of one part of one equation."""
    for harmonic, value in excitation.parts(part).items():
        for powers, coefficient in split(excitation.ring, value, chart.symbols).items():
            yield GradedTerm(equation, grade, powers, harmonic, coefficient, source)


def split(ring: ExactRing, value: Scalar, names: Sequence[str]) -> dict[Powers, Scalar]:
    """Return the coefficients of a polynomial in some symbols, by exponents.

    >>> ring = ExactRing(symbols=["k", "x", "v"])
    >>> k, x, v = (ring.symbol(name) for name in "kxv")
    >>> split(ring, k * x * x + x * v / 2, ["x", "v"])
    {(2, 0): k, (1, 1): Fraction(1, 2)}
    """
    none = (0,) * len(names)
    if not isinstance(value, Element):
        return {none: value} if value else {}
    places = [ring.generator(name).index for name in names]
    value.lifted()
    groups: dict[Powers, dict[int, dict[tuple[int, ...], object]]] = {}
    for h, c in value.terms.items():
        for exponents, coefficient in c.to_dict().items():
            rest = list(exponents)
            for place in places:
                rest[place] = 0
            powers = tuple(int(exponents[place]) for place in places)
            groups.setdefault(powers, {}).setdefault(h, {})[tuple(rest)] = coefficient
    return {
        powers: settled(ring, {h: ring.context.from_dict(c) for h, c in terms.items()}, value.below, value.marks)
        for powers, terms in groups.items()
    }


@contextmanager
def blamed(loads: MechanismLoads, source: str) -> Iterator[None]:
    """Return the error that names the element whose loads cannot be expanded."""
    try:
        yield
    except ModelError:
        raise
    except GyrostatError as error:
        item = source if source in (INERTIA, GRAVITY) else f"{loads.system.model.forces[source].word} {source!r}"
        raise ModelError(
            Fault(item, f"it cannot be expanded about the equilibrium. {error}"),
            f"Multiple scales of {loads.system.model.name!r}:",
        ) from None
