"""Orientations given by angles, in the place of Euler parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gyrostat.errors import StateError
from gyrostat.model.joints import Spherical
from gyrostat.model.names import first_few
from gyrostat.once import cached_property
from gyrostat.system import System


@dataclass(frozen=True)
class EulerAngles(Mapping[str, str]):
    """Successive turns about axes of the turned frame; `euler` makes them.

    As a mapping it has the Euler parameters e0 to e3, formulas of the angles, as joints label them.
    """

    axes: str
    angles: tuple[object, ...]

    def __getitem__(self, label: str) -> str:
        return self._parameters[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __len__(self) -> int:
        return len(self._parameters)

    @cached_property
    def _parameters(self) -> dict[str, str]:
        """The unit quaternion of the turns: e' = e (c + s a), with c and s of half the angle and a the axis."""
        found: list[list[str]] = [["1"], [], [], []]
        for axis, angle in zip(self.axes, self.angles, strict=True):
            a = "xyz".index(axis) + 1
            b, c = a % 3 + 1, (a + 1) % 3 + 1  # a, b, c is a cyclic order
            turned = [(0, a, "-"), (a, 0, ""), (b, c, ""), (c, b, "-")]
            cosine, sine = (f"{name}(({angle})/2)" for name in ("cos", "sin"))
            new: list[list[str]] = [[], [], [], []]
            for place, other, sign in turned:
                new[place] = [_times(term, cosine) for term in found[place]]
                new[place] += [_times(term, sine, sign) for term in found[other]]
            found = new
        return {f"e{i}": " + ".join(f"({term})" for term in terms) or "0" for i, terms in enumerate(found)}


def _times(term: str, factor: str, sign: str = "") -> str:
    return sign + (factor if term == "1" else f"({term})*{factor}")


def euler(axes: str, *angles: object) -> EulerAngles:
    """Return the orientation after turns about axes of the turned frame, in order, for initial values of a joint.

    Angles are in radians, or formulas: initial={"hoist": gs.euler("zyx", "30*deg", 0.1, 0)} turns about z, then about
    the new y, then about the new x. A joint itself takes initial=gs.euler(…), or beside other values
    initial={"x": 1, **gs.euler(…)}.

    >>> euler("zx", "90*deg", 0.1)
    EulerAngles(axes='zx', angles=('90*deg', 0.1))
    """
    if not isinstance(axes, str) or not axes or set(axes) - set("xyz"):
        raise StateError(f"The axes of Euler angles are {axes!r:.60}. Give letters x, y, z in order, as in 'zyx'.")
    if len(angles) != len(axes):
        raise StateError(f"Euler angles about {axes!r} need {len(axes)} angles; {len(angles)} are given.")
    return EulerAngles(axes, angles)


def by_coordinates(system: System, given: Mapping[str, object] | None) -> Mapping[str, object] | None:
    """Return values by names of coordinates; orientations given by angles are written in those of their joints."""
    if not given:
        return None
    if not isinstance(given, Mapping):
        raise StateError(f"Coordinates are given as {given!r:.60}. Give values by name, such as {{'a1': 0.1}}.")
    if EulerAngles not in map(type, given.values()):
        return given
    found: dict[str, object] = {}
    for name, value in given.items():
        if not isinstance(value, EulerAngles):
            found[name] = value
            continue
        joint = system.model.joints.get(name) or system.coordinates.elements.get(name)
        labels = () if joint is None else joint.coordinate_names
        if f"{name}.e0" in labels:
            found |= {f"{name}.{label}": formula for label, formula in value.items()}
        elif isinstance(joint, Spherical) and joint.angles == value.axes:
            found |= dict(zip(labels, value.angles, strict=True))
        else:
            raise StateError(_refusal(system, name, labels))
    return found


def _refusal(system: System, name: str, labels: tuple[str, ...]) -> str:
    turning = [one for one, joint in system.model.joints.items() if f"{one}.e0" in joint.coordinate_names]
    have = f"It has {first_few(labels)}: give these." if labels else "There is no such joint."
    others = f" Joints with Euler parameters: {first_few(turning)}." if turning else ""
    return f"{name!r} has no Euler parameters, which angles could give. {have}{others}"
