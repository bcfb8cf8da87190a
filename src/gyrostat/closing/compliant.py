"""Loops closed by force elements in the place of constraints (Crous 2000, section 3.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from gyrostat.errors import TopologyError
from gyrostat.model import Model
from gyrostat.model.checks import require_valid
from gyrostat.model.forces import CompliantJoint
from gyrostat.model.formula import Formula
from gyrostat.model.record import Component
from gyrostat.topology import Topology


@dataclass(frozen=True)
class Compliant:
    """Secondary joints as springs and dampers: `formulate(model, closing=gs.Compliant(stiffness, damping))`.

    The system has no constraints for its loops; gaps are loads divided by the stiffness, and its coordinates are those
    of the tree. `length` is the lever by which both coefficients hold for angles. Stiff springs demand short steps of
    explicit integrators, or `gs.Rodas5P()`.
    """

    stiffness: float
    """Stiffness against displacements (N/m)."""
    damping: float = 0.0
    """Damping against displacements (N·s/m)."""
    length: float = 1.0
    """Lever by which they hold for angles (m)."""

    def __post_init__(self) -> None:
        for name, least in (("stiffness", 0.0), ("length", 0.0), ("damping", -1.0)):
            given = getattr(self, name)
            if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
                raise TopologyError(f"gs.Compliant: {name} is {given!r:.40}, which is not a number. Give one.")
            if given <= least or given < 0:
                remedy = "Give zero or more." if name == "damping" else "Give a value above zero."
                raise TopologyError(f"gs.Compliant: {name} is {given:g}. {remedy}")

    def applied(self, topology: Topology) -> Model:
        """Return the model of a topology with its secondary joints as force elements of the same names."""
        stiffness, damping, length = (Formula.of(one) for one in (self.stiffness, self.damping, self.length))
        springs: dict[str, Component] = {}
        for name in topology.chords:
            joint = topology.joints[name]
            if joint.driven:
                raise TopologyError(
                    f"Joint {name!r} closes a loop and is driven: springs do not drive it. Let another joint close the "
                    "loop: formulate(model, cut=[…], closing=…)."
                )
            springs[name] = CompliantJoint(name, replace(joint, name="joint"), stiffness, damping, length=length)
        model = topology.model.exchanged(springs)
        require_valid(model)
        return model
