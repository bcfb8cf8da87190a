"""A browser for the tests of pages: one for all of them, as Playwright allows one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from chromium import find_chromium

from gyrostat.errors import PictureError
from gyrostat.pictures.animation.bundle import load_bundle
from gyrostat.studio.page_files import page_file

FLAGS = (
    *("--no-sandbox", "--no-first-run", "--disable-quic", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader"),
    *("--enable-unsafe-swiftshader", "--disable-gpu-compositing"),
)
"""Without a graphics card browsers compose pages with the processor, as here: by a graphics library in software that
takes five times as long as drawing the mechanism."""


@pytest.fixture(scope="session")
def page_bundle() -> None:
    """The page's script, or a skip: without npm the package is installed without it."""
    try:
        load_bundle()
        page_file("studio.js")
    except PictureError as error:
        pytest.skip(f"animation page: {error}")


@pytest.fixture(scope="session")
def browser(page_bundle: None) -> Iterator[Any]:
    """A headless Chromium with software WebGL, or a skip that the summary tells of."""
    path = find_chromium()
    if path is None:
        pytest.skip("animation page: no Chromium was found")
    sync = pytest.importorskip("playwright.sync_api", reason="animation page: Playwright is not installed")
    with sync.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield started
        started.close()
