"""Roles of parameters, damping and excitation, from the equations about the equilibrium."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gyrostat.analysis.scales.excitation import Excitation, names_in
from gyrostat.analysis.scales.mechanism_loads import GRAVITY, INERTIA, MechanismLoads
from gyrostat.analysis.scales.ordering import Ordering, Roles
from gyrostat.analysis.scales.taylor import Chart, blamed, product, split
from gyrostat.errors import Fault, GyrostatError, ModelError
from gyrostat.model.formula import TIME
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, Expansion, substitute
from gyrostat.scalar.exact.branches import Sign
from gyrostat.scalar.exact.element import settled


@dataclass(frozen=True)
class _Piece:
    """One part of one equation of low degree: the names in it, its degree, and what it is."""

    source: str
    degree: int
    timed: bool
    rate: bool
    names: frozenset[str]
    removed_by: frozenset[str] = frozenset()
    """The names that remove the damping or excitation of a piece when they are zero."""


def find_roles(
    loads: MechanismLoads,
    chart: Chart,
    given: Ordering,
    sign: Sign,
    moved: Mapping[str, tuple[str, ...]],
    *,
    rounded: bool,
) -> Roles:
    """Return the roles of parameters from the parts of degree 0 to 2, with excitation not yet ordered.

    A parameter is small if a part that damps or excites would vanish with it and the linear mechanism would not change.
    `moved` are parameters that move constraints in time, which makes them small, with the constraints.
    """
    excitation = Excitation(loads.trace.ring)
    pieces, frequencies = _pieces(loads, chart, excitation, sign, rounded=rounded)
    structural = frozenset().union(*(p.names for p in pieces if p.degree <= 1 and not p.timed and not p.rate))
    structural -= given.parameters.keys()
    parameters = frozenset(loads.system.model.parameters)
    named = frozenset(given.parameters) | frozenset(moved)
    rates = [piece for piece in pieces if piece.rate and piece.degree == 1 and not piece.timed]
    damping = [piece for piece in rates if piece.source != INERTIA or piece.names & named]  # others are gyroscopic
    timed = [piece for piece in pieces if piece.timed]
    damps = _chosen(damping, parameters - structural - frequencies, named, loads, "damping")
    excites = _chosen(timed, parameters - structural - frequencies, named, loads, "excitation")
    excites = {**excites, **moved}
    direct = {name for piece in timed if piece.degree == 0 for name in piece.names & excites.keys()}
    quadratic = dict.fromkeys(
        p.source for p in pieces if p.degree == 2 and not p.timed and not p.names & {*damps, *excites, *named}
    )
    still = [piece for piece in pieces if piece.degree == 0 and not piece.timed]
    return Roles(
        damping={name: sources for name, sources in damps.items() if name not in excites},
        direct={name: sources for name, sources in excites.items() if name in direct},
        parametric={name: sources for name, sources in excites.items() if name not in direct},
        quadratic=tuple(quadratic),
        static={name: tuple(p.source for p in still if name in p.names) for name in named if _in_any(name, still)},
    )


def _in_any(name: str, pieces: Iterable[_Piece]) -> bool:
    return any(name in piece.names for piece in pieces)


def _pieces(
    loads: MechanismLoads, chart: Chart, excitation: Excitation, sign: Sign, *, rounded: bool
) -> tuple[list[_Piece], frozenset[str]]:
    """Return the parts of degree 0 to 2, and the names of frequencies."""
    ring = loads.trace.ring
    expansion = Expansion(ring, chart.series, 2, sign, rounded=rounded)
    n = len(chart.variables)
    found: dict[_Piece, None] = {}
    frequencies: set[str] = set()
    with blamed(loads, INERTIA):
        series = loads.expanded(expansion)
    for source in loads.sources:
        with blamed(loads, source):
            rows = series.column(source)
        for row, tangent in zip(rows, chart.tangents, strict=True):
            for along in tangent.values():
                for part in product(row, along):
                    frequencies |= excitation.frequency_names(part)
                    for value in _by_harmonic(part):
                        for powers, coefficient in split(ring, value, chart.symbols).items():
                            degree, names = sum(powers), names_in(coefficient)
                            rate, timed = any(powers[n : 2 * n]), TIME in names
                            keys = _removing(coefficient, names) if timed or (rate and degree == 1) else frozenset()
                            found[_Piece(source, degree, timed, rate, names - {TIME}, keys)] = None
    return list(found), frozenset(frequencies)


def _removing(coefficient: Scalar, names: frozenset[str]) -> frozenset[str]:
    """Return the names without which a coefficient vanishes, or does not depend on time any more."""
    found = set()
    for name in names - {TIME}:
        try:
            left = substitute(coefficient, {name: 0})
        except GyrostatError:
            continue
        if not (isinstance(left, Element) or left) or (TIME in names and TIME not in names_in(left)):
            found.add(name)
    return frozenset(found)


def _by_harmonic(value: Scalar) -> list[Scalar]:
    """Return the parts of an element by their products of sines and cosines."""
    if not isinstance(value, Element):
        return [value]
    return [settled(value.ring, {h: c}, value.below, value.marks) for h, c in value.lifted().terms.items()]


def _chosen(
    pieces: Sequence[_Piece],
    candidates: frozenset[str],
    named: frozenset[str],
    loads: MechanismLoads,
    what: str,
) -> Mapping[str, tuple[str, ...]]:
    """Return a smallest set of parameters of which every piece has one, with the sources through which they act."""
    counts = Counter(name for piece in pieces for name in piece.removed_by & candidates)
    order = {name: place for place, name in enumerate(loads.system.model.parameters)}
    chosen: dict[str, list[str]] = {}
    for piece in sorted(pieces, key=lambda piece: (not piece.names & named, piece.degree)):
        mine = (piece.removed_by & candidates) | (piece.names & named)
        if not mine:
            raise _no_small_parameter(loads, piece, what)
        known = [name for name in chosen if name in mine]
        best = known or [min(mine, key=lambda name: (name not in named, -counts[name], order[name]))]
        for name in best:
            sources = chosen.setdefault(name, [])
            if piece.source not in sources:
                sources.append(piece.source)
    return {name: tuple(sources) for name, sources in chosen.items()}


def _no_small_parameter(loads: MechanismLoads, piece: _Piece, what: str) -> ModelError:
    source = piece.source
    item = source if source in (INERTIA, GRAVITY) else f"force {source!r}"
    names = ", ".join(sorted(piece.names)) or "numbers alone"
    example = "damping='c'" if what == "damping" else "'F*cos(Omega*t)'"
    return ModelError(
        Fault(
            item,
            f"its {what} has no parameter of its own that could be small: it consists of {names}.",
            f"Name its size by a parameter, as in {example}, or declare the small parameters: "
            "ordering=gs.Ordering(parameters={…: 1}).",
        ),
        f"Multiple scales of {loads.system.model.name!r}:",
    )
