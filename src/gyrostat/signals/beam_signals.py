"""Signals of beams: deflection, slope, curvature, loads and stresses of sections, and strain energy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from operator import methodcaller
from typing import TypeAlias

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.beam_properties import BeamProperties
from gyrostat.model.flexible.displacement import SectionField
from gyrostat.model.flexible.station_arm import StationArm
from gyrostat.model.flexible.strain_energy import Strain, stiffnesses, strains
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End, Triple
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, subtract, total
from gyrostat.signals.rotations import relative_position, relative_rotation
from gyrostat.signals.section_force import SectionForce
from gyrostat.signals.signal import AXES, Level, Signal, SystemInstant

_Form: TypeAlias = Callable[[SystemInstant], list[Scalar]]

TRANSVERSE_AXES = ("y", "z")
"""Labels of slopes towards y and z of the root."""


def beam_signals(joints: Mapping[str, Joint], gravity: Triple) -> Iterator[Signal]:
    """Yield the signals of all beams: of their stations, of their roots, and of each as a whole."""
    stations: dict[str, list[StationArm]] = {}
    for arm in joints.values():
        if isinstance(arm, StationArm):
            stations.setdefault(arm.parent.body, []).append(arm)
    for root, arms in stations.items():
        energy = methodcaller("potential", f"{root}.elasticity")
        yield Signal(f"{root}.strain_energy", "J", f"strain energy of {root}", Level.SPEED, energy)
        yield from section_signals(Section(arms[0], root=True), root)
        yield _force_signal(SectionForce(arms[0], tuple(arms), gravity, root=True), root)
        for arm in arms:
            yield from _displacements(arm)
            yield from section_signals(Section(arm), arm.child.body)
            yield _force_signal(SectionForce(arm, tuple(arms), gravity), arm.child.body)


def _force_signal(force: SectionForce, name: str) -> Signal:
    text = f"normal and shear force of the outer on the inner part of the beam at {name}, in the axes of the section"
    return Signal(f"{name}.section_force", "N", text, Level.LOAD, force.at, AXES)


def _displacements(arm: StationArm) -> Iterator[Signal]:
    """Yield deflection and slope of a station, in the axes of the root."""
    name, root = arm.child.body, arm.parent.body
    form, text = partial(_deflection, arm), f"deflection of {name}, in the axes of {root}"
    yield Signal(f"{name}.deflection", "m", text, Level.POSITION, form, AXES)
    text = f"slopes of {name} towards y and z of {root}"
    yield Signal(f"{name}.slope", "rad", text, Level.POSITION, partial(_slopes, arm), TRANSVERSE_AXES)


def _deflection(arm: StationArm, instant: SystemInstant) -> list[Scalar]:
    x, y, z = relative_position(End(arm.child.body), End(arm.parent.body), instant)
    return [x - _evaluator(instant)(arm.at), y, z]


def _slopes(arm: StationArm, instant: SystemInstant) -> list[Scalar]:
    """Return the angles of the tangent towards y and z."""
    R = relative_rotation(End(arm.parent.body), End(arm.child.body), instant)
    return [instant.scalars.call("atan2", (R[3 * k], R[0])) for k in (1, 2)]


@dataclass(frozen=True)
class Section:
    """A section of a beam: that of a station, or the one at the root; strains are those of its elastic coordinates."""

    arm: StationArm
    root: bool = False

    @property
    def beam(self) -> BeamProperties:
        """The beam."""
        return self.arm.beam

    def _field(self, instant: SystemInstant) -> SectionField:
        value = _evaluator(instant)
        return SectionField(self.beam, 0 if self.root else self.arm.place(value), value)

    def _strains(self, instant: SystemInstant) -> list[tuple[Scalar, Scalar]]:
        """Return stretch and curvatures κx, κy, κz with their rates."""
        names = [f"{self.arm.parent.body}.{label}" for label in self.beam.labels]
        q = [instant.quantity(name) for name in names]

        def with_rate(strain: Strain) -> tuple[Scalar, Scalar]:
            slopes = strain.derivatives(q).items()
            return strain.at(q), total([multiply(x, instant.quantity(f"{names[i]}.rate")) for i, x in slopes])

        return [with_rate(strain) for strain in strains(self._field(instant))]

    def strain(self, instant: SystemInstant) -> list[Scalar]:
        """Return stretch and curvatures κx, κy, κz."""
        return [size for size, _ in self._strains(instant)]

    def loads(self, instant: SystemInstant) -> list[Scalar]:
        """Return axial force and moments: elastic, and viscous after Kelvin and Voigt."""
        field, damping = self._field(instant), _evaluator(instant)(self.beam.damping)
        return [
            multiply(stiffness, add(size, multiply(damping, rate)))
            for stiffness, (size, rate) in zip(
                stiffnesses(self.beam, field.xi, field.value), self._strains(instant), strict=True
            )
        ]

    def fibre_strains(self, instant: SystemInstant) -> list[Scalar]:
        """Return the strains ε − y κz + z κy of the fibres."""
        stretch, _, about_y, about_z = self.strain(instant)
        return self._of_fibres(stretch, about_y, about_z, instant)

    def stresses(self, instant: SystemInstant) -> list[Scalar]:
        """Return the normal stresses N/A − y Mz/Iz + z My/Iy of the fibres."""
        field = self._field(instant)
        section = self.beam.section_at(field.xi, field.value)
        force, _, about_y, about_z = self.loads(instant)
        along, bending_y, bending_z = [
            divide(load, size) if self.beam.terms[direction] else 0
            for load, size, direction in zip(
                (force, about_y, about_z), (section.area, section.Iy, section.Iz), ("u", "w", "v"), strict=True
            )
        ]
        return self._of_fibres(along, bending_y, bending_z, instant)

    def _of_fibres(self, along: Scalar, about_y: Scalar, about_z: Scalar, instant: SystemInstant) -> list[Scalar]:
        value = _evaluator(instant)
        return [
            add(subtract(along, multiply(value(y), about_z)), multiply(value(z), about_y))
            for y, z in self.beam.fibres.values()
        ]


def section_signals(section: Section, name: str) -> Iterator[Signal]:
    """Yield the strains, loads and stresses of a section, in its own axes."""
    strain, loads = partial(_three, section.strain), partial(_three, section.loads)
    text = f"twist and curvatures of {name} by its loads"
    yield Signal(f"{name}.curvature", "1/m", text, Level.SPEED, strain, AXES)
    text = f"moment of the outer on the inner part of the beam at {name}, in the axes of the section"
    yield Signal(f"{name}.section_moment", "N·m", text, Level.SPEED, loads, AXES)
    if section.beam.terms["u"]:
        yield Signal(
            f"{name}.stretch", "1", f"stretch of the axis at {name}", Level.SPEED, partial(_first, section.strain)
        )
        form = partial(_first, section.loads)
        yield Signal(f"{name}.axial_force", "N", f"axial force at {name}", Level.SPEED, form)
    if fibres := tuple(section.beam.fibres):
        yield Signal(f"{name}.strain", "1", f"strains of fibres at {name}", Level.SPEED, section.fibre_strains, fibres)
        yield Signal(
            f"{name}.stress", "Pa", f"normal stresses of fibres at {name}", Level.SPEED, section.stresses, fibres
        )


def _three(form: _Form, instant: SystemInstant) -> list[Scalar]:
    return form(instant)[1:]


def _first(form: _Form, instant: SystemInstant) -> Scalar:
    return form(instant)[0]


def _evaluator(instant: SystemInstant) -> Evaluator:
    return Evaluator(instant.scalars, instant.parameter)
