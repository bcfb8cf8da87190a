"""Progress of long computations on a terminal and for callbacks."""

from __future__ import annotations

import io
import sys

import pytest
from simulations import double_pendulum

import gyrostat as gs
from gyrostat.progress import TerminalLine, terminal_line, time_progress


def attached_terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Return the terminal that standard error is now; lines appear on it at once."""
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("gyrostat.progress.PATIENCE", 0.0)
    monkeypatch.setattr("gyrostat.progress.INTERVAL", 0.0)
    return stream


def test_a_simulation_shows_time_and_fraction_and_removes_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = attached_terminal(monkeypatch)
    with time_progress(0.0, 8.0, None) as report:
        assert report is not None
        report(2.0)
        report(6.0)
    shown = terminal.getvalue()
    assert "simulating: t = 2 of 8 s, 25 %, 0 s left" in shown
    assert "simulating: t = 6 of 8 s, 75 %" in shown
    assert shown.endswith("\x1b[2K")


def test_texts_are_shown_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = attached_terminal(monkeypatch)
    with terminal_line() as report:
        assert report is not None
        report("[bold]mass matrix[/bold]: 4 of 5")
    assert "[bold]mass matrix[/bold]: 4 of 5" in terminal.getvalue()


def test_nothing_is_shown_in_the_first_second(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = attached_terminal(monkeypatch)
    monkeypatch.setattr("gyrostat.progress.PATIENCE", 1.0)
    line = TerminalLine()
    line.show("deriving", 0.5)
    line.close()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("wanted", [None, True, False])
def test_without_a_terminal_there_is_no_line(wanted: bool | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with time_progress(0.0, 1.0, wanted) as report:
        assert report is None
    with terminal_line() as shown:
        assert shown is None


def test_a_line_that_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = attached_terminal(monkeypatch)
    gs.simulate(double_pendulum(), 0.1, step=0.01, progress=False)
    assert terminal.getvalue() == ""


def test_callbacks_get_fractions_and_one_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    fractions: list[float] = []
    with time_progress(1.0, 5.0, fractions.append) as report:
        assert report is not None
        report(2.0)
        report(3.0)
    assert fractions == [0.25, 1.0]
    monkeypatch.setattr("gyrostat.progress.INTERVAL", 0.0)
    with time_progress(1.0, 5.0, fractions.append) as report:
        assert report is not None
        report(2.0)
        report(3.0)
    assert fractions[2:] == [0.25, 0.5, 1.0]
