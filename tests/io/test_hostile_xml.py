"""Hostile XML: every importer refuses it with one paragraph, soon."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

import gyrostat as gs
from gyrostat.errors import GyrostatError

BOMB = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>"
HOSTILE: dict[str, tuple[Callable[[str], str], str]] = {
    "bomb": (lambda root: f"{BOMB}<{root}>&b;</{root}>", "it contains <!DOCTYPE"),
    "deep": (lambda root: f"<{root}>" + "<a>" * 50_000 + "</a>" * 50_000 + f"</{root}>", "nested more than 100 levels"),
    "many": (lambda root: f"<{root}>" + "<a/>" * 300_000 + f"</{root}>", "more than 200,000 elements"),
    "attributes": (lambda root: f"<{root} a='{'x' * 5_000_000}'/>", "too many or too long attributes"),
    "bytes": (lambda root: f"<{root}>{' ' * 33_000_000}</{root}>", "more than 32,000,000 bytes"),
    "cut": (lambda root: f"<{root}><a>", "it is not XML"),
    "binary": (lambda root: "\x00\x01", "it is not XML"),
}
READERS = {"robot": gs.load_urdf, "sdf": gs.load_sdf, "mujoco": gs.load_mjcf}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("root", READERS)
def test_refused_soon(root: str, kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if root == "mujoco":
        request.getfixturevalue("mujoco")
    make, message = HOSTILE[kind]
    path = tmp_path / "hostile.xml"
    path.write_text(make(root))
    start = time.process_time()
    with pytest.raises(GyrostatError, match=message) as error:
        READERS[root](path)
    assert len(str(error.value)) < 500
    assert time.process_time() - start < 5  # a second on an idle machine
