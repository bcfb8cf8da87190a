"""The course of a rope in a plane: straight spans and arcs on circles, along which a chain of chords is laid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from gyrostat.errors import StateError

Floats: TypeAlias = NDArray[np.float64]


class LaidCircle(NamedTuple):
    """A circle on the course, with the sense in which the rope runs about it; an end is a circle without radius."""

    name: str
    centre: Floats
    """In the plane, shape (2,)."""
    radius: float = 0.0
    sense: int = 1
    turns: int = 0
    """Whole turns beside the angle between the spans."""


@dataclass(frozen=True)
class LaidPiece:
    """A piece of the course: a line (curvature 0) or an arc, by the place and direction at its start."""

    start: Floats
    heading: float
    """Angle of the direction of the rope (rad)."""
    length: float
    curvature: float = 0.0
    name: str = ""
    """The name of the circle of an arc."""

    @property
    def end(self) -> Floats:
        """The place at its end."""
        return self.at(self.length)

    def at(self, s: float) -> Floats:
        """Return the place at a distance from the start of the piece, also beyond its end."""
        if self.curvature == 0.0:
            return self.start + s * np.array([math.cos(self.heading), math.sin(self.heading)])
        k, turned = self.curvature, self.heading + self.curvature * s
        way = [math.sin(turned) - math.sin(self.heading), math.cos(self.heading) - math.cos(turned)]
        return self.start + np.array(way) / k


@dataclass(frozen=True)
class LaidCourse:
    """Pieces one after the other; the first and the last go on straight without end."""

    pieces: tuple[LaidPiece, ...]

    @property
    def length(self) -> float:
        """The length of all pieces."""
        return sum(piece.length for piece in self.pieces)

    def at(self, s: float) -> Floats:
        """Return the place at a distance from the start."""
        for piece in self.pieces[:-1]:
            if s < piece.length:
                return piece.at(s)
            s -= piece.length
        return self.pieces[-1].at(s)

    @property
    def crossings(self) -> list[tuple[str, float]]:
        """Circles before and after which the course crosses itself, with the angles by which it turns there."""
        found = []
        for before, arc, after in zip(self.pieces, self.pieces[1:], self.pieces[2:], strict=False):
            turn = abs(arc.length * arc.curvature)
            if math.pi < turn < 2 * math.pi and _cross(before, after):
                found.append((arc.name, turn))
        return found

    def chords(self, begin: float, chords: Floats) -> tuple[Floats, float]:
        """Return the corners of n chords from a distance on, shape (n + 1, 2), and the distance reached."""
        places, s = [self.at(begin)], begin
        for chord in chords.tolist():
            s = self._after(s, chord)
            places.append(self.at(s))
        return np.array(places), s

    def _after(self, s: float, chord: float) -> float:
        """Return the distance along the course at which a chord from a distance s ends."""
        here = self.at(s)

        def excess(end: float) -> float:
            return float(np.linalg.norm(self.at(end) - here)) - chord

        far = s + chord
        while excess(far) < -1e-15 * chord:
            far += 0.25 * chord
            if far > s + 50 * chord:
                raise StateError("A segment of the rope is longer than a pulley is wide. Use more segments.")
        return far if excess(far) <= 1e-15 * chord else float(brentq(excess, s, far, xtol=1e-14))


def course_over(circles: Sequence[LaidCircle], down: float, free: tuple[bool, bool]) -> LaidCourse:
    """Return the course over circles; at free ends it begins, or ends, where it is vertical.

    `down` is the angle of gravity in the plane. Circles at free ends are left out by the caller.
    """
    headings = [_tangent(a, b) for a, b in pairwise(circles)]
    if free[0]:
        headings.insert(0, (down + math.pi, 0.0))
    if free[1]:
        headings.append((down, 0.0))
    pieces: list[LaidPiece] = []
    wound = circles if free[0] else circles[1:]
    if not free[0]:
        heading, length = headings.pop(0)
        pieces.append(LaidPiece(circles[0].centre, heading, length))
    else:
        arriving, _ = headings.pop(0)
        pieces.append(LaidPiece(_on(circles[0], arriving), arriving, 0.0))
    for circle, (heading, length) in zip(wound, headings, strict=False):
        before = pieces[-1]
        turn = (circle.sense * (heading - before.heading)) % (2 * math.pi)
        if turn > 2 * math.pi - 1e-9:
            turn = 0.0
        turn += 2 * math.pi * circle.turns
        if circle.radius > 0.0:
            pieces.append(
                LaidPiece(
                    _on(circle, before.heading),
                    before.heading,
                    circle.radius * turn,
                    circle.sense / circle.radius,
                    circle.name,
                )
            )
        pieces.append(LaidPiece(_on(circle, heading), heading, length))
    return LaidCourse(tuple(pieces))


def _cross(one: LaidPiece, other: LaidPiece) -> bool:
    """Return whether two straight pieces have a common point."""
    a, b, away = one.end - one.start, other.end - other.start, other.start - one.start
    area = a[0] * b[1] - a[1] * b[0]
    if abs(area) <= 1e-12 * one.length * other.length:
        return False
    along, beyond = ((away[0] * w[1] - away[1] * w[0]) / area for w in (b, a))
    return bool(0 < along < 1 and 0 < beyond < 1)


def _on(circle: LaidCircle, heading: float) -> Floats:
    """Return the place on a circle where the rope has a direction."""
    return circle.centre + circle.sense * circle.radius * np.array([math.sin(heading), -math.cos(heading)])


def _tangent(a: LaidCircle, b: LaidCircle) -> tuple[float, float]:
    """Return direction and length of the span from one circle to the next."""
    way = b.centre - a.centre
    distance, offset = float(np.linalg.norm(way)), b.sense * b.radius - a.sense * a.radius
    if distance <= abs(offset):
        raise StateError(
            f"No straight span leads from {a.name} to {b.name}: they are {distance:.4g} m apart, less than the "
            f"{abs(offset):.4g} m that their radii need on these sides. Move one of them, or change a side or a radius."
        )
    heading = math.atan2(way[1], way[0]) - math.asin(offset / distance)
    return heading, math.sqrt(distance**2 - offset**2)


def hung_chords(span: float, rise: float, chords: Floats) -> Floats:
    """Return the corners of a hanging chain of n heavy links between two places, shape (n + 1, 2).

    The direction of link i is (H, V − W_i), with the weight W_i of all links before it and half of its own; the unit of
    force is the mean weight of a link. That is exact for rigid links, and for point masses at the corners. Heights are
    upward.
    """
    count, chord = chords.size, float(chords.mean())
    weights = chords / chord
    before = np.cumsum(weights) - weights / 2

    def corners(unknowns: Floats) -> Floats:
        pull, lift = unknowns
        steps = np.stack([np.full(count, pull), before - lift], axis=1)
        steps *= chords[:, None] / np.linalg.norm(steps, axis=1)[:, None]
        return np.vstack([np.zeros(2), np.cumsum(steps, axis=0)])

    aim = np.array([span, rise])
    unknowns = np.array([0.5 * count * max(span, 1e-3 * chord) / (count * chord), 0.5 * count])
    for _ in range(200):
        missing = aim - corners(unknowns)[-1]
        if np.abs(missing).max() < 1e-14 * count * chord:
            break
        small = 1e-7 * count
        slopes = np.stack(
            [(corners(unknowns + small * e)[-1] - corners(unknowns - small * e)[-1]) / (2 * small) for e in np.eye(2)],
            1,
        )
        change = np.linalg.solve(slopes, missing)
        change *= min(1.0, 0.5 * abs(unknowns[0]) / max(abs(change[0]), 1e-300))  # the pull stays positive
        unknowns = unknowns + change
    return corners(unknowns)
