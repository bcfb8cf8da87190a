"""Laying a rope: the coordinates at which it lies on its path, hangs, or is straight."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from scipy.optimize import brentq

from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.analysis.assembly.initial_state import initial_state
from gyrostat.analysis.assembly.rope_coordinates import link_coordinates, node_coordinates
from gyrostat.analysis.assembly.rope_course import Floats, LaidCircle, LaidCourse, course_over, hung_chords
from gyrostat.errors import StateError
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model import Model
from gyrostat.model.compounds import Rope
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.model.ropes.pulley import Pulley
from gyrostat.program.warning import GyrostatWarning
from gyrostat.results.text_table import NotebookText
from gyrostat.system import System, system_of

_LONGEST_STRETCH = 1.05
"""The largest ratio of a path to the length of an elastic rope that is laid on it."""


class RopeShape(NotebookText, Enum):
    """How a rope is laid."""

    WRAPPED = "wrapped"
    CATENARY = "catenary"
    STRAIGHT = "straight"


def lay_rope(
    system: System | Model,
    rope: str,
    shape: RopeShape | str = RopeShape.WRAPPED,
    *,
    depth: float = 0.0,
    initial: Mapping[str, object] | None = None,
    parameters: Mapping[str, object] | None = None,
) -> dict[str, float]:
    """Return the coordinates of a system with a rope laid out, as initial values, or as a guess of an equilibrium.

    `wrapped`: on its pulleys, with straight spans between them; a free end hangs from the last pulley, two free ends
    with equal lengths. `catenary`: hanging between its ends. `straight`: from its first end towards the last, or down.
    The places of ends and pulleys are those of the initial values of the model and of `initial`; a body that hangs on
    the end of the rope goes with it. All pulleys have one common plane. With a `depth` (m) the rope is pressed so far
    into its pulleys; for a guess of an equilibrium choose about what their stiffness yields, so that contacts carry.

    >>> import gyrostat as gs
    >>> model = gs.Model("chain", gravity=(0, -9.81, 0))
    >>> ends = [("ground", (0, 0, 0)), ("ground", (2, 0, 0))]
    >>> rope = model.add(gs.Rope("rope", ends, segments=4, length=3, density=0.5, realisation="links"))
    >>> laid = gs.lay_rope(model, "rope", "catenary")
    >>> round(laid["rope.j0"], 4)
    -1.0706
    """
    system = system_of(system)
    try:
        chosen = RopeShape(shape)
    except ValueError:
        words = [one.value for one in RopeShape]
        raise StateError(f"{shape!r:.40} is not a shape of a rope. {did_you_mean(str(shape), words)}") from None
    site = replace(RopeSite.of(system, rope, initial, parameters), depth=float(depth))
    corners = {
        RopeShape.WRAPPED: site.wrapped,
        RopeShape.CATENARY: site.hanging,
        RopeShape.STRAIGHT: site.straight,
    }[chosen]()
    found: dict[str, object] = dict(initial or {})
    if site.rope.realisation == "nodes":
        found |= node_coordinates(site.rope, corners, site.pose_of)
    else:
        found |= link_coordinates(system, site.rope, corners, site.pose_of, site.value)
    places = system.coordinates.place_of
    found = {name: value for name, value in found.items() if name in places}
    state = assemble(system, guess=found, parameters=parameters).state
    return {name: state[name] for name in system.coordinate_names}


@dataclass(frozen=True)
class RopeSite:
    """A rope with the poses of its ends and pulleys at an instant, in world axes."""

    rope: Rope
    length: float
    gravity: Floats
    ends: tuple[Floats | None, Floats | None]
    """The places of the ends; None where an end is free."""
    circles: tuple[tuple[Pulley, Floats, Floats, float], ...]
    """Pulleys with centre, axis and radius."""
    poses: Mapping[str, tuple[Floats, Floats]]
    """Rotation and position of the bodies."""
    system: System
    value: Evaluator
    """Values of formulas with the parameters of the call."""
    depth: float = 0.0
    """By how much the rope is pressed into pulleys (m)."""

    @staticmethod
    def of(
        system: System, name: str, initial: Mapping[str, object] | None, parameters: Mapping[str, object] | None
    ) -> RopeSite:
        """Return the site of a rope; other names are refused."""
        model = system.model
        ropes = {one.name: one for one in model.owners.values() if isinstance(one, Rope)}
        if name not in ropes:
            raise StateError(f"There is no rope {name!r}. {did_you_mean(name, ropes)}")
        rope, value = ropes[name], model.evaluator(parameters)
        seen = system.poses(initial_state(system, initial, parameters).q, parameters=parameters)
        poses = {body: (np.asarray(pose.rotation), np.asarray(pose.position)) for body, pose in seen.items()}
        site = RopeSite(
            rope,
            float(value(rope.length)),
            np.array(value.vector(model.gravity), dtype=float),
            (None, None),
            (),
            poses,
            system,
            value,
        )
        first, last = (None if end is None or site.hangs(end) else site.pose_of(end)[1] for end in rope.ends)
        circles = []
        for pulley in rope.pulleys:
            R_WP, centre = site.pose_of(pulley.frame)
            circles.append((pulley, centre, R_WP[:, 2], float(value(pulley.radius))))
        return replace(site, ends=(first, last), circles=tuple(circles))

    def pose_of(self, end: End) -> tuple[Floats, Floats]:
        """Return rotation and position of an end in world axes."""
        R_BE, r_BE = place_on_body(self.system.model, end, self.value)
        R_WB, r_WB = (np.eye(3), np.zeros(3)) if end.body == GROUND else self.poses[end.body]
        return R_WB @ R_BE, r_WB + R_WB @ r_BE

    def hangs(self, end: End) -> bool:
        """Return whether a body is carried by the rope, so that the end goes where the rope does."""
        tree = self.system.coordinates.topology.tree
        start = f"{self.rope.name}."
        return end.body != GROUND and any(one.startswith(start) for one in tree.chain(end.body))

    @property
    def chords(self) -> Floats:
        """The lengths of the segments."""
        return self.length * np.array(self.rope.fractions)

    @property
    def chord(self) -> float:
        """The length of the shortest segment, as they are on pulleys."""
        return float(self.chords.min())

    @property
    def down(self) -> Floats:
        """The direction of gravity."""
        size = float(np.linalg.norm(self.gravity))
        if size == 0.0:
            raise StateError(f"Rope {self.rope.name!r} has a free end, and there is no gravity that it could follow.")
        return self.gravity / size

    # --- shapes, as corners in world axes (segments + 1, 3) --------------------------------------------------------

    def straight(self) -> Floats:
        """Return a straight rope."""
        first, last = self.ends
        start = np.zeros(3) if first is None else first
        way = self.down if last is None else last - start
        size = float(np.linalg.norm(way))
        if last is not None:
            self._require_length(size)
        along = np.concatenate([[0.0], np.cumsum(self.chords)]) * (1.0 if last is None else size / self.length)
        return np.asarray(start + along[:, None] * way / size)

    def hanging(self) -> Floats:
        """Return a chain that hangs between both ends."""
        first, last = self.ends
        if first is None or last is None:
            raise StateError(f"Rope {self.rope.name!r} has a free end: no catenary. Use shape='straight'.")
        up = -self.down
        way = last - first
        self._require_length(float(np.linalg.norm(way)))
        rise = float(way @ up)
        level = way - rise * up
        span = float(np.linalg.norm(level))
        flat = hung_chords(span, rise, self.chords) if span > 1e-6 * self.length else None
        if flat is None or np.abs(flat[-1] - (span, rise)).max() > 1e-9 * self.length:
            raise StateError(
                f"Rope {self.rope.name!r} of {self.length:.6g} m hangs double: its ends are {span:.3g} m apart "
                "sideways. Move an end, use shape='straight', or give initial values of the rope by name."
            )
        return np.asarray(first + flat[:, :1] * level / span + flat[:, 1:] * up)

    def wrapped(self) -> Floats:
        """Return the rope on its pulleys."""
        if not self.circles:
            return self.straight()
        origin, normal = self.circles[0][1], self.circles[0][2]
        across = self._in_plane(normal)
        axes = np.stack([across, np.cross(normal, across)])
        circles = []
        for pulley, centre, axis, radius in self.circles:
            if abs(abs(float(axis @ normal)) - 1.0) > 1e-9 or abs(float((centre - origin) @ normal)) > 1e-9 * radius:
                raise StateError(
                    f"Pulleys {self.circles[0][0].name!r} and {pulley.name!r} of rope {self.rope.name!r} are not in "
                    "one plane. Give initial values of the rope by name."
                )
            sense = pulley.sense if axis @ normal > 0 else -pulley.sense
            place, name = axes @ (centre - origin), f"pulley {pulley.name!r}"
            circles.append(LaidCircle(name, place, self._line(radius), sense, pulley.turns))
        ends = [None if end is None else LaidCircle("an end", axes @ (end - origin)) for end in self.ends]
        free = ends[0] is None, ends[1] is None
        stations = [*([ends[0]] if ends[0] else []), *circles, *([ends[1]] if ends[1] else [])]
        down = math.atan2(*(axes @ self.down)[::-1]) if any(free) else 0.0
        course = course_over(stations, down, free)
        for name, turn in course.crossings:
            warnings.warn(
                f"Rope {self.rope.name!r} crosses itself at {name}, with a wrap angle of {math.degrees(turn):.4g}°: "
                "should the sheave be on its other side?",
                GyrostatWarning,
                stacklevel=4,
            )
        flat = self._course_corners(course, free)
        return np.asarray(origin + flat @ axes)

    def _in_plane(self, normal: Floats) -> Floats:
        """Return a direction normal to a given one."""
        trial = np.eye(3)[int(np.argmin(np.abs(normal)))]
        found = trial - (trial @ normal) * normal
        return np.asarray(found / np.linalg.norm(found))

    def _line(self, radius: float) -> float:
        """Return the radius on which the corners of segments lie on a pulley."""
        if self.rope.realisation == "nodes":
            return radius + self.chord**2 / (24 * radius) - self.depth
        pressed = radius - self.depth
        return math.hypot(pressed, self.chord / 2) if self.rope.contact == "centres" else pressed

    def _course_corners(self, course: LaidCourse, free: tuple[bool, bool]) -> Floats:
        """Return the corners on a course, in its plane."""
        self._require_length(course.length)
        chords = self.chords
        if not any(free):
            return course.chords(0.0, self._length_factor(course) * chords)[0]
        if not all(free):
            if free[1]:
                return course.chords(0.0, chords)[0]
            begin = float(brentq(lambda s: course.chords(s, chords)[1] - course.length, -self.length, 0.0))
            return course.chords(begin, chords)[0]
        # equal lengths hang on both sides: the start is as far above the first piece as the end is below the last
        begin = float(
            brentq(
                lambda s: course.chords(s, chords)[1] - course.length + s,
                -self.length,
                self.length,
                xtol=1e-14,
            )
        )
        return course.chords(begin, chords)[0]

    def _length_factor(self, course: LaidCourse) -> float:
        """Return the factor of all segments with which they end at the end of the course."""
        guess, chords = course.length / self.length, self.chords

        def excess(factor: float) -> float:
            return course.chords(0.0, factor * chords)[1] - course.length

        return float(brentq(excess, 0.8 * guess, guess * (1 + 1e-12), xtol=1e-15))

    def _require_length(self, needed: float) -> None:
        """Refuse a path that is longer than the rope."""
        most = self.length * (
            1 + 1e-9 if self.rope.EA is None or self.rope.realisation == "links" else _LONGEST_STRETCH
        )
        if needed > most:
            raise StateError(
                f"Rope {self.rope.name!r} is {self.length:.6g} m long, its path {needed:.6g} m. Give a longer rope, or "
                "move its ends and pulleys."
            )
