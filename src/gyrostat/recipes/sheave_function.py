"""The function of a point of a rope on a pulley: one for each structure of laws, traced once from `SheaveContact`.

It takes the way from the centre of the pulley to the point, its rate, the axis and the angular velocity of the pulley,
the bristle, and the coefficients of the laws as numbers. It gives the force on the point, the moment on the pulley
about its centre and the rate of the bristle, and on request their derivatives by the variables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from gyrostat.lazy import LaterModule, later
from gyrostat.model.forces import PointLoad, SheaveContact
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End, FormulaUse
from gyrostat.program import Program
from gyrostat.recipes.digest import source_stamp
from gyrostat.recipes.kept_functions import FunctionSource, kept_program
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.tracing import in_turn
from gyrostat.spatial import ZERO, Vector

if TYPE_CHECKING:
    import casadi

    from gyrostat.scalar import traced
else:
    casadi = LaterModule("casadi")
    (traced,) = later("gyrostat.scalar", "traced")

VARIABLES = 13
"""Arm, its rate, axis, angular velocity, bristle."""

_T = TypeVar("_T")


def coefficients(contact: SheaveContact) -> tuple[Formula, ...]:
    """Return the formulas whose values the function takes, in order: all that laws and pulley name but exponents."""
    return tuple(formula for formula, fixed in _formulas(contact) if not fixed)


def _formulas(contact: SheaveContact) -> list[tuple[Formula, bool]]:
    """Return all formulas of a contact, and whether each is part of its structure: zeros, exponents."""
    uses = [use for use in contact.all_uses if isinstance(use, FormulaUse)]
    exponent = getattr(contact.normal, "exponent", None)
    return [
        (use.formula, use.formula.number == 0 or (use.formula is exponent and exponent.number is not None))
        for use in uses
    ]


def _structure(contact: SheaveContact) -> str:
    """Return a text that determines the function."""
    laws = [type(law).__name__ for law in (contact.normal, contact.friction)]
    given = [path for path, _ in _fields(contact)]
    fixed = [str(formula.number) if constant else "#" for formula, constant in _formulas(contact)]
    return f"{laws} {contact.pulley.side} {given} {fixed}"


def _fields(contact: SheaveContact) -> list[tuple[str, object]]:
    """Return the fields of the laws and the contact that are given, by name."""
    owners = (contact, contact.normal, contact.friction)
    found = [
        (f"{type(one).__name__}.{name}", getattr(one, name)) for one in owners if one is not None for name in vars(one)
    ]
    return [(path, given) for path, given in found if given is not None]


def sheave_program(contact: SheaveContact, *, derivatives: bool) -> Program:
    """Return the program of a point on a pulley, with derivatives by columns behind the values where asked for."""
    name = "sheave derivatives" if derivatives else "sheave"
    key = f"{name} {_structure(contact)} {source_stamp()}"
    return kept_program(FunctionSource(key, lambda: _traced(contact, derivatives)))


class _Place(NamedTuple):
    """Motion of an end, relative to the centre of the pulley."""

    position: Vector
    velocity: Vector
    rotation: tuple[Vector, Vector, Vector]
    omega: Vector


@dataclass(frozen=True)
class _PointMotion:
    """Motion of the two ends of a contact, as a contact reads the motion of a system."""

    contact: SheaveContact
    entries: list[Scalar]
    scalars: Scalars
    known: list[tuple[Formula, Scalar]]

    def evaluate(self, formula: Formula, **_: Scalar) -> Scalar:
        for one, value in self.known:
            if one is formula:
                return value
        raise AssertionError(f"{formula} is no coefficient of a contact")

    def end(self, end: End) -> _Place:
        (rx, ry, rz, vx, vy, vz, ax, ay, az, wx, wy, wz), none = self.entries[:12], ZERO
        if end == self.contact.point:
            return _Place((rx, ry, rz), (vx, vy, vz), (none, none, none), none)
        return _Place(none, none, ((0, 0, ax), (0, 0, ay), (0, 0, az)), (wx, wy, wz))

    def once(self, name: str, form: Callable[[], _T]) -> _T:
        return form()

    def quantity(self, name: str) -> Scalar:
        return self.entries[12]


@in_turn
def _traced(contact: SheaveContact, derivatives: bool) -> Any:
    formulas = _formulas(contact)
    x, entries = traced.symbols("x", VARIABLES + sum(not fixed for _, fixed in formulas))
    given = iter(entries[VARIABLES:])
    known = [(formula, formula.number if fixed else next(given)) for formula, fixed in formulas]
    motion: Any = _PointMotion(contact, entries, traced.TracedScalars(), known)
    on_point, on_pulley = (load for load in contact.loads(motion) if isinstance(load, PointLoad))
    rates = list(contact.state_rates(motion).values()) if contact.state_variables else [0]
    found = casadi.densify(traced.column([*on_point.force, *on_pulley.moment, *rates]))
    outputs = {"found": found}
    if derivatives:
        outputs["derivatives"] = casadi.densify(casadi.jacobian(found, x)[:, :VARIABLES])
    return casadi.Function("sheave", [x], list(outputs.values()), ["x"], list(outputs))
