"""Draws the pictures of README, pictures.md, coordinates.md and mechatronics.md again: python docs/pictures/draw.py.

The screenshot of the animation page needs Chromium and Playwright (the extra `browser`); without them it stays.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image

import gyrostat as gs

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
sys.path.append(str(HERE.parent.parent / "tests" / "support"))


def main() -> None:
    """Draw all of them."""
    model = gs.Model.load(EXAMPLES / "double_pendulum.yaml")
    event = gs.Event("passes below", when="a1")
    run = gs.simulate(model, duration=10, step=0.01, initial={"a1": 1.8, "a2": 0.4}, events=[event])
    run.picture([0.15 * k for k in range(9)], HERE / "strobe.png", paths=["bar2.tip"])
    run.plot("a1", "a2", "bar2.tip", path=HERE / "plot.svg")
    run.plot_energy(path=HERE / "energy.svg")
    run.plot_phase("a1", "a2", path=HERE / "phase_dark.svg", dark=True)
    top = gs.simulate(gs.Model.load(EXAMPLES / "spinning_top.yaml"), duration=2.62, step=0.01)
    top.picture(2.62, HERE / "top_dark.png", paths=["top.head"], dark=True)
    screenshot(run)
    for document in ("coordinates", "mechatronics"):
        draw_pictures_of(document)
    for path in HERE.glob("*.png"):
        with Image.open(path) as image:
            few = image.convert("RGB").quantize(256, kmeans=3)
        few.save(path, optimize=True)


def draw_pictures_of(document: str) -> None:
    """Run a document that draws pictures named after it, and keep them."""
    from documents import check_document, in_folder

    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(EXAMPLES, Path(folder) / "examples")
        in_folder(Path(folder), lambda: check_document(HERE.parent / f"{document}.md"))
        for drawing in Path(folder).glob(f"{document}_*"):
            shutil.copy(drawing, HERE)


def screenshot(run: gs.Trajectory) -> None:
    """Take a picture of the animation page in a browser without a window."""
    try:
        from chromium import find_chromium
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    if (browser_path := find_chromium()) is None:
        return
    flags = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_path = run.animate(Path(folder) / "a.html", paths=["bar2.tip"], plots=["a1", "a2", "bar2.tip.y"])
        browser = playwright.chromium.launch(executable_path=browser_path, args=flags)
        page = browser.new_page(viewport={"width": 1100, "height": 620})
        page.goto(page_path.as_uri())
        page.wait_for_timeout(3000)
        page.screenshot(path=HERE / "page.png")
        browser.close()


if __name__ == "__main__":
    main()
