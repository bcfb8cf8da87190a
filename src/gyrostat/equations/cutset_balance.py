"""Forces and torques through all elements, summed over the bodies of a cutset (McPhee 2002, part 4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gyrostat.equations.dynamics import joint_loads
from gyrostat.equations.loads import applied_loads
from gyrostat.equations.through_variables import ThroughVariable, through_variables
from gyrostat.kinematics.constraint_loads import ConstraintLoads
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import Load
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, subtract
from gyrostat.spatial import ZERO, Vector, dot, plus


@dataclass(frozen=True, eq=False)
class CutsetBalance:
    """The through variables of all elements of a mechanism for given u̇ and loads of constraints."""

    motion: WorldMotion
    rates: Sequence[Scalar]
    held: ConstraintLoads

    @cached_property
    def _through(self) -> dict[tuple[str, str], ThroughVariable]:
        """The load of each element on each body."""
        motion, rates = self.motion, list(self.rates)
        forces = motion.tree.coordinates.topology.model.forces
        loads: dict[str, list[Load]] = {name: list(force.loads(motion)) for name, force in forces.items()}
        found = joint_loads(motion, rates, applied_loads(motion, extra=self.held.total))
        return through_variables(found, rates, self.held.of_chords, {**loads, **self.held.of_components})

    def of_element(self, element: str, bodies: Collection[str], quantity: str) -> Vector:
        """Return the force ("F") or torque ("T") of an element on all bodies of a cutset together."""
        found = ZERO
        for (name, body), through in self._through.items():
            if name == element and body in bodies:
                found = plus(found, through.force if quantity == "F" else through.torque)
        return found

    def projected(self, branch: str, torques: Collection[str], forces: Collection[str], speed: str) -> Scalar:
        """Return the sum of all terms but the branch's own, along the direction of one of its speeds.

        `torques` and `forces` are the bodies of the two cutsets of the branch; one that it does not have is empty.
        """
        place = self.motion.tree.coordinates.place_of[speed][1]
        mode = self.motion.speed_mode(place)
        torque, force = self._total(branch, torques, "T"), self._total(branch, forces, "F")
        rotor = multiply(self.motion.tree.armatures.get(place, 0), self.rates[place])
        return subtract(add(dot(mode.angular, torque), dot(mode.linear, force)), rotor)

    def _total(self, branch: str, bodies: Collection[str], quantity: str) -> Vector:
        """Return the sum over the bodies of a cutset, without the branch.

        Elements within the cutset cancel, but for the couple of a force across a slide that closes a loop: its two ends
        are at different places.
        """
        found = ZERO
        for (name, body), through in self._through.items():
            if body in bodies and (name != branch or branch in bodies):
                found = plus(found, through.force if quantity == "F" else through.torque)
        return found
