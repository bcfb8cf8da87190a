"""Importing the package: light, and every public name resolves."""

import ast
import importlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import get_type_hints

import pytest

import gyrostat as gs

HEAVY = ("sympy", "casadi", "networkx", "scipy", "llvmlite", "yaml", "typer", "rich", "numpy", "flint", "pydantic")


def run(code):
    """Run code in a fresh interpreter and return what it prints as JSON."""
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120, env=environment
    )
    return json.loads(done.stdout)


def test_import_loads_nothing_heavy():
    loaded = run("import sys, json; before = set(sys.modules); import gyrostat; print(json.dumps(list(sys.modules)))")
    assert {name.partition(".")[0] for name in loaded} & set(HEAVY) == set()
    assert [name for name in loaded if name.startswith("gyrostat")] == ["gyrostat"]


def test_a_model_is_built_and_checked_without_symbolic_or_compiling_packages():
    code = (
        "import sys, json, gyrostat as gs; m = gs.Model('m'); m.add(gs.Body('b', gs.rod(1, 1)));"
        "m.add(gs.Weld('j', 'ground', 'b')); m.check(); print(json.dumps(list(sys.modules)))"
    )
    assert {name.partition(".")[0] for name in run(code)} & {
        "sympy",
        "casadi",
        "llvmlite",
        "scipy",
        "networkx",
    } == set()


def test_import_takes_little_time():
    """What the import costs beyond NumPy's, each time in a process of its own."""
    code = (
        "import time, json, numpy; start = time.process_time(); import gyrostat;"
        "print(json.dumps(time.process_time() - start))"
    )
    assert min(run(code) for _ in range(3)) < 0.3


DOCUMENTED_TWICE = {"Mode", "Record", "Target", "TurnKind"}
"""Public names that contributors meet for other classes as well, under `gyrostat.model` and `gyrostat.program`."""


def test_internal_classes_do_not_share_a_public_name():
    defined = Counter(
        node.name
        for path in Path(gs.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name in gs.__all__ if defined[name] > 1} == DOCUMENTED_TWICE


@pytest.mark.parametrize("name", gs.__all__)
def test_every_public_name_resolves(name):
    assert getattr(gs, name) is getattr(gs, name)


def test_public_names_are_listed_once_and_shown():
    listed = [*(name for names in gs._HOMES.values() for name in names), *gs._MODULES, *gs._SUCCESSORS]
    assert [name for name, count in Counter(listed).items() if count > 1] == []
    assert len(gs.__all__) == len(set(gs.__all__))
    assert dir(gs) == sorted(gs.__all__)
    namespace = {}
    exec("from gyrostat import *", namespace)
    assert set(gs.__all__) <= namespace.keys()


@pytest.mark.parametrize(("former", "name"), gs._SUCCESSORS.items())
def test_former_names_work_and_name_their_successor(former, name):
    with pytest.warns(DeprecationWarning, match=f"gyrostat.{former} is now gyrostat.{name}.") as caught:
        found = getattr(gs, former)
    assert found is getattr(gs, name)
    assert caught[0].filename == __file__
    assert former not in dir(gs)


def test_designs_of_sweeps_and_of_optimizations_are_different_names():
    assert issubclass(gs.LatinHypercube, gs.Design)
    assert get_type_hints(gs.Optimum)["design"] is gs.DesignPoint


def test_registered_components_are_public():
    for registry in (gs.JOINTS, gs.FORCES):
        assert all(getattr(gs, cls.__name__) is cls for cls in registry)
    assert all(getattr(gs, tag) is gs.SOLIDS.get(tag) for tag in gs.SOLIDS.tags)
    assert all(cls in vars(gs.shapes).values() for cls in gs.SHAPES)


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="module 'gyrostat' has no attribute 'Pendulum'"):
        gs.Pendulum  # noqa: B018


def test_the_version_is_that_of_the_distribution():
    assert importlib.metadata.version("gyrostat") == gs.__version__


def test_the_kinematic_analysis_is_not_hidden_by_the_subpackage_of_that_name() -> None:
    from gyrostat.kinematics.world import WorldMotion

    assert callable(gs.kinematics)
    assert sys.modules["gyrostat.kinematics.world"].WorldMotion is WorldMotion


def test_a_model_is_built_and_checked_with_the_kinds_that_it_has_alone():
    code = (
        "import sys, json, gyrostat as gs; m = gs.Model('m'); m.add(gs.Body('b', gs.rod(1, 1)));"
        "m.add(gs.Revolute('j', 'ground', 'b', axis='y')); m.check(); print(json.dumps(list(sys.modules)))"
    )
    loaded = run(code)
    assert "numpy" not in loaded
    kinds = ("flexible", "networks", "ropes", "forces", "contacts", "elements", "compounds", "constraints")
    families = {name.split(".")[2] for name in loaded if name.startswith("gyrostat.model.") and name.count(".") == 3}
    bases = {f"gyrostat.model.{one}" for one in ("forces.force_element", "compounds.compound", "elements.element")}
    bases |= {"gyrostat.model.constraints.constraint", "gyrostat.model.elements.edge", "gyrostat.model.elements.domain"}
    others = {f"gyrostat.model.{family}." for family in families & set(kinds)}
    assert {name for name in loaded if name.startswith(tuple(others))} <= bases


def test_objects_of_a_class_are_recognised_without_its_import():
    found = run(
        "import sys, json; from gyrostat.lazy import LaterClass; kind = LaterClass('decimal', 'Decimal');"
        "before = isinstance(1, kind), 'decimal' in sys.modules; import decimal;"
        "print(json.dumps([*before, isinstance(1, kind), isinstance(decimal.Decimal(1), kind)]))"
    )
    assert found == [False, False, False, True]
