"""Division of both realisations of a rope: segments, ends, pulleys and laws of contact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.contacts import NormalLaw
from gyrostat.model.forces import SheaveContact
from gyrostat.model.formula import Formula
from gyrostat.model.friction import Coulomb, FrictionLaw
from gyrostat.model.kinds import End, Quantity
from gyrostat.model.ropes.pulley import Pulley


@dataclass(frozen=True)
class RopeContacts:
    """The laws of contact with the pulleys of a rope."""

    owner: str
    pulleys: tuple[Pulley, ...]
    lines: tuple[Quantity | None, ...]
    """Radii of the rope's centre line on the pulleys, where they are not those of its points."""
    normal: NormalLaw | None
    friction: FrictionLaw | None
    creep_speed: Quantity
    side_stiffness: Quantity
    side_damping: Quantity
    side_load: Quantity | None

    def at(self, label: str, point: End) -> Iterator[SheaveContact]:
        """Yield the contacts of one point of the rope with all pulleys."""
        for pulley, line in zip(self.pulleys, self.lines, strict=True):
            assert self.normal is not None, "a rope over pulleys has a normal law"
            yield SheaveContact(
                f"{self.owner}.{pulley.name}.{label}",
                point,
                pulley,
                self.normal,
                self._friction_of(pulley),
                side_stiffness=self.side_stiffness,
                side_damping=self.side_damping,
                side_load=self.side_load,
                line=line,
            )

    def _friction_of(self, pulley: Pulley) -> FrictionLaw | None:
        """Return the friction law of the rope, or Coulomb's with the coefficient of the pulley."""
        if self.friction is not None or pulley.mu.number == 0:
            return self.friction
        return Coulomb(pulley.mu, self.creep_speed)


def share(whole: Quantity, parts: int | float) -> Quantity:
    """Return a whole divided by a number of parts."""
    return Formula.of(whole.number / parts) if whole.number is not None else Formula.of(f"({whole})/{parts}")
