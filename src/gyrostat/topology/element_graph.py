"""The finer graph of McPhee 2002: bodies, arms, joints, drivers and force elements, each an edge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from gyrostat.errors import TopologyError
from gyrostat.graph.linear_graph import Edge, LinearGraph
from gyrostat.model import Model
from gyrostat.model.body import Body
from gyrostat.model.constraints import Constraint
from gyrostat.model.directory import Directory
from gyrostat.model.forces import ForceElement
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import Reference
from gyrostat.model.names import GROUND


class ElementKind(Enum):
    """The kinds of elements that are edges of the finer graph."""

    BODY = "body"  # McPhee's m: motion of a body relative to the ground
    ARM = "arm"  # McPhee's r: a constant transformation from a body's frame to a place on it
    FLEXIBLE_ARM = "flexible arm"  # from the root of a flexible body to a station: a function of elastic coordinates
    JOINT = "joint"  # McPhee's h, s, …
    DRIVER = "driver"  # a coordinate given as a function of time
    FORCE = "force"
    CONSTRAINT = "constraint"


@dataclass(frozen=True)
class ElementGraph:
    """A linear graph whose vertices are frames on bodies and whose edges are elements, with their kinds."""

    graph: LinearGraph
    kinds: Mapping[str, ElementKind]

    def of_kind(self, kind: ElementKind) -> tuple[str, ...]:
        """Return the names of the edges of one kind, in order."""
        return tuple(edge.name for edge in self.graph.edges if self.kinds[edge.name] is kind)


def element_graph(model: Model) -> ElementGraph:
    """Return the finer graph of a model.

    A body's edge leads from the ground to its frame, an arm's from there to a place where something is attached; an arm
    has the name of that place ("bar.top"). Drivers and loads on a coordinate run beside their joint; a driver is named
    after its coordinate ("a1.driver"). A station has no edge as a body: a flexible arm leads to it from the root.
    """
    directory = model.directory
    stations = {joint.child.body for joint in model.joints.values() if joint.flexible}
    bodies = [name for name in model.bodies if name != GROUND and name not in stations]
    edges = [(Edge(name, GROUND, name), ElementKind.BODY) for name in bodies]
    placed: list[tuple[Edge, ElementKind]] = []
    for joint in model.joints.values():
        ends = (str(joint.parent), str(joint.child))
        placed.append((Edge(joint.name, *ends), ElementKind.FLEXIBLE_ARM if joint.flexible else ElementKind.JOINT))
        placed.extend((Edge(f"{joint.full_name(label)}.driver", *ends), ElementKind.DRIVER) for label in joint.driven)
    for force in model.forces.values():
        places = list(_places(force, directory))
        if len(places) == 1:  # a given load acts from the ground
            places.insert(0, GROUND)
        if places:  # a force that names no place has no edge
            placed.append((Edge(force.name, places[0], places[1]), ElementKind.FORCE))
    for constraint in model.constraints.values():
        places = list(dict.fromkeys(_places(constraint, directory)))
        if len(places) == 1:
            places.insert(0, GROUND)
        if places and places[0] != places[-1]:
            placed.append((Edge(constraint.name, places[0], places[-1]), ElementKind.CONSTRAINT))
    for place in dict.fromkeys(vertex for edge, _ in placed for vertex in (edge.tail, edge.head)):
        body, _ = directory.split(place.partition(" ")[0])
        if not isinstance(body, Body):
            name = place.partition(" ")[0].partition(".")[0]
            raise TopologyError(f"{place!r} is a place on body {name!r}, which is not in the model. Check the model.")
        if place != body.name:
            edges.append((Edge(place, body.name, place), ElementKind.ARM))
    edges += placed
    vertices = dict.fromkeys([GROUND, *(end for edge, _ in edges for end in (edge.tail, edge.head))])
    graph = LinearGraph([edge for edge, _ in edges], GROUND, vertices)
    return ElementGraph(graph, {edge.name: kind for edge, kind in edges})


def _places(force: ForceElement | Constraint, directory: Directory) -> Iterator[str]:
    """Yield the vertices between which a force acts."""
    for use in force.uses():
        if not isinstance(use, Reference) or use.path[:1] == ("axes",):
            continue
        if use.role in ("joint", "coordinate"):
            yield from _beside(use.target, directory)
        elif use.path[-1:] == (0,):  # an end given by coordinates: the whole end is the vertex
            yield str(getattr(force, str(use.path[0])))
        else:
            yield use.target


def _beside(coordinate: str, directory: Directory) -> tuple[str, str]:
    """Return the ends of the joint that has this coordinate, or the body and the rotor ("body.rotor")."""
    found, rest = directory.split(coordinate)
    if isinstance(found, Joint):
        return str(found.parent), str(found.child)
    if found is None or not rest:
        raise TopologyError(f"There is no joint {coordinate!r} in the model. Check the model.")
    return found.name, coordinate
