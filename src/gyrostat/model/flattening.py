"""Flattening: when a model is frozen, owners are followed or replaced by their parts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from gyrostat.errors import Fault, ModelError
from gyrostat.lazy import later
from gyrostat.model.body import Body
from gyrostat.model.compounds import Compound
from gyrostat.model.elements import NetworkElement
from gyrostat.model.frame import Frame
from gyrostat.model.kinds import End, Reference
from gyrostat.model.names import prefixes
from gyrostat.model.parameter import Parameter
from gyrostat.model.place import FAULT_LIMIT
from gyrostat.model.record import Component
from gyrostat.model.subsystems import Subsystem
from gyrostat.model.subsystems.ground_shapes import add_ground_shapes

if TYPE_CHECKING:
    from gyrostat.model import networks
else:
    (networks,) = later("gyrostat.model", "networks")

PART_LIMIT: Final = 200_000
"""The largest number of parts in a model."""

NESTING_LIMIT: Final = 50
"""The largest number of owners around a part."""


@dataclass
class Flat:
    """The components and parameters of a model with all parts, by name.

    The components that were added come first, then the parts of each owner, in the order of the owners.
    """

    components: dict[str, Component]
    parameters: dict[str, Parameter]
    owners: dict[str, Component] = field(default_factory=dict)
    """The owners of parts or parameters by name, compounds among them."""
    faults: list[Fault] = field(default_factory=list)


def owns(component: Component) -> bool:
    """Return whether components of this class may own parts or parameters; elements share that of their network."""
    cls = type(component)
    return (
        issubclass(cls, NetworkElement)
        or cls.parts is not Component.parts
        or cls.part_parameters is not Component.part_parameters
    )


def is_flattened(component: Component) -> bool:
    """Return whether components of this class are replaced, or followed by others, when a model is flattened."""
    return owns(component) or type(component).resolved is not Component.resolved


def flatten(
    components: Iterable[Component], parameters: Mapping[str, Parameter], *, without: Container[str] = ()
) -> Flat:
    """Return components and parameters with all parts; the owners in `without` are left out with their parts.

    Compounds are replaced by their parts, other owners followed by them. Ends that name a part become its frame.
    The elements of networks are followed by one component with all states of the networks.
    """
    given = _with_bodies_under_subsystems(list(components))
    flat = Flat({c.name: c for c in given if not isinstance(c, Compound)}, dict(parameters))
    pending = [(owner, 1) for owner in reversed(given) if owns(owner)]  # a stack: parts precede the next owner
    taken = {component.name: component for component in given}
    while pending:
        owner, depth = pending.pop()
        if owner.name in without:
            flat.components.pop(owner.name, None)
            continue
        flat.owners[owner.name] = owner
        parts = _not_formed(_parts(owner, depth, flat))
        if len(taken) + len(parts) > PART_LIMIT:
            _note(flat, owner, f"the model has more than {PART_LIMIT} parts with it.", "Use fewer.")
            break
        for part in parts:
            if taken.get(part.name, owner) is not owner:
                fact = f"{taken[part.name].describe()} has the same name."
                _note(flat, part, fact, f"Names are unique in a model; rename one of them, or {owner.describe()}.")
                continue
            taken[part.name] = part
            if not isinstance(part, Compound):
                flat.components[part.name] = part
        pending.extend((part, depth + 1) for part in reversed(parts) if owns(part))
    _resolve_ends(flat)
    add_ground_shapes(flat.components, (o for o in flat.owners.values() if isinstance(o, Subsystem)))
    for name, component in flat.components.items():
        if type(component).resolved is not Component.resolved:
            flat.components[name] = component.resolved(flat.components)
    if any(isinstance(component, NetworkElement) for component in flat.components.values()):
        states, faults = networks.form_network(flat.components.values(), flat.parameters)
        if states is not None:
            flat.components[states.name] = states
        flat.faults.extend(faults)
    flat.faults.extend(_ambiguities(flat))
    return flat


def _not_formed(parts: list[Component]) -> list[Component]:
    """Return parts without those that flattening forms anew: parts of elements, and the states of networks."""
    formed = {inner.name for part in parts if isinstance(part, NetworkElement) for inner in part.parts()}
    return [part for part in parts if part.name not in formed and not part.formed]


def _parts(owner: Component, depth: int, flat: Flat) -> list[Component]:
    """Return the parts of an owner, and add its parameters; faults are noted."""
    if depth > NESTING_LIMIT:
        _note(flat, owner, f"it is within {NESTING_LIMIT} other owners.", "Nest fewer.")
        return []
    try:
        parts, parameters = list(islice(owner.parts(), PART_LIMIT + 1)), dict(owner.part_parameters())
    except ModelError as error:
        flat.faults.extend(fault.within(f"{owner.describe()}, {fault.item}") for fault in error.faults)
        return []
    start = owner.part_name("")
    own = owner.name if isinstance(owner, Compound) else None  # a part may stand in the place of its compound
    for name in (*(part.name for part in parts), *parameters):
        if not name.startswith(start) and name != own:
            _note(flat, owner, f"its part {name!r} lacks the name of its owner.", f"Call it {start + name!r}.")
            return []
    flat.parameters |= parameters
    return parts


def _note(flat: Flat, component: Component, fact: str, remedy: str) -> None:
    if len(flat.faults) < FAULT_LIMIT:
        flat.faults.append(Fault(component.describe(), fact, remedy))


def _ambiguities(flat: Flat) -> Iterable[Fault]:
    """Yield a fault for each part or parameter whose name has another meaning within a component."""
    inner: dict[str, Mapping[str, str]] = {}
    named = [(name, component.describe()) for name, component in flat.components.items() if "." in name]
    named += [(name, f"parameter {name!r}") for name in flat.parameters if "." in name]
    for name, described in named:
        for start in prefixes(name.rpartition(".")[0]):
            owner = flat.components.get(start)
            if owner is None:
                continue
            meanings = inner.get(start)
            if meanings is None:
                meanings = inner[start] = owner.inner_names()
            word = name[len(start) + 1 :].partition(".")[0]
            if word in meanings:
                fact = f"{start}.{word} is also {meanings[word]} of {owner.describe()}."
                yield Fault(described, fact, "A name has one meaning; rename one of the two.")
        if described.startswith("parameter") and name in flat.components:
            fact = f"{flat.components[name].describe()} has the same name."
            yield Fault(described, fact, "A name has one meaning; rename one of the two.")


# --- names ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Ends:
    """The naming in which text that is the name of a body is the frame of that body: the longest match."""

    bodies: frozenset[str]

    def name(self, name: str) -> str:
        """Return the name itself."""
        return name

    def end(self, end: End) -> End:
        """Return the frame of a body where the whole text is its name."""
        if isinstance(end.at, Frame) and (body := f"{end.body}.{end.at.base}") in self.bodies:
            return End(body, None, end.at.on_body())
        return End(str(end)) if end.name is not None and str(end) in self.bodies else end


def _with_bodies_under_subsystems(given: Sequence[Component]) -> list[Component]:
    """Return components in which the place of a subsystem that is the name of a body is the frame of that body.

    The bodies may be parts of other owners, whose names are needed before the parts of the subsystem are formed.
    """
    known = {component.name: component for component in given}
    return [
        replace(one, at=End(str(one.at)))
        if isinstance(one, Subsystem) and one.at.name is not None and _is_body(str(one.at), known)
        else one
        for one in given
    ]


def _is_body(name: str, known: Mapping[str, Component]) -> bool:
    """Return whether a name with dots is that of a body among the parts of the known components."""
    for start in prefixes(name):
        owner = known.get(start)
        if isinstance(owner, Subsystem):
            return isinstance(owner.use.model.components.get(name[len(start) + 1 :]), Body)
        if owner is not None:
            return owns(owner) and isinstance(flatten([owner], {}).components.get(name), Body)
    return False


def _resolve_ends(flat: Flat) -> None:
    """Replace ends that were split at the last dot by the frames of bodies with such names."""
    bodies = frozenset(name for name, c in flat.components.items() if "." in name and isinstance(c, Body))
    if not bodies:
        return
    naming = _Ends(bodies)
    compounds = [(flat.owners, name) for name, owner in flat.owners.items() if isinstance(owner, Compound)]
    for family, name in [*((flat.components, name) for name in flat.components), *compounds]:
        component = family[name]
        ends = (use.target for use in component.all_uses if isinstance(use, Reference) and use.role == "end")
        if any(target in bodies for target in ends):
            family[name] = component.renamed(naming)
