"""One sheet with the animation pages of all examples: python docs/pictures/contact_sheet.py sheet.png.

Needs Chromium and Playwright (the extra `browser`). With --stills the pictures are drawn without a browser instead.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

import gyrostat as gs

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "examples"), str(ROOT / "docs")]
DURATIONS = {"andrews_squeezer": 0.03, "gear_train": 0.5, "gyrostat_satellite": 10.0, "seven_joint_arm": 1.0}
"""Durations of runs (s) other than three seconds."""
SIZE = {"width": 960, "height": 540}
PART = 0.35
"""When each motion is pictured, as a part of its duration."""


def main() -> None:
    """Draw the sheet."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("sheet", type=Path)
    arguments.add_argument("--stills", action="store_true", help="draw without a browser")
    arguments.add_argument("--only", nargs="*", default=(), help="names of some models")
    arguments.add_argument("--columns", type=int, default=4)
    arguments.add_argument("--width", type=int, default=480, help="width of each picture in pixels")
    given = arguments.parse_args()
    chosen = {name: run for name, run in runs() if not given.only or name in given.only}
    with tempfile.TemporaryDirectory() as folder:
        draw = stills if given.stills else screenshots
        tile(list(draw(chosen, Path(folder))), given.columns, given.width).save(given.sheet)


def runs() -> Iterator[tuple[str, gs.Trajectory]]:
    """Yield a run of every example and program, and of models of components that no example has."""
    from builder import programs
    from pictured_models import PICTURED

    for path in sorted((ROOT / "examples").glob("*.yaml")):
        duration = DURATIONS.get(path.stem, 3.0)
        yield path.stem, gs.simulate(gs.Model.load(path), duration=duration, step=duration / 300)
    yield from programs.runs()
    for name, make in PICTURED.items():
        if name not in programs.PROGRAMS:
            yield name, make()


def screenshots(chosen: dict[str, gs.Trajectory], folder: Path) -> Iterator[Image.Image]:
    """Yield pictures of the pages."""
    from chromium import find_chromium
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
        for name, run in chosen.items():
            page: Any = browser.new_page(viewport=SIZE, reduced_motion="reduce")
            page.goto(run.animate(folder / f"{name}.html").as_uri())
            page.wait_for_selector("html[data-state=ready]", state="attached", timeout=60_000)
            time = run.time[0] + PART * (run.time[-1] - run.time[0])
            page.evaluate(
                f"new Promise((done) => {{ gyrostat.timeline.seek({time}); gyrostat.stage.afterNextFrame(done); }})"
            )
            page.screenshot(path=folder / f"{name}.png")
            page.close()
            with Image.open(folder / f"{name}.png") as image:
                yield image.convert("RGB")
        browser.close()


def stills(chosen: dict[str, gs.Trajectory], folder: Path) -> Iterator[Image.Image]:
    """Yield stills."""
    for name, run in chosen.items():
        time = float(run.time[0] + PART * (run.time[-1] - run.time[0]))
        with Image.open(run.picture(time, folder / f"{name}.png")) as image:
            yield image.convert("RGB")


def tile(images: list[Image.Image], columns: int, width: int) -> Image.Image:
    """Return pictures side by side."""
    height = round(width * SIZE["height"] / SIZE["width"])
    sheet = Image.new("RGB", (columns * width, -(-len(images) // columns) * height), "white")
    for k, image in enumerate(images):
        image.thumbnail((width, height))
        sheet.paste(image, (k % columns * width, k // columns * height))
    return sheet


if __name__ == "__main__":
    main()
