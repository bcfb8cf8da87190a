"""Bodies with modal data: a beam that is exported keeps its vibrations, and integrals of inertia survive reduction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from beam_models import UNIT, squared_frequencies
from scipy.io import savemat
from scipy.sparse import csc_matrix

import gyrostat as gs
from gyrostat.model.flexible.displacement import SectionField
from gyrostat.model.flexible.modal_data import reduced_points
from gyrostat.model.flexible.quadrature import nodes
from gyrostat.model.flexible.strain_energy import strain_sums

TERMS = {"v": 3, "w": 1}


def _exported() -> dict[str, Any]:
    """Return a beam of unit properties as finite-element data: nodes at its sections and at its tip."""
    beam, value = gs.Beam("beam", **(UNIT | {"terms": TERMS, "Iy": 0.5})).properties, gs.Model("numbers").evaluator()
    places = [*nodes(2 * beam.degree, value), (1.0, 0.0)]
    shapes = np.zeros((len(places), 3, 4))
    rotation = np.zeros((1, 3, 4))
    for k, (xi, _) in enumerate(places):
        field = SectionField(beam, xi, value)
        for axis, direction in ((1, "v"), (2, "w")):
            for i, x in field.row(direction).items():
                shapes[k, axis, i] = x
    tip = SectionField(beam, 1.0, value)
    for i, x in tip.row("v", 1).items():
        rotation[0, 2, i] = x
    for i, x in tip.row("w", 1).items():
        rotation[0, 1, i] = -x
    K = np.zeros((4, 4))
    for (i, j), x in strain_sums(beam, value).matrix.items():
        K[i, j] += x
        K[j, i] += x
    return {
        "positions": np.array([[xi, 0, 0] for xi, _ in places]),
        "mass": np.diag([weight for _, weight in places]),
        "shapes": shapes,
        "stiffness": K,
        "interface_nodes": np.array([len(places) - 1]),
        "interface_names": np.array(["tip"]),
        "interface_rotations": rotation,
    }


def _loaded(body: Any) -> gs.Model:
    """Return a hinged flexible body with a flywheel at its tip."""
    model = gs.Model("hinged")
    model.add(body)
    model.add(gs.Revolute("hinge", "ground", body.name, axis=(1, 2, 2)))
    model.add(gs.Body("wheel", mass=0.3, inertia=(0.02, 0.03, 0.04), com=(0.1, 0, 0.05)))
    model.add(gs.Revolute("pin", f"{body.name}.tip", "wheel", axis="y"))
    model.add(gs.TorsionSpring("spring", "hinge", stiffness=2.0))
    return model


@pytest.mark.parametrize("suffix", ["npz", "mat"])
def test_a_beam_as_modal_data_has_the_same_vibrations(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"beam.{suffix}"
    data = _exported()
    if suffix == "npz":
        np.savez(path, **data)
    else:
        savemat(path, data)
    beam = gs.Beam("beam", **(UNIT | {"terms": TERMS, "Iy": 0.5, "order": 1}))
    expected = squared_frequencies(_loaded(beam))
    found = squared_frequencies(_loaded(gs.ModalBody.from_file("beam", path)))
    np.testing.assert_allclose(found[1:], expected[1:], rtol=1e-8)
    assert expected[1] > 0.1


def test_matlab_files_may_have_sparse_matrices_and_cells_of_names(tmp_path: Path) -> None:
    data = _exported()
    savemat(tmp_path / "full.mat", data)
    cells = np.array(["tip"], dtype=object)
    sparse = {name: csc_matrix(data[name]) for name in ("mass", "stiffness")}
    savemat(tmp_path / "sparse.mat", data | sparse | {"interface_names": cells})
    full, found = (gs.ModalBody.from_file("beam", tmp_path / f"{name}.mat") for name in ("full", "sparse"))
    assert found == full


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"interface_nodes": np.array([99])}, r"interface 'tip' is at node 99, and there are \d+ nodes. Number nodes"),
        ({"interface_nodes": np.array([0, 1])}, "it has 1 interface_names and 2 interface_nodes. Give one node"),
    ],
)
def test_interfaces_without_a_node_are_explained(tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    np.savez(tmp_path / "beam.npz", **(_exported() | changed))
    with pytest.raises(gs.ModelError, match=message):
        gs.ModalBody.from_file("beam", tmp_path / "beam.npz")


def test_reduction_keeps_the_integrals_of_a_consistent_mass_matrix() -> None:
    """Twenty nodes with a tridiagonal mass matrix and three random modes become 13 points."""
    rng = np.random.default_rng(2)
    r, phi = rng.normal(size=(20, 3)), rng.normal(size=(20, 3, 3))
    m = np.diag(np.full(20, 4.0)) + np.diag(np.ones(19), 1) + np.diag(np.ones(19), -1)
    found = reduced_points(r, m, phi)
    assert len(found["masses"]) == 13
    assert found["masses"].min() > 0

    def integrals(mass: Any, positions: Any, shapes: Any) -> Any:
        functions = np.hstack((np.ones((len(positions), 1)), positions, shapes.reshape(len(positions), -1)))
        return functions.T @ mass @ functions

    reduced = integrals(np.diag(found["masses"]), found["positions"], found["shapes"])
    np.testing.assert_allclose(reduced, integrals(m, r, phi), atol=1e-10)


def test_modal_bodies_are_written_to_files_and_read_again(tmp_path: Path) -> None:
    data = _exported()
    given = {name: data[name] for name in ("positions", "mass", "shapes", "stiffness")}
    model = _loaded(gs.ModalBody.from_nodes("beam", **given, interfaces={"tip": -1}))
    model.save(tmp_path / "model.yaml")
    assert gs.Model.load(tmp_path / "model.yaml") == model


GOOD: dict[str, Any] = {
    "masses": [1.0],
    "positions": [[1, 0, 0]],
    "shapes": [[[0], [1], [0]]],
    "stiffness": [[3.0]],
    "interfaces": {"tip": {"position": [1, 0, 0], "translation": [[0], [1], [0]]}},
}
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "rigid mode": ({"stiffness": [[0.0]]}, "a mode without strain moves the body as a whole. Leave rigid-body modes"),
    "not square": ({"stiffness": [[1.0, 2.0]]}, "it is not a square matrix. Give n rows of n numbers"),
    "mass": ({"masses": [-1.0]}, "there are none, or some are not positive"),
    "positions": ({"positions": [[1, 0]]}, "they are not 1 × 3 numbers. Give a position for each mass"),
    "modes": ({"shapes": [[[0, 1], [1, 1], [0, 1]]]}, "they are not 1 × 3 × 1 numbers"),
    "axes": ({"shapes": [[1.0]]}, "an array of shape (1, 1) was given, or numbers that are not finite"),
    "words": ({"masses": "heavy"}, "is not an array of numbers. Give rows of equal length"),
    "no interface": ({"interfaces": {}}, "there are none. Give at least one place for joints and outputs"),
    "interface": (
        {"interfaces": {"tip": {"position": [1, 0, 0], "translation": [[0, 1], [1, 0], [0, 0]]}}},
        "its shape is 3 × 2, and there are 1 modes. Give 3 rows of 1 numbers",
    ),
    "position": (
        {"interfaces": {"tip": {"position": [1, 0], "translation": [[0], [1], [0]]}}},
        "2 coordinates are given. Give x, y and z",
    ),
    "name": (
        {"interfaces": {"q1": {"position": [1, 0, 0], "translation": [[0], [1], [0]]}}},
        "the name has another meaning. Choose another name",
    ),
}


@pytest.mark.parametrize(("changed", "message"), BAD.values(), ids=BAD)
def test_bad_data_are_explained(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(gs.ModelError) as error:
        gs.ModalBody("body", **(GOOD | changed))
    assert message in str(error.value)


def test_bad_files_are_explained(tmp_path: Path) -> None:
    with pytest.raises(gs.ModelError, match="there is no such file"):
        gs.ModalBody.from_file("body", tmp_path / "none.npz")
    np.savez(tmp_path / "half.npz", positions=np.zeros((2, 3)))
    with pytest.raises(gs.ModelError, match="it has no array 'mass', 'shapes', 'stiffness'"):
        gs.ModalBody.from_file("body", tmp_path / "half.npz")
    (tmp_path / "data.txt").write_text("1 2 3", encoding="utf-8")
    with pytest.raises(gs.ModelError, match=r"it is neither a \.npz nor a \.mat file"):
        gs.ModalBody.from_file("body", tmp_path / "data.txt")
    with pytest.raises(gs.ModelError, match="Give N × 3 positions, N or N × N masses and N × 3 × n shapes"):
        gs.ModalBody.from_nodes("b", positions=[[0, 0]], mass=[1], shapes=[[[1]]], stiffness=[[1]], interfaces={})
