"""The rest of a system with ropes of nodes: the system without free nodes, with the loads of ropes as inputs."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gyrostat.errors import GyrostatError
from gyrostat.model import Model
from gyrostat.model.compounds import Rope
from gyrostat.model.forces import BendingSpring, Force, SheaveContact, SpringDamper, Torque
from gyrostat.model.formula import Formula
from gyrostat.model.inputs import Input
from gyrostat.model.joints import Translation
from gyrostat.model.kinds import End, Reference
from gyrostat.model.names import GROUND, prefixes
from gyrostat.model.record import Component
from gyrostat.model.ropes.pulley import Pulley
from gyrostat.once import cached_property
from gyrostat.program.warning import GyrostatWarning
from gyrostat.system import System, formulate


@dataclass(frozen=True, eq=False)
class NodeRope:
    """A rope of nodes in a flat model, by its parts."""

    name: str
    segments: int
    springs: tuple[SpringDamper, ...]
    bends: tuple[BendingSpring, ...]
    """At inner nodes, or none."""
    contacts: tuple[SheaveContact, ...]
    free: tuple[bool, ...]
    """Whether nothing but the rope touches a node."""

    @staticmethod
    def of(rope: Rope, model: Model, used: frozenset[str]) -> NodeRope | None:
        """Return the parts of a rope; None where its nodes have other axes than the world, or its elements are used."""
        known: Mapping[str, Component] = model.components
        parts = [known[part.name] for part in rope.parts()]
        elements = [part for part in parts if isinstance(part, SpringDamper | BendingSpring | SheaveContact)]
        if rope.frame != End(GROUND) or any(part.name in used for part in elements):
            return None
        free = tuple(
            isinstance(known[f"{rope.name}.m{i}"], Translation)
            and not {f"{rope.name}.n{i}", f"{rope.name}.m{i}"} & used
            for i in range(rope.segments + 1)
        )
        return NodeRope(
            rope.name,
            rope.segments,
            tuple(part for part in parts if isinstance(part, SpringDamper)),
            tuple(part for part in parts if isinstance(part, BendingSpring)),
            tuple(part for part in parts if isinstance(part, SheaveContact)),
            free,
        )

    def body(self, node: int) -> str:
        """Return the name of a node."""
        return f"{self.name}.n{node}"

    @cached_property
    def number_of(self) -> dict[str, int]:
        """The numbers of the nodes by name."""
        return {self.body(i): i for i in range(self.segments + 1)}

    @cached_property
    def removed(self) -> tuple[str, ...]:
        """The components that the rest of the system does not have."""
        elements = [part.name for part in (*self.springs, *self.bends, *self.contacts)]
        nodes = [name for i, free in enumerate(self.free) if free for name in (self.body(i), f"{self.name}.m{i}")]
        return (*elements, *nodes)


@dataclass(frozen=True, eq=False)
class RopeRest:
    """The ropes of nodes of a system and the system without them; None where no bodies are left."""

    ropes: tuple[NodeRope, ...]
    pulleys: tuple[tuple[str, Pulley], ...]
    """All pulleys, with the names of their ropes."""
    ports: tuple[str, ...]
    """The nodes that are bodies of the rest."""
    system: System | None
    loads: tuple[str, ...]
    """The inputs of the rest that are loads: of pulleys that are not on the ground, then of ports."""
    carriers: tuple[str, ...] = ()
    """The bodies of the rest that carry pulleys, or are ports."""
    kept: dict[str, Any] = field(default_factory=dict)
    """Tables with the last values of parameters."""

    @staticmethod
    def of(system: System) -> RopeRest | None:
        """Return the ropes of a system and its rest; None where ropes are treated as all other elements."""
        if not _is_plain(system):
            return None
        found = [one for one in system.model.owners.values() if isinstance(one, Rope)]
        parts = {part.name for rope in found if rope.realisation == "nodes" for part in rope.parts()}
        if not parts:
            return None
        used = _used(system.model, parts)
        ropes = [NodeRope.of(rope, system.model, used) for rope in found if rope.realisation == "nodes"]
        if any(rope is None for rope in ropes):
            return None
        return _without(system, tuple(rope for rope in ropes if rope is not None))


def _is_plain(system: System) -> bool:
    """Return whether the rest of a system can be a system of its own."""
    return (
        system.coordinates.are_joint_coordinates
        and not system.constrained
        and not system.kernel_forces
        and not system.rigid_contacts
        and not system.driving_inputs
    )


def _used(model: Model, parts: set[str]) -> frozenset[str]:
    """Return the names to which components beside the parts of ropes refer, with what stands before their dots."""
    found: set[str] = set()
    for name, component in model.components.items():
        if name not in parts:
            for use in component.all_uses:
                names = (use.target,) if isinstance(use, Reference) else use.formula.names
                found.update(start for one in names for start in prefixes(one))
    return frozenset(found)


def _without(system: System, ropes: tuple[NodeRope, ...]) -> RopeRest | None:
    """Return the ropes and the rest of a system."""
    seen = {(rope.name, contact.pulley.name): contact.pulley for rope in ropes for contact in rope.contacts}
    pulleys = tuple((rope, pulley) for (rope, _), pulley in seen.items())
    ports = tuple(rope.body(i) for rope in ropes for i, free in enumerate(rope.free) if not free)
    model = system.model.flattened()
    loads: list[str] = []
    try:
        model.remove(*(name for rope in ropes for name in rope.removed))
        if not any(body != GROUND for body in model.bodies):
            return RopeRest(ropes, pulleys, ports, None, ())
        for i, (_, pulley) in enumerate(pulleys):
            if pulley.frame.body != GROUND:
                loads += _add_load(model, f"rope_on_pulley{i}", pulley.frame, moment=True)
        for i, port in enumerate(ports):
            loads += _add_load(model, f"rope_on_node{i}", End(port), moment=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GyrostatWarning)
            rest = formulate(model, tree=[arc for arc in system.topology.arcs if arc in model.components])
    except GyrostatError:  # formulas that name parts of the rope, for example
        return None
    same = all(name in system.coordinates.place_of for name in rest.coordinates.place_of)
    same = same and rest.inputs[len(rest.inputs) - len(loads) :] == tuple(loads)
    same = same and tuple(rest.model.parameters) == tuple(system.model.parameters)
    if not same:
        return None
    carrying = {*(pulley.frame.body for _, pulley in pulleys), *ports}
    carriers = tuple(body for body in rest.bodies if body in carrying)
    return RopeRest(ropes, pulleys, ports, rest, tuple(loads), carriers or rest.bodies[:1])


def _add_load(model: Model, name: str, end: End, *, moment: bool) -> list[str]:
    """Add a force at an end, and a moment, whose components are inputs; return their names."""
    names = [f"{name}_{part}{axis}" for part in ("F", "M")[: 1 + moment] for axis in "xyz"]
    for one in names:
        model.add(Input(one))
    x, y, z, *turning = (Formula.of(one) for one in names)
    model.add(Force(f"{name}_force", end, (x, y, z)))
    if moment:
        x, y, z = turning
        model.add(Torque(f"{name}_moment", end.body, (x, y, z)))
    return names


_KEY = "rest of ropes"


def rest_of(system: System) -> RopeRest | None:
    """Return the ropes of nodes of a system and its rest, None where there are none; it is kept."""
    cache = system.cache
    if _KEY not in cache:
        cache.keep(_KEY, RopeRest.of(system))
    found: RopeRest | None = cache[_KEY]
    return found
