"""Requirements of methods that are those of rigid bodies."""

from __future__ import annotations

from gyrostat.errors import TopologyError
from gyrostat.model.forces import mass_elements
from gyrostat.topology.topology import Topology


def require_rigid(topology: Topology, method: str, remedy: str) -> None:
    """Raise an error that names a flexible body, or a rope with mass, if the model has one."""
    require_no_flexible_body(topology, method, remedy)
    require_mass_on_bodies(topology, method, remedy)


def require_no_flexible_body(topology: Topology, method: str, remedy: str) -> None:
    """Raise an error that names a flexible body if the model has one."""
    for joint in topology.joints.values():
        if joint.flexible:
            raise TopologyError(f"{joint.parent.body!r} is a flexible body; {method} for rigid bodies only. {remedy}")


def require_mass_on_bodies(topology: Topology, method: str, remedy: str) -> None:
    """Raise an error that names a rope with mass if the model has one."""
    for element in mass_elements(topology.model.forces.values()):
        raise TopologyError(f"{element.name!r} has mass of its own; {method} for masses of bodies only. {remedy}")
