"""Checks of ropes at a position: paths that exist, ropes long enough for them, and drums with rope on them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gyrostat.analysis.assembly.assemble import Assembly
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.kinematics.driving_inputs import driving_values
from gyrostat.kinematics.placement import place_on_body
from gyrostat.kinematics.state import MotionState
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import PointMotion, RopeElement, Winch
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.model.ropes.course import Course, CourseStop, course_of
from gyrostat.model.ropes.path import stops_at
from gyrostat.scalar.floats import FloatScalars
from gyrostat.spatial import cross, dot, minus
from gyrostat.system import System

_BREAKING_STRAIN = 0.02
"""Strain beyond which a rope is too short for its path: wire ropes break there."""
_TANGENCY_TOLERANCE = 1e-6
"""Largest deviation of a span from tangent between tilted sheaves."""
_CACHE_KEY = "examined rope paths"
"""Key of the system's cache."""


@dataclass(frozen=True)
class _Position:
    """Places on bodies and angles of drums at one position of a system."""

    system: System
    q: Floats
    t: float
    poses: Mapping[str, tuple[Floats, Floats]]
    value: Evaluator
    driving: Mapping[str, float] | None
    """Values of the inputs that drive coordinates; None where they are not known."""
    when: str = "initially"
    """What the position is, for notes."""

    def end(self, end: End) -> PointMotion:
        """Return the pose of a frame on a body, at rest."""
        R_BE, r_BE = place_on_body(self.system.model, end, self.value)
        origin, R_WB = self.poses[end.body]
        x, y, z = (origin + R_WB @ r_BE).tolist()
        first, second, third = (R_WB @ R_BE).tolist()
        rotation = (first[0], first[1], first[2]), (second[0], second[1], second[2]), (third[0], third[1], third[2])
        return PointMotion((x, y, z), (0, 0, 0), rotation, (0, 0, 0))

    def evaluate(self, formula: Formula) -> float:
        """Return the value of a formula of parameters."""
        return float(self.value(formula))

    def angle(self, winch: Winch) -> float:
        """Return the angle of a drum; of one whose joint closes a loop, zero."""
        coordinates = self.system.coordinates
        if winch.joint in coordinates.driven:
            inputs = {**dict.fromkeys(self.system.model.inputs, 0.0), **(self.driving or {})}
            state = MotionState((), (), self.t, inputs)
            return float(state.in_time(coordinates.driven[winch.joint], self.value).value)
        names = self.system.coordinate_names
        return float(self.q[names.index(winch.joint)]) if winch.joint in names else 0.0

    def knows(self, winch: Winch) -> bool:
        """Return whether the angle of a drum is known: inputs that drive it may be those of a run."""
        if self.driving is not None or winch.joint is None:
            return True
        law = self.system.coordinates.driven.get(winch.joint)
        return not isinstance(law, Formula) or not law.names & set(self.system.driving_inputs)


def require_rope_paths(system: System, q: Floats, t: float, parameters: Mapping[str, object] | None) -> list[str]:
    """Return notes as `path_notes`; raise an error that names the lengths, where a rope has no path or a drum is empty.

    Drums that inputs drive are not examined: a run may be given other inputs than the laws of the model. The notes on
    the position examined last are kept.
    """
    given = q.tobytes(), t, system.parameter_values(parameters).tobytes()
    known: tuple[tuple[bytes, float, bytes], list[str]] | None = system.cache.get(_CACHE_KEY)
    if known is None or known[0] != given:
        known = given, list(_examined(system, q, t, parameters, None))
        system.cache.keep(_CACHE_KEY, known)
    return known[1].copy()


def rope_notes(assembly: Assembly) -> list[str]:
    """Return a note on each rope that is too short for its path, or crosses itself."""
    if not assembly.system.ropes:
        return []
    model = assembly.system.model
    return path_notes(assembly.system, assembly.q, 0.0, None, driving_values(model, 0.0, model.values()))


def path_notes(
    system: System, q: Floats, t: float, parameters: Mapping[str, object] | None, driving: Mapping[str, float]
) -> list[str]:
    """Return a note on each rope that is too short for its path at a position, or crosses itself.

    `driving` has the values of the inputs that drive coordinates.
    """
    return list(_examined(system, q, t, parameters, driving))


def notes_at_rest(
    system: System, q: Floats, t: float, parameters: Mapping[str, object] | None, driving: Mapping[str, float]
) -> list[str]:
    """Return the notes of `path_notes` at an equilibrium; of ropes without a path there, the first refusal."""
    if not system.ropes:
        return []
    try:
        return list(_examined(system, q, t, parameters, driving, when="at rest"))
    except StateError as error:
        return [str(error)]


def _examined(
    system: System,
    q: Floats,
    t: float,
    parameters: Mapping[str, object] | None,
    driving: Mapping[str, float] | None,
    *,
    when: str = "initially",
) -> Iterator[str]:
    model, values = system.model, system.model.values(parameters)
    found = system.poses(q, t=t, parameters=parameters)
    poses = {name: (np.asarray(found[name].position), np.asarray(found[name].rotation)) for name in system.bodies}
    place = _Position(system, q, t, poses | {GROUND: (np.zeros(3), np.eye(3))}, model.evaluator(values), driving, when)
    for force in model.forces.values():
        if isinstance(force, RopeElement):
            yield from _rope(force, place)
        elif isinstance(force, Winch) and place.knows(force):
            _require_rope_on_drum(force, place)


