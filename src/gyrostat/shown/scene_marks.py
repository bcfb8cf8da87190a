"""Marks that a scene shows beside the motion of a mechanism."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gyrostat.errors import PictureError
from gyrostat.shown.arrows import ALL_ARROWS
from gyrostat.shown.tones import checked_quantity


@dataclass(frozen=True, kw_only=True)
class SceneMarks:
    """Arrows, axes and colours of a scene, and how it opens.

    `forces` are components whose loads are drawn as arrows, or "all"; `vectors` are outputs such as bar.tip.velocity;
    `frames` are bodies, points and frames whose axes are drawn; `colour` is a quantity by which bodies are coloured:
    "speed" or "energy", or "moment" for beams. With `beside` compared runs are side by side, and an animation opens at
    the time `poster`, paused.
    """

    forces: Iterable[str] = ()
    vectors: Iterable[str] = ()
    frames: Iterable[str] = ()
    colour: str | None = None
    beside: bool = False
    poster: float | None = None

    def __post_init__(self) -> None:
        if self.forces == ALL_ARROWS:
            object.__setattr__(self, "forces", (ALL_ARROWS,))
        for name in ("forces", "vectors", "frames"):
            object.__setattr__(self, name, listed(name, getattr(self, name)))
        if self.colour is not None:
            checked_quantity(self.colour)


def listed(name: str, given: Iterable[str]) -> tuple[str, ...]:
    """Return names as a tuple; refuse a single text, whose letters would be taken for names."""
    if isinstance(given, str):
        raise PictureError(f"{name} is {given!r}; paths, plots, forces and the like are lists of names: [{given!r}].")
    return tuple(given)
