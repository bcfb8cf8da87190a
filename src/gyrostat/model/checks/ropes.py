"""Check of ropes over pulleys: dimensions by parameters, and winches of ropes with mass."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.forces import Reeving, RopeElement, Winch
from gyrostat.model.place import Place
from gyrostat.model.ropes import Pulley


def rope_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of dimensions, and of winches of ropes with mass."""
    for force in subject.forces.values():
        if isinstance(force, RopeElement):
            place = Place(force.describe())
            force.check_limits(subject.number, place)
            for i, one in enumerate(force.path):
                if isinstance(one, Pulley):
                    one.check_limits(subject.number, place.inside("path").inside(i))
            yield from (subject.fault(force, fault.path, fault.fact, fault.remedy) for fault in place.faults)
            if isinstance(force, Reeving) and force.sag and not any(map(subject.number, subject.model.gravity)):
                fact = "there is no gravity in which the rope could hang."
                yield subject.fault(force, ("sag",), fact, "Give the model gravity=…, or leave out sag.")
    taken: dict[tuple[str, str], str] = {}
    for force in subject.forces.values():
        rope = subject.forces.get(force.rope) if isinstance(force, Winch) else None
        if not isinstance(force, Winch) or not isinstance(rope, Reeving) or not rope.has_mass:
            continue
        if force.joint is None:
            fact = f"rope {rope.name!r} has mass, whose inertia acts on a drum."
            remedy = "Give joint=… and radius=…, and let the joint be driven."
            yield subject.fault(force, ("speed",), fact, remedy)
        elif force.turns is None:
            fact = f"it is missing, and rope {rope.name!r} has mass, which counts on the drum as well."
            yield subject.fault(force, ("turns",), fact, "Give turns=…, those on the full drum in each layer.")
        before = taken.setdefault((rope.name, force.at), force.name)
        if before != force.name:
            fact = f"winch {before!r} is at the {force.at} end of rope {rope.name!r} too, which has mass."
            yield subject.fault(force, ("at",), fact, "A rope with density has one winch at each end at most.")
