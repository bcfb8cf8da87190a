"""Properties of a flexible beam and its Ritz terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.basis import RitzBasis, shape_functions
from gyrostat.model.flexible.order_kind import EXACT, Order, OrderKind
from gyrostat.model.flexible.polynomial import Polynomial, derivative, exact_value
from gyrostat.model.flexible.terms_kind import TermsKind
from gyrostat.model.formula import Formula
from gyrostat.model.joints.joint import Coordinate
from gyrostat.model.kinds import (
    ChoiceKind,
    FlagKind,
    FormulaUse,
    FrozenMapping,
    ListKind,
    MappingKind,
    OptionalKind,
    Quantity,
    QuantityKind,
    TaggedKind,
    Triple,
    VectorKind,
)
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.sections.section import ABSCISSA, SECTIONS, TAPER_SCOPE, Section, SectionProperties
from gyrostat.model.shapes.dimensioned import Dimensioned, Known, shown
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply

TAYLOR_TERM_LIMIT: Final = 8
"""The largest number of Taylor terms: the mass matrix of eleven is singular in floating point."""

COMPLETE: Final = "complete"
TRUNCATED: Final = "truncated"

_ZEROS: Final = {"v": 2, "w": 2, "phi": 1, "u": 1}
"""The order of the zero at the root: bending has no slope there."""

_SECTION_FIELDS: Final = ("area", "Iy", "Iz", "J")
_STIFFNESS: Final = {"v": ("E", "Iz"), "w": ("E", "Iy"), "phi": ("G", "J"), "u": ("E", "area")}
"""The fields that give the stiffness in each direction."""


@dataclass(frozen=True)
class BeamProperties(Dimensioned):
    """Dimensions, material and Ritz terms of a beam along x.

    The section is a record, or area, second moments and torsion constant are given. `Iz` is the moment of bending along
    y (displacement v), `Iy` that of bending along z (w).
    """

    positive: ClassVar[tuple[str, ...]] = ("length",)
    not_negative: ClassVar[tuple[str, ...]] = ("damping",)
    length: Quantity = value(QuantityKind(), doc="length (m)", keyword=True)
    section: Section | None = value(
        OptionalKind(TaggedKind(lambda: SECTIONS)), None, doc="cross-section, in place of area, Iy, Iz, J", keyword=True
    )
    area: Quantity | None = value(OptionalKind(QuantityKind(TAPER_SCOPE)), None, doc="area (m²)", keyword=True)
    Iy: Quantity | None = value(
        OptionalKind(QuantityKind(TAPER_SCOPE)),
        None,
        doc="second moment of area about y, of bending along z (m⁴)",
        keyword=True,
    )
    Iz: Quantity | None = value(
        OptionalKind(QuantityKind(TAPER_SCOPE)),
        None,
        doc="second moment of area about z, of bending along y (m⁴)",
        keyword=True,
    )
    J: Quantity | None = value(OptionalKind(QuantityKind(TAPER_SCOPE)), None, doc="torsion constant (m⁴)", keyword=True)
    E: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="Young's modulus (Pa)", keyword=True)
    G: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="shear modulus (Pa)", keyword=True)
    density: Quantity = value(QuantityKind(), doc="density (kg/m³)", keyword=True)
    terms: FrozenMapping = value(
        TermsKind(), {"v": 4, "w": 4, "phi": 2, "u": 0}, doc="numbers of Ritz terms by displacement", keyword=True
    )
    basis: str = value(
        ChoiceKind(tuple(basis.value for basis in RitzBasis)),
        "legendre",
        doc="family of Ritz polynomials",
        keyword=True,
    )
    order: Order = value(OrderKind(), 2, doc="order of the displacement field, or exact", keyword=True)
    curvature: Triple = value(
        VectorKind(), (0, 0, 0), doc="twist and curvatures of the unloaded beam, of order exact (1/m)", keyword=True
    )
    fibres: FrozenMapping = value(
        MappingKind(ListKind(QuantityKind())),
        {},
        doc="places y, z in the section (m) by name, whose strain and stress are outputs",
        keyword=True,
    )
    damping: Quantity = value(QuantityKind(), 0, doc="stress per strain rate over modulus (s)", keyword=True)
    kinetic_energy: str = value(
        ChoiceKind((COMPLETE, TRUNCATED)),
        COMPLETE,
        doc="of order 2: every product of displacements, or terms up to second order",
        keyword=True,
    )
    rotary_inertia: bool = value(FlagKind(), True, doc="whether sections have rotary inertia", keyword=True)

    def validate(self, place: Place) -> None:
        """Require one source of the section, stiffness in every direction with terms, and a basis that holds."""
        super().validate(place)
        given = [name for name in _SECTION_FIELDS if getattr(self, name) is not None]
        if self.section is not None and given:
            place.inside(given[0]).report("the section already defines it.", "Leave one of them out.")
        elif self.section is None and self.area is None:
            place.report("it has no section.", "Give section=gs.sections.Rectangle(…) or the like, or area, Iz, Iy, J.")
        if not self.labels:
            place.inside("terms").report("there are none.", 'Give at least one, as in {"v": 4}; or use a rigid body.')
        for direction, count in self.terms.items():
            missing = [
                name
                for name in _STIFFNESS[direction]
                if count and getattr(self, name) is None and not (self.section is not None and name in _SECTION_FIELDS)
            ]
            if missing:
                fact = f"it has terms of {direction!r} but no stiffness against it: {' and '.join(missing)} missing."
                place.report(fact, f"Give {' and '.join(missing)}, or no terms of {direction!r}.")
        for name, fibre in self.fibres.items():
            if len(fibre) != 2:
                remedy = f"Write {{{name!r}: (y, z)}}, with distances from the axis."
                place.inside("fibres").inside(name).report(f"{len(fibre)} distances are given.", remedy)
        if self.terms["phi"] and not self.rotary_inertia:
            fact = "twist has no inertia: rotary_inertia is false, and there are terms of 'phi'."
            place.inside("rotary_inertia").report(fact, "Leave it true, or give no terms of 'phi'.")
        if self.order != EXACT and any(component.number != 0 for component in self.curvature):
            fact = f"order {self.order} is one of beams that are straight without load."
            place.inside("curvature").report(fact, "Use order='exact', or leave the curvature out.")
        if self.order != 2 and self.kinetic_energy != COMPLETE:
            fact = f"order {self.order} has one kinetic energy only."
            place.inside("kinetic_energy").report(fact, "Leave it out, or use order=2.")
        most = max(self.terms.values(), default=0)
        if self.basis == RitzBasis.TAYLOR.value and most > TAYLOR_TERM_LIMIT:
            fact = f"{most} terms of Taylor's basis cannot be told apart in floating point."
            place.inside("terms").report(fact, f"Use at most {TAYLOR_TERM_LIMIT}, or basis='legendre'.")

    def check_limits(self, known: Known, place: Place) -> None:
        """Report known dimensions, moduli and sections that are not positive."""
        super().check_limits(known, place)
        for name in ("E", "G", "density", *_SECTION_FIELDS):
            held = getattr(self, name)
            number = None if held is None or ABSCISSA in held.names else known(held)
            if number is not None and number <= 0:
                place.inside(name).report(f"{shown(held, number)} is not positive.", "Give a value above zero.")
        if self.section is not None:
            self.section.check_limits(known, place.inside("section"))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of the elastic coordinates: v1, v2, …, w1, …, phi1, …, u1, …."""
        return tuple(f"{direction}{i + 1}" for direction, n in self.terms.items() for i in range(n))

    @cached_property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The elastic coordinates; those of twist are angles, as are those of curvature in order exact."""
        lengths = ("u",) if self.order == EXACT else ("u", "v", "w")
        return tuple(Coordinate(label, "length" if label.startswith(lengths) else "angle") for label in self.labels)

    @cached_property
    def functions(self) -> Mapping[str, tuple[tuple[int, Polynomial], ...]]:
        """For each direction the numbers of its coordinates with their Ritz functions."""
        found, first = {}, 0
        for direction, n in self.terms.items():
            zeros = 0 if self.order == EXACT else _ZEROS[direction]
            members = shape_functions(RitzBasis(self.basis), n, zeros)
            found[direction] = tuple((first + i, member) for i, member in enumerate(members))
            first += n
        return found

    @cached_property
    def slopes_at_quarters(self) -> tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]:
        """dv/dξ and dw/dξ at ξ = 1/4, 1/2, 3/4 and 1, each a row over the elastic coordinates of orders 1 and 2."""
        return tuple((self._slopes("v", Fraction(k, 4)), self._slopes("w", Fraction(k, 4))) for k in range(1, 5))

    def _slopes(self, direction: str, xi: Fraction) -> tuple[float, ...]:
        row = [0.0] * len(self.labels)
        for i, member in self.functions[direction]:
            row[i] = float(exact_value(derivative(member), xi))
        return tuple(row)

    @property
    def degree(self) -> int:
        """The degree of the longest Ritz function."""
        return self.degree_of(*self.functions)

    def degree_of(self, *directions: str) -> int:
        """Return the degree of the longest Ritz function of some directions; 0 where they have none."""
        members = (member for direction in directions for _, member in self.functions[direction])
        return max((len(member) - 1 for member in members), default=0)

    @property
    def tapered(self) -> bool:
        """Whether the section changes along the beam."""
        held: Iterable[Formula | None] = (self.area, self.Iy, self.Iz, self.J)
        if self.section is not None:
            held = (use.formula for use in self.section.all_uses if isinstance(use, FormulaUse))
        return any(formula is not None and ABSCISSA in formula.names for formula in held)

    def section_at(self, xi: Scalar, value: Evaluator) -> SectionProperties:
        """Return the section at ξ; second moments that are not given are zero."""
        if self.tapered:
            x, others = multiply(xi, value(self.length)), value.lookup
            value = Evaluator(value.scalars, lambda name: x if name == ABSCISSA else others(name))
        if self.section is not None:
            return self.section.properties(value)
        area, Iy, Iz, J = (0 if held is None else value(held) for held in (self.area, self.Iy, self.Iz, self.J))
        return SectionProperties(area, Iy, Iz, J)
