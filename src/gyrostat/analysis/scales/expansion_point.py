"""The equilibrium about which a mechanism is expanded, exact or numerical, with its verification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.analysis.operating.equilibrium import equilibrium
from gyrostat.analysis.scales.excitation import names_in
from gyrostat.analysis.scales.mechanism_loads import MechanismLoads
from gyrostat.analysis.scales.modal_linear import is_zero
from gyrostat.analysis.scales.taylor import GradedTerm
from gyrostat.errors import GyrostatError, StateError
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, ExactScalars, evaluate
from gyrostat.scalar.exact.branches import Sign, sign_of_number
from gyrostat.scalar.exact.numbers import plain_number

_ROUNDING = 1e-13
_BALANCE_TOLERANCE = 1e-8
"""Residual of a numerical equilibrium, relative to the largest load or stiffness."""


@dataclass(frozen=True)
class ExpansionPoint:
    """The coordinates of the equilibrium as exact scalars, and whether they hold for all parameters."""

    centre: Mapping[str, Scalar]
    exact: bool
    note: str = ""


def read_point(loads: MechanismLoads, at: object) -> dict[str, Scalar]:
    """Return coordinates given by name (numbers or formulas of parameters) or by an operating point.

    Coordinates that are not named are where the sides of their joints coincide.
    """
    system, ring = loads.system, loads.trace.ring
    given = getattr(at, "coordinates", at) or {}
    if not isinstance(given, Mapping):
        raise StateError(
            f"at={at!r:.60} gives no equilibrium. Give values by name, at={{'a1': 0}}, or an operating point."
        )
    centre: dict[str, Scalar] = dict(zip(system.coordinate_names, system.coordinates.rest, strict=True))
    engine = ExactScalars(ring)
    for name, value in given.items():
        if name.endswith(".rate") and value == 0:
            continue
        if name not in centre:
            raise StateError(f"at names {name!r}, which is no coordinate. {did_you_mean(name, list(centre))}")
        formula = Formula.of(value)
        strange = sorted(formula.names - set(system.model.parameters))
        if strange:
            hint = did_you_mean(strange[0], list(system.model.parameters))
            raise StateError(f"The equilibrium of {name!r} refers to {strange[0]!r}, which is no parameter. {hint}")
        centre[name] = formula.evaluate(engine, ring.symbol)
    return centre


def sign_oracle(values: Mapping[str, float]) -> Sign:
    """Return the function that gives the signs of constants; parameters without a value count as positive."""

    def sign(value: Scalar) -> int | None:
        known = sign_of_number(value)
        if known is not None or not isinstance(value, Element):
            return known

        number = evaluate(value, {name: values.get(name, 1.0) for name in names_in(value)})
        return 0 if abs(number) < 1e-12 else 1 if number > 0 else -1

    return sign


def check_equilibrium(
    names: Sequence[str], terms: Sequence[GradedTerm], values: Mapping[str, float], centre: Mapping[str, Scalar]
) -> ExpansionPoint | dict[str, float]:
    """Return the point if the terms of grade zero cancel, for all parameters or at their values; else the residual."""
    left: list[Scalar] = [0] * len(names)
    scale = 0.0
    for term in terms:
        if term.degree == 0 or (term.grade == 1 and term.degree == 1 and any(term.powers[: len(names)])):
            scale = max(scale, abs(evaluate(term.coefficient, values)))
        if term.grade == 0:
            if term.harmonic is not None:
                raise StateError(
                    f"The excitation {term.coefficient} {term.harmonic} of {term.source!r} is not small. Declare small "
                    "parameters: ordering=gs.Ordering(parameters={…: 1})."
                )
            left[term.equation] = left[term.equation] + term.coefficient
    if all(is_zero(load) or load == 0 for load in left):
        return ExpansionPoint(centre, exact=True)
    numbers = {name: evaluate(load, values) for name, load in zip(names, left, strict=True)}
    if all(abs(number) <= _BALANCE_TOLERANCE * scale for number in numbers.values()):
        note = "The equilibrium holds for the present values of the parameters, not for all."
        return ExpansionPoint(centre, exact=False, note=note)
    return numbers


def not_an_equilibrium(loads: MechanismLoads, centre: Mapping[str, Scalar], left: Mapping[str, float]) -> StateError:
    """Return the error that names the unbalanced coordinates and their loads."""
    place = ", ".join(f"{name} = {value}" for name, value in centre.items())
    parts = ", ".join(f"{-load:.6g} on {name!r}" for name, load in left.items() if abs(load) > 0)
    return StateError(
        f"{loads.system.model.name!r} is not in equilibrium at {place}: the residual loads are {parts}. Give the "
        "equilibrium by at={…}, as numbers or formulas of parameters, or check the parameters."
    )


def closed_position(
    loads: MechanismLoads, parameters: Mapping[str, object], given: Mapping[str, float]
) -> dict[str, Scalar]:
    """Return a position near the values given that closes all loops, or near the model's initial values."""
    found = assemble(loads.system, {}, guess=given, parameters=parameters)
    names = loads.system.coordinate_names
    return {name: _clean(float(value)) for name, value in zip(names, found.q, strict=True)}


def numeric_equilibrium(loads: MechanismLoads, parameters: Mapping[str, object]) -> dict[str, Scalar] | None:
    """Return coordinates of the numerical equilibrium near the model's initial values, or None."""

    try:
        found = equilibrium(loads.system, parameters=parameters)
    except GyrostatError:
        return None
    return {name: _clean(float(value)) for name, value in found.coordinates.items()}


def _clean(value: float) -> Scalar:
    """Return a coordinate, integers without rounding errors."""
    return plain_number(round(value) if abs(value - round(value)) < _ROUNDING else value)
