"""Contract: every registered component survives Python → file → subsystem → flattened → file → Python.

Its dynamics are those of the model by itself: the same program on the ground of the whole model, the same numbers where
the ground of the subsystem is displaced and turned, and gravity with it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from every_component import MODELS, tags

import gyrostat as gs
from gyrostat.model.kinds import Reference
from gyrostat.model.names import GROUND
from gyrostat.program.graph import read_graph
from gyrostat.recipes.table import RECIPES
from gyrostat.recipes.tracing import build_function
from gyrostat.spatial import apply

every_kind = pytest.mark.parametrize("tag", tags())
MOUNT = gs.Frame((0.3, -1, 2), [("x", 0.4), ((1, 2, 2), -1.1)])


@cache
def alone(tag: str) -> gs.Model:
    return MODELS[tag]()


def whole_with(part: gs.Model, folder: Path) -> gs.Model:
    """Return a model that uses a part from its file, on the ground."""
    part.save(folder / "part.yaml")
    model = gs.Model("whole", gravity=part.gravity)
    model.add(gs.Subsystem("left", folder / "part.yaml"))
    return model


def rates(model: gs.Model) -> Any:
    return build_function("rates", RECIPES["rates"], gs.formulate(model).coordinates, in_order=True)


@every_kind
def test_unchanged_from_file_to_file(tag, tmp_path):
    part = alone(tag)
    whole = whole_with(part, tmp_path)
    assert whole["left"].model == part
    whole.freeze().save(tmp_path / "whole.yaml")
    again = gs.Model.load(tmp_path / "whole.yaml")
    assert again == whole
    assert again["left"].model == part
    assert again.freeze().components == whole.freeze().components
    names = {f"left.{name}" for name in part.freeze().components if name != GROUND}
    ground = {GROUND} & set(part.components)  # it has the shape of the part's ground
    assert set(again.freeze().components) == ground | names


@every_kind
def test_the_same_program_on_the_ground(tag, tmp_path):
    part = alone(tag)
    graphs = [read_graph(rates(model)) for model in (part, whole_with(part, tmp_path))]
    assert graphs[0].digest() == graphs[1].digest()


@every_kind
def test_the_same_accelerations_where_the_ground_is_turned(tag):
    part = alone(tag)
    R, _ = MOUNT.placement(part.evaluator())
    model = gs.Model("whole", gravity=apply(R, part.evaluator().vector(part.gravity)))
    model.add(gs.Body("ground", frames={"mount": MOUNT}))
    model.add(gs.Subsystem("left", part, at="ground.mount"))
    found = [np.concatenate([np.ravel(out) for out in evaluated(each)]) for each in (part, model)]
    assert np.isfinite(found[0]).all()
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9, atol=1e-9 * np.abs(found[0]).max())


def evaluated(model: gs.Model) -> list[Any]:
    """Return the rates at a random state, with the parameters of the model."""
    system = gs.formulate(model)
    function = build_function("rates", RECIPES["rates"], system.coordinates)
    random = np.random.default_rng(7)
    values = {function.name_in(i): random.uniform(0.2, 0.9, function.size1_in(i)) for i in range(function.n_in())}
    quaternion = [i for i, name in enumerate(system.coordinate_names) if name[-3:-1] == ".e"]
    coordinates, parameters = (next(n for n in values if n.startswith(letter)) for letter in "qp")
    for four in np.reshape(quaternion, (-1, 4)):
        values[coordinates][four] /= np.linalg.norm(values[coordinates][four])
    values[parameters] = np.array(list(system.model.values().values()))
    written = {name for force in system.model.kernel_forces for name in force.inputs}
    if written:  # loads that kernels write are in the axes of the world, which are not those of the part
        values["inputs"][[name in written for name in system.inputs]] = 0
    return [np.asarray(out) for out in function(*values.values())]


@every_kind
def test_every_name_begins_with_that_of_the_subsystem(tag):
    model = gs.Model("whole")
    model.add(gs.Subsystem("left", alone(tag)))
    for component in model.freeze().components.values():
        for use in component.all_uses:
            target = {use.target} if isinstance(use, Reference) else use.formula.names - use.scope.variables - {"t"}
            assert all(name.partition(".")[0] in ("left", GROUND) for name in target), component


def test_every_kind_has_a_model():
    missing = [tag for tag in tags() if tag not in MODELS]
    assert not missing, f"add models to tests/support/every_component.py: {missing}"
