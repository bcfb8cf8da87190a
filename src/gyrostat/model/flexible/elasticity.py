"""Elasticity of a beam: the loads of its strain energy and its damping on the elastic coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.beam_properties import BeamProperties
from gyrostat.model.flexible.strain_energy import StrainSums, strain_sums
from gyrostat.model.forces.force_element import CoordinateLoad, ForceElement, Load, Motion
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import Quantity, RecordKind, TextKind
from gyrostat.model.record import value
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class Elasticity(ForceElement):
    """The elastic and viscous loads of a beam on its own coordinates."""

    stores_energy: ClassVar[bool] = True
    of: str = value(TextKind(), doc="the name of the beam", keyword=True)
    beam: BeamProperties = value(RecordKind(BeamProperties), doc="the beam", keyword=True)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the loads on the elastic coordinates."""
        names = [f"{self.of}.{label}" for label in self.beam.labels]
        q, u = [motion.coordinate(name) for name in names], [motion.speed(name) for name in names]
        found = self._sums(motion).loads(q, u, motion.evaluate(self.beam.damping))
        yield from (CoordinateLoad(name, load) for name, load in zip(names, found, strict=True))

    @property
    def dampers(self) -> tuple[Quantity, ...]:
        """The damping."""
        return (self.beam.damping,)

    @property
    def laws(self) -> tuple[Quantity, ...]:
        """An empty tuple: all loads are elastic or viscous."""
        return ()

    def potential(self, motion: Motion) -> Scalar:
        """Return the strain energy."""
        return self._sums(motion).energy([motion.coordinate(f"{self.of}.{label}") for label in self.beam.labels])

    def _sums(self, motion: Motion) -> StrainSums:
        return strain_sums(self.beam, Evaluator(motion.scalars, lambda name: motion.evaluate(Formula.of(name))))
