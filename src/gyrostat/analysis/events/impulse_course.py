"""A point of an impact at a single contact: speeds, impulses and the work of the normal impulse."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gyrostat.coordinates.arguments import Floats


@dataclass(frozen=True, eq=False)
class ImpulseCourse:
    """Speeds, impulses and work of the normal impulse at a point of the impact."""

    speeds: Floats
    impulses: Floats
    work: float = 0.0
    least: float = 0.0
    """Work at the end of compression, the smallest one where the contact was compressed more than once."""
    goal: float | None = None
    """Work at the end of expansion; None during compression."""

    def moved(self, rate: Floats, direction: Floats, p: float) -> ImpulseCourse:
        """Return the course after a normal impulse p along a direction of impulses; rate = dγ/dp is constant."""
        work = self.work + p * self.speeds[0] + 0.5 * p * p * rate[0]
        return replace(self, speeds=self.speeds + p * rate, impulses=self.impulses + p * direction, work=work)

    def expanding(self, restitution: float) -> ImpulseCourse:
        """Return the course at the end of compression, with the work at which expansion ends."""
        speeds, least = self.speeds.copy(), min(self.work, self.least)
        speeds[0] = 0.0
        return replace(self, speeds=speeds, least=least, goal=least * (1.0 - restitution**2))

    def compressing(self) -> ImpulseCourse:
        """Return the course where the contact approaches again before expansion has ended."""
        return replace(self, goal=None)

    def sticking(self) -> ImpulseCourse:
        """Return the course at the end of sliding."""
        speeds = self.speeds.copy()
        speeds[1:] = 0.0
        return replace(self, speeds=speeds)
