"""Makes docs/pictures/studio.png: the studio with the double pendulum, in a headless Chromium."""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from gyrostat.studio import StudioFolder
from gyrostat.studio.server import StudioServer
from gyrostat.studio.serving import serving

HERE = Path(__file__).parent
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def main() -> None:
    """Open the studio, turn a knob, and take the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", help="the browser; without it, that of Playwright")
    parser.add_argument("--file", default="double_pendulum.yaml", help="an example")
    parser.add_argument("--scheme", default="light", choices=["light", "dark"])
    parser.add_argument("--tab", default="equations")
    parser.add_argument("--out", type=Path, default=HERE / "studio.png")
    options = parser.parse_args()
    server = StudioServer(StudioFolder(HERE.parent.parent / "examples"), options.file)
    with serving(server) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=FLAGS)
        size = {"width": 1280, "height": 800}
        context = browser.new_context(viewport=size, reduced_motion="reduce", color_scheme=options.scheme)
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("html[data-state=ready]", state="attached", timeout=120_000)
        page.click(f"[data-tab={options.tab}]")
        if options.tab != "plots":
            page.wait_for_selector(f"html[data-tab_{options.tab}=shown]", state="attached", timeout=60_000)
        page.evaluate("gyrostat.timeline.seek(0.35)")
        page.wait_for_timeout(1500)
        page.screenshot(path=options.out)
        browser.close()
    few = (
        Image.open(options.out).convert("RGB").quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    )
    few.save(options.out, optimize=True)


if __name__ == "__main__":
    main()
