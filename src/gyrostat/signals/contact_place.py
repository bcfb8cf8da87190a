"""Where bodies touch: the contact point whose sliding friction resists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gyrostat.errors import StateError
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.signals.formulas import check_formula
from gyrostat.signals.signal import AXES, Level
from gyrostat.signals.table import SignalTable

_ZERO = (Formula.of(0), Formula.of(0), Formula.of(0))


@dataclass(frozen=True)
class ContactPlace:
    """The point of a body that touches another body, or the sliding speeds there as formulas."""

    end: End | None = None
    """A place on the body; None for the point over whose coordinates the event is written."""
    offset: tuple[Formula, ...] = _ZERO
    """From that place to the contact point, in world axes."""
    against: str = GROUND
    """The other body."""
    sliding: tuple[Formula, ...] = ()
    """Sliding speeds along one or two orthogonal directions, instead of a place."""

    @staticmethod
    def of(at: object, against: str, sliding: object) -> ContactPlace:
        """Return a place from the arguments of `Restitution`."""
        if isinstance(sliding, str) or not isinstance(sliding, Sequence):
            sliding = (sliding,)
        speeds = tuple(Formula.of(one) for one in sliding)
        if len(speeds) > 2:
            raise StateError(
                f"Restitution has {len(speeds)} sliding speeds. Give one, or two in orthogonal directions."
            )
        if speeds and (at is not None or against != GROUND):
            raise StateError(
                "Restitution has sliding speeds and a contact point, which say the same. Give one of them."
            )
        if not isinstance(against, str):
            raise StateError(
                f"Restitution acts against {against!r:.60}, which is not the name of a body. Write a text."
            )
        match at:
            case None:
                return ContactPlace(None, _ZERO, against, speeds)
            case str() as name:
                return ContactPlace(_end(name), _ZERO, against)
            case (str() as name, [_, _, _] as offset):
                return ContactPlace(_end(name), tuple(Formula.of(one) for one in offset), against)
        raise StateError(
            f"Restitution acts at {at!r:.60}, which is no contact point. Write 'body', 'body.point', or one of them "
            "with the way to the contact point in world axes: ('ball', (0, '-r', 0))."
        )

    @property
    def shifted(self) -> bool:
        """Whether the contact point lies beside the place."""
        return any(one.number != 0 for one in self.offset)

    def resolved(self, table: SignalTable, when: Formula, event: str) -> ContactPlace:
        """Return the place with its body, after a check of all names; `when` is the event's function."""
        for one in (*self.sliding, *self.offset):
            check_formula(
                table, one, f"the contact of event {event!r}", Level.SPEED if self.sliding else Level.POSITION
            )
        if self.sliding:
            return self
        model = table.coordinates.topology.model
        if self.against not in (*model.bodies, GROUND):
            hint = did_you_mean(self.against, [*model.bodies, GROUND])
            raise StateError(f"The contact of event {event!r} is against {self.against!r}, which is no body. {hint}")
        if self.end is not None:
            if str(self.end) not in _places(table):
                hint = did_you_mean(str(self.end), _places(table))
                raise StateError(f"The contact of event {event!r} is at {str(self.end)!r}, which is unknown. {hint}")
            return self
        found = sorted({str(end) for name in when.names if (end := place_in(table, name)) and end.body != self.against})
        if len(found) != 1:
            fact = f"refers to {' and '.join(map(repr, found))}" if found else "names no component of a point"
            raise StateError(
                f"Event {event!r} has friction, but its formula {str(when)!r:.60} {fact}, so that the contact point is "
                "not known. Give it with at='body.point', or the sliding speeds with sliding=('…',)."
            )
        return replace(self, end=_end(found[0]))


def place_in(table: SignalTable, name: str) -> End | None:
    """Return the place on a body of which a name is a world component, such as bar.tip of bar.tip.y."""
    owner, _, label = name.rpartition(".")
    exact = table.find(name)
    if label not in AXES or owner not in _places(table) or exact is None or exact.name in table.outputs:
        return None
    return _end(owner)


def _end(name: str) -> End:
    body, _, point = name.partition(".")
    return End(body, point or None)


def _places(table: SignalTable) -> list[str]:
    """Return the names of all bodies, points and frames but those of the ground."""
    bodies = table.coordinates.topology.model.bodies.values()
    return [
        name for body in bodies for name in (body.name, *(f"{body.name}.{p}" for p in (*body.points, *body.frames)))
    ]
