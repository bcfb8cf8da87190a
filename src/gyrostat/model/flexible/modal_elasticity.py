"""Elasticity of a body with modal data: loads −K (q + damping · q̇) on the modal coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.flexible.modal_properties import ModalProperties
from gyrostat.model.flexible.strain_energy import StrainSums
from gyrostat.model.forces.force_element import CoordinateLoad, ForceElement, Load, Motion
from gyrostat.model.kinds import Quantity, RecordKind, TextKind
from gyrostat.model.record import value
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class ModalElasticity(ForceElement):
    """The elastic and viscous loads of a body on its modal coordinates."""

    stores_energy: ClassVar[bool] = True
    of: str = value(TextKind(), doc="the name of the body", keyword=True)
    modal: ModalProperties = value(RecordKind(ModalProperties), doc="the modal data", keyword=True)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the loads on the modal coordinates."""
        names = self._names
        q, u = [motion.coordinate(name) for name in names], [motion.speed(name) for name in names]
        found = self._sums.loads(q, u, motion.evaluate(self.modal.damping))
        yield from (CoordinateLoad(name, load) for name, load in zip(names, found, strict=True))

    @property
    def dampers(self) -> tuple[Quantity, ...]:
        """The damping."""
        return (self.modal.damping,)

    @property
    def laws(self) -> tuple[Quantity, ...]:
        """An empty tuple: all loads are elastic or viscous."""
        return ()

    def potential(self, motion: Motion) -> Scalar:
        """Return the strain energy."""
        return self._sums.energy([motion.coordinate(name) for name in self._names])

    @property
    def _names(self) -> list[str]:
        return [f"{self.of}.{label}" for label in self.modal.labels]

    @property
    def _sums(self) -> StrainSums:
        K = self.modal.stiffness
        pairs = ((i, j) for i in range(len(K)) for j in range(i, len(K)) if K[i][j])
        return StrainSums({(i, j): K[i][j] / 2 if i == j else K[i][j] for i, j in pairs}, ())
