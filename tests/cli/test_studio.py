"""gyrostat studio: calls that cannot be served."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gyrostat.cli import app
from gyrostat.cli import studio as command
from gyrostat.cli.common import CallError
from gyrostat.errors import GyrostatError
from gyrostat.studio import serving


def called(*arguments: str) -> BaseException | None:
    return CliRunner().invoke(app, ["studio", *arguments]).exception


@pytest.mark.usefixtures("page_bundle")
@pytest.mark.parametrize(
    ("file", "fact"), [("nowhere/model.yaml", "There is no folder nowhere"), ("notes.txt", "is not a model file")]
)
def test_files_that_are_no_models_are_refused(file: str, fact: str) -> None:
    error = called(file)
    assert isinstance(error, CallError)
    assert fact in str(error)


@pytest.mark.usefixtures("page_bundle")
def test_a_number_that_is_no_port_is_refused() -> None:
    assert "70000 is not a port" in str(called("--port", "70000"))


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_STUDIO_PACKAGES", ("starlette", "no_such_package"))
    error = called()
    assert isinstance(error, GyrostatError)
    assert str(error) == "The studio needs no_such_package. Install: pip install gyrostat[studio]"


@pytest.mark.usefixtures("page_bundle")
def test_a_busy_port_is_told_and_another_one_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    served = []

    def serve(running: object, listening: socket.socket, started: object) -> None:
        served.append(listening.getsockname())
        listening.close()

    monkeypatch.setattr(serving, "serve", serve)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = CliRunner().invoke(app, ["studio", str(tmp_path / "new.yaml"), "--port", str(port), "--no-open"])
    assert f"Port {port} cannot be used" in result.output
    ((host, other),) = served
    assert host == "127.0.0.1"
    assert other != port
