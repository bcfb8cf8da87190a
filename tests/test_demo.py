"""The demo writes the announced files, and each of them can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from pictures import assert_parses

import gyrostat as gs
from examples import demo
from gyrostat.pictures.animation.bundle import load_bundle


def test_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    try:
        load_bundle()
    except gs.PictureError as error:
        pytest.skip(f"animation page: {error}")
    monkeypatch.setattr(demo, "OUT", tmp_path / "demo")
    monkeypatch.setattr(demo, "DIGGING", 2.0)
    demo.main()
    printed = capsys.readouterr().out
    for show in demo.SHOWS:
        assert show.name in printed
        assert gs.load(demo.OUT / f"{show.name}.nc").status.success
        assert (demo.OUT / f"{show.name}.html").stat().st_size < 2_000_000
    for path in demo.OUT.iterdir():
        if path.suffix not in (".nc", ".html"):
            assert_parses(path)
    assert len(list(demo.OUT.iterdir())) == 6 * len(demo.SHOWS) + 3 + 4
