"""Packages that gyrostat is compared with: one file each."""

from __future__ import annotations

from importlib import import_module

from peers.peer import Peer
from peers.tree import Tree

_PEERS = {"pinocchio": "Pinocchio", "mujoco": "MuJoCo", "drake": "Drake", "exudyn": "Exudyn"}


def installed_peers() -> tuple[list[type[Peer]], dict[str, str]]:
    """Return the peers that are installed, and for the others the reason why they cannot be used."""
    found: list[type[Peer]] = []
    missing: dict[str, str] = {}
    for module, name in _PEERS.items():
        try:
            found.append(getattr(import_module(f"peers.{module}"), name))
        except (ImportError, OSError) as reason:
            missing[name] = str(reason).splitlines()[0]
    return found, missing


__all__ = ["Peer", "Tree", "installed_peers"]
