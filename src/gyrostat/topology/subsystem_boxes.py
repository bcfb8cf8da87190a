"""Subsystems as boxes in drawings of graphs: closed ones in the place of their bodies, opened ones as their bodies."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from gyrostat.errors import TopologyError
from gyrostat.model import Model
from gyrostat.model.names import counted, did_you_mean, prefixes


@dataclass(frozen=True)
class SubsystemBoxes:
    """The closed subsystems of a drawing; those within a closed one are closed as well."""

    closed: frozenset[str]

    @staticmethod
    def of(model: Model, opened: Collection[str] | bool) -> SubsystemBoxes:
        """Return the boxes of a model in which the named subsystems are opened, or all of them, or none."""
        known = set(_names(model.source))
        if isinstance(opened, bool):
            return SubsystemBoxes(frozenset() if opened else frozenset(known))
        for name in opened:
            if name not in known:
                raise TopologyError(f"There is no subsystem {name!r} to open. {did_you_mean(name, known)}")
        return SubsystemBoxes(frozenset(known.difference(*(prefixes(name) for name in opened))))

    def vertex(self, body: str) -> str:
        """Return the outermost closed subsystem that a body belongs to, or the body."""
        return next((start for start in reversed(list(prefixes(body))) if start in self.closed), body)

    def labels(self, bodies: Collection[str], joints: Collection[str]) -> Mapping[str, str]:
        """Return the labels of closed boxes that are drawn: name, numbers of bodies and joints."""
        boxes = dict.fromkeys(self.vertex(body) for body in bodies if self.vertex(body) != body)
        return {
            box: f"{box}: {counted(_within(bodies, box), 'body', 'bodies')}, "
            f"{counted(_within(joints, box), 'joint', 'joints')}"
            for box in boxes
        }


def _within(names: Collection[str], box: str) -> int:
    return sum(name.startswith(f"{box}.") for name in names)


def _names(model: Model, prefix: str = "") -> Iterator[str]:
    """Yield the names of all subsystems, at any level."""
    for name, subsystem in model.subsystems.items():
        yield f"{prefix}{name}"
        yield from _names(subsystem.model, f"{prefix}{name}.")
