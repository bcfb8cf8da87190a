"""A flexible beam."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

from gyrostat.model.body import Body
from gyrostat.model.compounds.compound import Compound
from gyrostat.model.flexible.beam_properties import BeamProperties
from gyrostat.model.flexible.elasticity import Elasticity
from gyrostat.model.flexible.station_arm import StationArm
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End, FrozenMapping, MappingKind, QuantityKind
from gyrostat.model.kinds.quantities import ZERO
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value

TIP: Final = "tip"
"""The station that every beam has."""

_ELASTICITY: Final = "elasticity"
_OUTPUTS: Final = (
    "curvature",
    "section_moment",
    "section_force",
    "stretch",
    "axial_force",
    "strain",
    "stress",
    "strain_energy",
)
"""The outputs of the section at the root, and of the whole beam."""


@dataclass(frozen=True)
class Beam(BeamProperties, Compound):
    """A flexible beam along the x axis of its root frame, by Rayleigh and Ritz's method in a floating frame.

    Its name is that of its root frame; `tip` and the other stations are frames of its sections: joints, forces and
    outputs refer to them as "beam.tip". Its coordinates are `beam.v1`, `beam.v2`, … of bending along y, `w1`, … along
    z, `phi1`, … of twist and `u1`, … of stretch. `order=2` has the shortening of the axis by bending, and with it
    centrifugal stiffening and buckling; `order=1` has not.

    >>> import gyrostat as gs
    >>> model = gs.Model("rotor blade", parameters=dict(L=2.0))
    >>> section = gs.sections.Rectangle(y=0.01, z=0.05)
    >>> blade = model.add(gs.Beam("blade", length="L", section=section, E=70e9, density=2700, terms={"v": 2}))
    >>> hub = model.add(gs.Revolute("hub", "ground", "blade"))
    >>> gs.formulate(model).coordinate_names
    ('hub', 'blade.v1', 'blade.v2')
    """

    stations: FrozenMapping = value(
        MappingKind(QuantityKind(), Body.suffixes), {}, doc="distances of sections from the root, by name", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Refuse stations with the names of coordinates and of parts."""
        super().validate(place)
        for name in self.stations:
            if name in (*self.labels, *"xyz", *_OUTPUTS, _ELASTICITY):
                place.inside("stations").inside(name).report("the name has another meaning.", "Choose another name.")

    @property
    def properties(self) -> BeamProperties:
        """The properties of the beam without its name and stations."""
        return BeamProperties(**{field.name: getattr(self, field.name) for field in fields(BeamProperties)})

    def parts(self) -> Iterator[Component]:
        """Yield the root, each station with its arm, and the elasticity."""
        properties = self.properties
        yield Body(self.name, mass=ZERO)
        for station, at in {TIP: self.length, **self.stations}.items():
            name = self.part_name(station)
            yield Body(name, mass=ZERO)
            yield StationArm(f"{name}.arm", End(self.name), End(name), beam=properties, at=Formula.of(at))
        yield Elasticity(self.part_name(_ELASTICITY), of=self.name, beam=properties)
