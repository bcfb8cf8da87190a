"""Names of the outputs of beams, which follow from a model alone; `signals.beam_signals` has their definitions."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.model.flexible.station_arm import StationArm


def beam_output_names(arm: StationArm) -> Iterator[str]:
    """Yield the names of outputs that a state determines: of a station, of the root, and of the whole beam."""
    station, root = arm.child.body, arm.parent.body
    yield f"{root}.strain_energy"
    yield from (f"{station}.deflection.{axis}" for axis in "xyz")
    yield from (f"{station}.slope.{axis}" for axis in "yz")
    for place in (root, station):
        yield from (f"{place}.{part}.{axis}" for part in ("curvature", "section_moment") for axis in "xyz")
        if arm.beam.terms["u"]:
            yield from (f"{place}.stretch", f"{place}.axial_force")
        yield from (f"{place}.{part}.{fibre}" for part in ("strain", "stress") for fibre in arm.beam.fibres)


def section_force_names(arm: StationArm) -> Iterator[str]:
    """Yield the names of the forces in the sections of a station and of the root, which follow from accelerations."""
    for place in (arm.parent.body, arm.child.body):
        yield from (f"{place}.section_force.{axis}" for axis in "xyz")