def _rope(rope: RopeElement, place: _Position) -> Iterator[str]:
    stops = stops_at(rope.path, place)
    _require_apart(rope, stops)
    course = course_of(stops, FloatScalars(), closed=rope.closed)
    lifting = {pulley.name for pulley in rope.pulleys if pulley.lifts}
    for name, wrap in course.wraps.items():
        if wrap < 0 and name not in lifting:
            raise StateError(
                f"Rope {rope.name!r} does not touch pulley {name!r}: on this side its wrap angle would be "
                f"{math.degrees(wrap):.4g}°. Exchange side='left' and 'right', change the order of the path, or give "
                "lifts=True if the rope comes to lie on it later."
            )
    worst = max((abs(one) for leg in course.legs for one in leg.mismatch), default=0.0)
    if worst > _TANGENCY_TOLERANCE:
        raise StateError(
            f"A span of rope {rope.name!r} between two tilted sheaves is found to {worst:.2g} only. The sheaves are "
            "too near to each other for the angle between their planes; put a guide pulley between them."
        )
    yield from _crossings(rope, course)
    winches = [one for one in place.system.model.forces.values() if isinstance(one, Winch) and one.rope == rope.name]
    if not all(place.knows(one) for one in winches):
        return
    length, own = float(course.length), _unstretched(rope, winches, place)
    if own <= 0:
        raise StateError(
            f"Rope {rope.name!r} has a length of {own:.4g} m with what its winches have taken in. Give a longer rope."
        )
    if length / own - 1 > _BREAKING_STRAIN:
        pull = "" if rope.EA is None else f", with a tension of {place.evaluate(rope.EA) * (length / own - 1):.4g} N"
        yield f"rope {rope.name!r} is too short for its path {place.when}: {own:.6g} m for {length:.6g} m{pull}."


def _crossings(rope: RopeElement, course: Course) -> Iterator[str]:
    """Yield a note on each sheave before and after which spans cross, seen along its axis."""
    for arc in course.arcs:
        before, after = arc.arriving, arc.leaving
        if before is None or after is None or arc.wrap % (2 * math.pi) <= math.pi:
            continue
        into, out = np.array(before.arriving, float), np.array(after.leaving, float)
        away = np.subtract(after.points[0], before.points[-1])
        axis = np.array(arc.station.axis, float)
        turn = float(axis @ np.cross(into, out))
        if abs(turn) < _TANGENCY_TOLERANCE:
            continue
        back, forth = (float(axis @ np.cross(away, one)) / turn for one in (out, into))
        if -float(before.length) < back < 0 < forth < float(after.length):
            yield (
                f"rope {rope.name!r} crosses itself at pulley {arc.name!r}, with a wrap angle of "
                f"{math.degrees(arc.wrap):.4g}°: should the sheave be on its other side?"
            )


def _unstretched(rope: RopeElement, winches: list[Winch], place: _Position) -> float:
    """Return the length without tension, with what drums have paid out."""
    paid = [one.paid_out(place.angle(one), place.evaluate) for one in winches if one.joint is not None]
    return place.evaluate(rope.length) + sum(paid)


def _require_apart(rope: RopeElement, stops: list[CourseStop]) -> None:
    """Raise an error where a station lies within the sheave before or after it."""
    around = [*stops, stops[0]] if rope.closed else stops
    for stop in stops:
        if not stop.station.is_point and not stop.station.radius > 0:
            raise StateError(
                f"Pulley {stop.name!r} of rope {rope.name!r} has a radius of {float(stop.station.radius):.4g} m. "
                "Give a value above zero."
            )
    for one, other in pairwise(around):
        for sheave, next_to in ((one.station, other.station), (other.station, one.station)):
            if sheave.is_point:
                continue
            distance = math.hypot(*cross(sheave.axis, minus(next_to.centre, sheave.centre)))
            same = next_to.is_point or sheave.sense * next_to.sense * dot(sheave.axis, next_to.axis) > 0
            least = abs(sheave.radius - next_to.radius) if same else sheave.radius + next_to.radius
            if distance <= least:
                name = one.name if sheave is one.station else other.name
                neighbour = (other if sheave is one.station else one).name or str(next_to.end)
                raise StateError(
                    f"Rope {rope.name!r} penetrates the sheave of pulley {name!r}: {neighbour} is {distance:.4g} m "
                    f"from its axis, and the rope needs more than {least:.4g} m. Change the radius or the place."
                )


def _require_rope_on_drum(winch: Winch, place: _Position) -> None:
    """Raise an error where the angle of a drum is beyond its last layer."""
    if winch.joint is None or winch.turns is None:
        return
    angle, whole = place.angle(winch), 2 * math.pi * place.evaluate(winch.turns) * winch.layers
    if angle > whole:
        out, holds = (winch.paid_out(one, place.evaluate) for one in (angle, whole))
        raise StateError(
            f"The drum of winch {winch.name!r} is empty: {winch.joint} is {angle:.4g} rad, at which {out:.4g} m would "
            f"be paid out, and it holds {holds:.4g} m. Start at a smaller angle, or give more turns or layers."
        )
