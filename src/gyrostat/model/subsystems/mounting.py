"""The names of a subsystem in the model that uses it, with its ground at a place of that model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gyrostat.errors import Fault, ModelError
from gyrostat.model.body import Body
from gyrostat.model.directory import Directory
from gyrostat.model.forces import ForceElement
from gyrostat.model.frame import Frame
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, SEEN_FROM, did_you_mean
from gyrostat.model.prefix import Prefix

_AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Mounting:
    """The naming in which names begin with that of the subsystem, and its ground is the place `at`.

    A position or velocity in a formula is relative to the ground of the scope that wrote it: unless that is the ground
    of the whole model, "bar.tip.x" becomes "left.bar.tip.seen_from.chassis.pin.x". Other vectors in the axes of the
    ground have no such form and are refused.
    """

    owner: str
    at: End
    directory: Directory
    """The components of the subsystem, in its own names."""

    def name(self, name: str) -> str:
        """Return the name in the model, or raise `ModelError` if it has none."""
        if SEEN_FROM in name:
            place, _, base = name.partition(SEEN_FROM)
            return f"{self._place(place)}{SEEN_FROM}{self._place(base)}"
        if name == GROUND:
            return self.at.body
        if name.startswith(f"{GROUND}."):
            return self._on_ground(name)
        return self._prefixed(name) if self.at == End(GROUND) else self._relative(name)

    def end(self, end: End) -> End:
        """Return the end in the model; the ground is `at`, and places on it are frames that stand there."""
        if end.body != GROUND:
            return End(self._prefixed(end.body), end.name, end.at)
        if end.at is None and end.name is None:
            return self.at
        frame = Frame(end.at) if isinstance(end.at, tuple) else end.at
        frame = self._ground_frame(str(end.name)) if frame is None else replace(frame, on=self._below(frame))
        if not frame.turn and frame.on is None:
            return End(self.at.body, None, frame.at)
        return End(self.at.body, None, frame)

    # --- places on the ground ----------------------------------------------------------------------------------

    def _ground_frame(self, name: str) -> Frame:
        """Return a named place on the ground as a frame on the body of `at`, with names of the model."""
        ground = self.directory.ground
        if name in ground.points:
            point = Frame(ground.points[name]).renamed(Prefix(self.owner))
            return replace(point, on=self._below(point))
        frame: Frame | None = ground.frames.get(name)
        if frame is None:
            fact = f"refers to {GROUND}.{name}, but the ground of the subsystem has no point or frame {name!r}."
            raise _refusal(fact, did_you_mean(name, [*ground.points, *ground.frames]))
        frame = frame.renamed(Prefix(self.owner))
        return replace(frame, on=self._below(frame))

    def _below(self, frame: Frame) -> str | Frame | None:
        """Return the place on the body of `at` on which a frame of the ground, in names of the model, stands."""
        if isinstance(frame.on, Frame):
            return replace(frame.on, on=self._below(frame.on))
        if frame.on is not None:
            return self._ground_frame(frame.on)
        return Frame(self.at.at) if isinstance(self.at.at, tuple) else self.at.at or self.at.name

    # --- names in formulas -------------------------------------------------------------------------------------

    def _prefixed(self, name: str) -> str:
        return f"{self.owner}.{name}"

    def _relative(self, name: str) -> str:
        """Return a name in a formula, where the ground of the subsystem is not that of the model."""
        component, rest = self.directory.split(name)
        if isinstance(component, Body) and rest:
            first, _, tail = rest.partition(".")
            if any(rotor.name == first for rotor in component.rotors):
                return self._prefixed(name)
            place = component.name
            if first in component.points or first in component.frames:
                place, rest = f"{place}.{first}", tail
            if rest.removeprefix("velocity.") in _AXES:
                return f"{self._prefixed(place)}{SEEN_FROM}{self._at(name)}.{rest}"
            raise self._in_ground_axes(name)
        if rest.rpartition(".")[2] in _AXES and self._is_vector(component, name):
            raise self._in_ground_axes(name)
        return self._prefixed(name)

    def _is_vector(self, component: object, name: str) -> bool:
        """Return whether a name with the ending of a component is one of a force or moment, not a coordinate."""
        if isinstance(component, Joint):
            return name not in component.coordinate_names and name not in component.speed_names
        return isinstance(component, ForceElement)

    def _place(self, name: str) -> str:
        """Return one side of a relative motion: a place, with endings such as ".velocity.x" on the second."""
        if name != GROUND and not name.startswith(f"{GROUND}."):
            return self._prefixed(name)
        rest = name.removeprefix(GROUND).removeprefix(".")
        if rest.partition(".")[0] in self._ground_places:
            raise self._named_place(name)
        return f"{self._at(name)}.{rest}" if rest else self._at(name)

    def _on_ground(self, name: str) -> str:
        """Return a component of a position on the ground, which is known only for the ground of the whole model."""
        if self.at == End(GROUND) and name.partition(".")[2].partition(".")[0] not in self._ground_places:
            return name
        raise self._named_place(name)

    @property
    def _ground_places(self) -> Mapping[str, object]:
        return {**self.directory.ground.points, **self.directory.ground.frames}

    def _at(self, name: str) -> str:
        """Return `at` as text."""
        if self.at.at is None:
            return str(self.at)
        fact = f"a formula uses {name!r}, seen from the place {self.at}, which has no name."
        raise _refusal(fact, "Give the body a point or frame there, and use its name as the place of the subsystem.")

    def _in_ground_axes(self, name: str) -> ModelError:
        fact = f"a formula uses {name!r} in axes of the ground, which is at {self.at} here."
        return _refusal(fact, "Use coordinates, or positions and velocities by 'seen_from', or place it on the ground.")

    def _named_place(self, name: str) -> ModelError:
        fact = f"a formula uses {name!r}, a place on the ground of the subsystem, which is at {self.at} here."
        return _refusal(fact, "Use parameters for its position.")


def _refusal(fact: str, remedy: str) -> ModelError:
    return ModelError(Fault("", fact, remedy))
