"""What a system says of itself in a few lines: bodies, joints, coordinates, constraints, mobility."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.model.names import counted, first_few

if TYPE_CHECKING:
    from gyrostat.system.system import System


def system_text(system: System) -> str:
    """Return a line for each kind of name that a system has, and one for constraints and mobility."""
    topology, coordinates = system.topology, system.coordinates
    driven = tuple(coordinates.all_driven)
    lines = [
        f"System of {system.model.name!r} in {coordinates.description}: "
        f"{counted(len(topology.bodies), 'body', 'bodies')}, {counted(len(topology.joints), 'joint', 'joints')}",
        f"  coordinates ({coordinates.n_q}): {first_few(system.coordinate_names)}",
        f"  speeds ({coordinates.n_u}): {first_few(system.speed_names)}",
        f"  driven ({len(driven)}): {first_few(driven)}",
        f"  inputs ({len(system.inputs)}): {first_few(system.inputs)}",
        f"  constraints: {_constraints(system)}; mobility by counting: {_mobility(system)}",
    ]
    return "\n".join(line for line in lines if "(0)" not in line)


def _constraints(system: System) -> str:
    owners = (*system.coordinates.chords, *system.model.constraints)
    if not system.coordinates.are_joint_coordinates:  # joints that one tree holds may leave nothing to be closed
        owners = tuple(dict.fromkeys(row.owner for row in system.constraints)) if owners else ()
    return f"from {first_few(owners)}" if owners else "none"


def _mobility(system: System) -> str:
    """Return the mobility by counting joints, and how many rows of constraint components come on top."""
    components = system.model.constraints
    rows = sum(row.owner in components for row in system.constraints) if components else 0
    return f"{system.topology.mobility}{f', less {rows} by constraint components' if rows else ''}"
