"""Requirement of methods that are those of rigid bodies."""

from __future__ import annotations

from gyrostat.errors import TopologyError
from gyrostat.topology.topology import Topology


def require_rigid(topology: Topology, method: str, remedy: str) -> None:
    """Raise an error that names a flexible body if the model has one."""
    for joint in topology.joints.values():
        if joint.flexible:
            raise TopologyError(f"{joint.parent.body!r} is a flexible body; {method} for rigid bodies only. {remedy}")
