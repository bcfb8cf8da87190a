"""The page on the architecture names functions and packages that exist, and has all of them."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
DRAWING = (ROOT / "docs" / "pictures" / "architecture.svg").read_text(encoding="utf-8")
PACKAGES = sorted(path.name for path in (ROOT / "src" / "gyrostat").iterdir() if (path / "__init__.py").exists())
NAMES = sorted(
    name for name in set(re.findall(r"`([a-z_]+(?:\.\w+)+)`", PAGE)) if name.split(".")[0] in (*PACKAGES, "lazy")
)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "system.signal_table"])
def test_named_functions_exist(name: str) -> None:
    parts, found = name.split("."), None
    for end in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(("gyrostat", *parts[:end])))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        break
    assert found is not None


def test_the_walks_have_at_most_25_steps() -> None:
    walks = PAGE.split("\n## ")[1:]
    assert len(walks) == 4
    assert all(1 < len(re.findall(r"^\d+\. ", walk, re.MULTILINE)) <= 25 for walk in walks)


def test_the_drawing_has_every_layer_in_order() -> None:
    contracts: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
    outer, inner = ([layer.split(" | ") for layer in contract["layers"]] for contract in contracts)
    expected = [row for layer in outer for row in (inner if layer == ["analysis"] else [layer])]
    rows: dict[int, list[str]] = {}
    for y, name in re.findall(r'y="(\d+)" text-anchor="middle" font-weight="600">(\w+)<', DRAWING):
        rows.setdefault(int(y), []).append(name)
    names = [[name.strip("()") for name in row] for row in expected]
    assert [rows[y] for y in sorted(rows)] == [row for row in names if row != ["__main__"]]
