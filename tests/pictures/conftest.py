"""A browser for the tests of the animation page, and a way to open scenes in it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scenes import two_balls

from gyrostat.pictures.animation import write_page

SIZE = {"width": 800, "height": 500}


_DECODE = """async (image) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${image}`;
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    const pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    let text = "";
    for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
    return [btoa(text), canvas.width, canvas.height];
}"""


@dataclass
class OpenPage:
    """A page in the browser, with what it asked of the network and complained of."""

    page: Any
    path: Path
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def ask(self, script: str) -> Any:
        """Return what a script in the page returns; `view` is the page's own object."""
        return self.page.evaluate(f"(async () => {{ const view = window.gyrostat; return {script}; }})()")

    def drawn(self) -> None:
        """Wait until the present state is drawn."""
        self.ask("new Promise((done) => view.stage.afterNextFrame(done))")

    def seek(self, time: float) -> None:
        """Go to a time and wait until it is drawn."""
        self.ask(f"(view.timeline.pause(), view.timeline.seek({time}))")
        self.drawn()

    def pixels(self) -> np.ndarray:
        """Return a screenshot of the canvas (height, width, 3), decoded by the browser."""
        box = self.page.locator("#canvas").bounding_box()
        image = base64.b64encode(self.page.screenshot(clip=box)).decode("ascii")
        flat, width, height = self.page.evaluate(_DECODE, image)
        return np.frombuffer(base64.b64decode(flat), np.uint8).reshape(height, width, 4)[..., :3].astype(int)

    def project(self, points: np.ndarray) -> np.ndarray:
        """Return where points of the world (P, 3) are seen by the camera's matrices, in pixels (P, 2)."""
        inverse, projection, width, height = self.ask(
            "[view.stage.camera.matrixWorldInverse.toArray(), view.stage.camera.projectionMatrix.toArray(), "
            "view.stage.width, view.stage.height]"
        )
        matrix = np.reshape(projection, (4, 4)).T @ np.reshape(inverse, (4, 4)).T
        clip = np.column_stack([points, np.ones(len(points))]) @ matrix.T
        seen = clip[:, :2] / clip[:, 3:]
        return np.column_stack([(seen[:, 0] + 1) / 2 * width, (1 - seen[:, 1]) / 2 * height])


def _opened(browser: Any, path: Path, *, motion: bool, ready: bool, prepare: Any, **options: Any) -> OpenPage:
    reduced = "no-preference" if motion else "reduce"
    context = browser.new_context(viewport=SIZE, offline=True, reduced_motion=reduced, **options)
    if prepare:
        prepare(context)
    opened = OpenPage(context.new_page(), path)
    opened.page.on("request", lambda request: opened.requests.append(request.url))
    opened.page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    opened.page.on("console", lambda said: opened.complaints.append(said.text) if said.type == "error" else None)
    opened.page.goto(path.as_uri())
    opened.page.wait_for_selector("html[data-state]", state="attached", timeout=60_000)
    state = opened.page.locator("html").get_attribute("data-state")
    assert state == "ready" or not ready, opened.complaints
    return opened


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Callable[..., OpenPage]]:
    """Open a scene, or a file, without a network; animations do not start by themselves unless `motion` is given."""
    pages = []

    def open_it(
        scene: Any, *, motion: bool = False, ready: bool = True, prepare: Any = None, **options: Any
    ) -> OpenPage:
        path = scene if isinstance(scene, Path) else write_page(scene, tmp_path / "scene.html")
        pages.append(_opened(browser, path, motion=motion, ready=ready, prepare=prepare, **options))
        return pages[-1]

    yield open_it
    for opened in pages:
        opened.page.context.close()


@pytest.fixture(scope="session")
def _shared_balls(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenPage]:
    path = write_page(two_balls(), tmp_path_factory.mktemp("page") / "balls.html")
    opened = _opened(browser, path, motion=False, ready=True, prepare=None)
    yield opened
    opened.page.context.close()


@pytest.fixture
def balls(_shared_balls: OpenPage) -> OpenPage:
    """The scene of two balls, opened once: at its beginning, paused, the camera where it was at first."""
    _shared_balls.page.mouse.move(2, 2)
    _shared_balls.ask("view.stage.fit()")
    _shared_balls.seek(0)
    return _shared_balls
