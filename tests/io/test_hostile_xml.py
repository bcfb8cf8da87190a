"""Hostile XML: every importer refuses it with one paragraph, soon."""

from __future__ import annotations

import os
import threading
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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("reader", [gs.load_urdf, gs.load_sdf, gs.load_mjcf, gs.load_spice])
def test_pipes_without_a_writer_are_refused(
    reader: Callable[[Path], gs.Model], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Opening one would never return."""
    if reader is gs.load_mjcf:
        request.getfixturevalue("mujoco")
    os.mkfifo(tmp_path / "pipe.xml")
    found: list[str] = []

    def read() -> None:
        with pytest.raises(GyrostatError) as error:
            reader(tmp_path / "pipe.xml")
        found.append(str(error.value))

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(20)
    assert found == ["pipe.xml: it is a pipe or a device, not a file. Write its content to a file first."]
