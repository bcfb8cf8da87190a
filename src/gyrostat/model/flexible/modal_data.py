"""Modal data of finite elements: mass points with the same integrals of inertia, and files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gyrostat.errors import Fault, ModelError
from gyrostat.lazy import LaterModule

if TYPE_CHECKING:
    import numpy as np
else:
    np = LaterModule("numpy")

_REQUIRED_ARRAYS: Final = ("positions", "mass", "shapes", "stiffness", "interface_nodes", "interface_names")
_ROUNDING: Final = 1e-13
"""Eigenvalues of the integrals below this part of the largest are zero."""


def reduced_points(positions: Any, mass: Any, shapes: Any) -> dict[str, Any]:
    """Return masses, positions and shapes of at most 4 + 3 n points with the inertia of N nodes.

    The kinetic energy depends on the nodes through the integrals G of products of the functions 1, x, y, z and the
    components of all shapes. With G = L Lᵀ, and an orthogonal matrix H that makes the first row of L H constant, each
    column of L H is a point of mass m/K.
    """

    r, m, phi = (np.asarray(given, dtype=float) for given in (positions, mass, shapes))
    if r.ndim != 2 or phi.shape[:2] != r.shape or phi.ndim != 3 or m.shape not in ((len(r),), (len(r), len(r))):
        fact = f"positions have the shape {r.shape}, mass {m.shape}, shapes {phi.shape}."
        raise ModelError(Fault("modal data", fact, "Give N × 3 positions, N or N × N masses and N × 3 × n shapes."))
    functions = np.hstack((np.ones((len(r), 1)), r, phi.reshape(len(r), -1)))
    if m.ndim == 1 and len(r) <= functions.shape[1]:
        return {"masses": m, "positions": r, "shapes": phi}
    G = functions.T @ (m[:, None] * functions if m.ndim == 1 else m @ functions)
    sizes = np.sqrt(np.maximum(np.diag(G), np.finfo(float).tiny))
    eigenvalues, vectors = np.linalg.eigh(G / np.outer(sizes, sizes))
    kept = eigenvalues > _ROUNDING * eigenvalues[-1]
    L = sizes[:, None] * vectors[:, kept] * np.sqrt(eigenvalues[kept])
    count, each = L.shape[1], np.sqrt(G[0, 0] / L.shape[1])
    across = L[0] - each
    if across @ across > _ROUNDING * G[0, 0]:
        L = L - np.outer(L @ across, 2 * across / (across @ across))
    found = L.T / each
    return {
        "masses": np.full(count, G[0, 0] / count),
        "positions": found[:, 1:4],
        "shapes": found[:, 4:].reshape(count, 3, -1),
    }


def read_modal_data(path: str | PathLike[str]) -> dict[str, Any]:
    """Return the arrays of a NumPy or MATLAB file, with interfaces by name."""

    arrays = _arrays(Path(path))
    missing = [name for name in _REQUIRED_ARRAYS if name not in arrays]
    if missing:
        fact = f"it has no array {', '.join(map(repr, missing))}."
        raise ModelError(Fault(str(path), fact, f"Write {', '.join(_REQUIRED_ARRAYS)}."))
    positions, shapes = np.asarray(arrays["positions"], float), np.asarray(arrays["shapes"], float)
    mass = np.asarray(arrays["mass"], float)
    if shapes.ndim == 2:  # MATLAB drops the last axis of one mode
        shapes = shapes[:, :, None]
    nodes = np.asarray(arrays["interface_nodes"], int).ravel()
    names = _names(arrays["interface_names"])
    _check_interfaces(str(path), names, nodes, len(positions))
    rotations = arrays.get("interface_rotations")
    interfaces: dict[str, Any] = {}
    for k, (name, node) in enumerate(zip(names, nodes, strict=True)):
        interfaces[name] = {"position": positions[node], "translation": shapes[node]}
        if rotations is not None:
            interfaces[name]["rotation"] = np.asarray(rotations, float)[k].reshape(3, -1)
    return {
        "positions": positions,
        "mass": mass.ravel() if 1 in mass.shape else mass,
        "shapes": shapes,
        "stiffness": np.asarray(arrays["stiffness"], float),
        "interfaces": interfaces,
    }


def _names(given: Any) -> list[str]:
    """Return names from an array of text, or from a cell array of MATLAB, whose entries are arrays."""
    return [str(np.asarray(name).ravel()[0]).strip() for name in np.asarray(given).ravel()]


def _check_interfaces(path: str, names: list[str], nodes: Any, count: int) -> None:
    """Require a node for each interface, numbered from 0."""
    if len(names) != len(nodes):
        fact = f"it has {len(names)} interface_names and {len(nodes)} interface_nodes."
        raise ModelError(Fault(path, fact, "Give one node for each name."))
    for name, node in zip(names, nodes, strict=True):
        if not 0 <= node < count:
            fact = f"interface {name!r} is at node {node}, and there are {count} nodes."
            raise ModelError(Fault(path, fact, f"Number nodes from 0 to {count - 1}."))


def _arrays(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise ModelError(Fault(str(path), "there is no such file.", "Give the path of a .npz or .mat file."))
    if path.suffix == ".npz":
        with np.load(path) as found:
            return dict(found)
    if path.suffix == ".mat":
        from scipy.io import loadmat

        read: dict[str, Any] = loadmat(path)
        return {name: held.toarray() if hasattr(held, "toarray") else held for name, held in read.items()}
    raise ModelError(Fault(str(path), "it is neither a .npz nor a .mat file.", "Save the arrays with NumPy or MATLAB."))
