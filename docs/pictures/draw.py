"""Draws the pictures of the README and of documents again: python docs/pictures/draw.py.

The screenshot of the animation page needs Chromium and Playwright (the extra `browser`); without them it stays.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

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
    screenshot(run, "page.png", paths=["bar2.tip"], plots=["a1", "a2", "bar2.tip.y"])
    draw_dragline()
    for document in ("coordinates", "mechatronics"):
        draw_pictures_of(document)
    draw_contact_laws()
    for path in HERE.glob("*.png"):
        with Image.open(path) as image:
            few = image.convert("RGB").quantize(256, kmeans=3)
        few.save(path, optimize=True)


def draw_pictures_of(document: str) -> None:
    """Run a document that draws pictures named after it, and keep them."""
    from documents import check_document, in_folder

    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(EXAMPLES, Path(folder) / "examples")
        in_folder(Path(folder), lambda: check_document(HERE.parent / "howto" / f"{document}.md"))
        for drawing in Path(folder).glob(f"{document}_*"):
            shutil.copy(drawing, HERE)


def draw_contact_laws() -> None:
    """Draw forces of normal laws over the depth in an impact, and of friction laws over the way to and fro."""
    from matplotlib import pyplot as plt

    normal = {
        "HuntCrossley, e = 0.8": gs.HuntCrossley(1e6, 1.5, restitution=0.8),
        "HuntCrossley, e = 0.3": gs.HuntCrossley(1e6, 1.5, restitution=0.3),
        "KelvinVoigt": gs.KelvinVoigt(5e4, 60),
        "KelvinVoigt, fade_depth": gs.KelvinVoigt(5e4, 60, fade_depth=2e-3),
        "Adhesion": gs.Adhesion(gs.HuntCrossley(1e6, 1.5, chi=0.1), 60.0, 2e-3),
    }
    bristle = 2e4, 300
    friction = {
        "Coulomb": gs.Coulomb(0.4, 5e-3),
        "Stribeck": gs.Stribeck(0.3, 0.5, 0.02, 5e-3),
        "LuGre": gs.LuGre(0.3, 0.5, *bristle, 0.02),
        "Bristle": gs.Bristle(0.3, 0.5, *bristle, 0.02),
    }
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for name, law in normal.items():
        run = gs.simulate(_dropped(law), duration=0.06, step=5e-5, initial={"h": 0.105, "h.rate": -1.0})
        left.plot(-1e3 * run["c.gap"].values, run["c.force"].values, label=name)
    left.set(xlabel="depth (mm)", ylabel="force (N)", xlim=(-3, None))
    for name, law in friction.items():
        run = gs.simulate(_rubbed(law), duration=1.5, step=1e-3, integrator=gs.Rodas5P())
        last = slice(500, None)
        right.plot(1e3 * run["x"].values[last], -run["c.friction"].values[last, 0], label=name)
    right.set(xlabel="way (mm)", ylabel="friction (N)")
    for axes in (left, right):
        axes.legend(fontsize=7)
        axes.grid(alpha=0.3)
    figure.savefig(HERE / "contact_laws.svg")
    plt.close(figure)


def _dropped(law: gs.NormalLaw) -> gs.Model:
    """Return a ball of 1 kg on a vertical guide over a floor, without gravity."""
    model = gs.Model("ball")
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("h", "ground", "ball", axis="z"))
    model.add(gs.Contact("c", "ball", "ground.floor", law))
    return model


def _rubbed(law: gs.FrictionLaw) -> gs.Model:
    """Return a ball that is pressed on a floor with 10 N and moved to and fro."""
    model = gs.Model("rubbed")
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", ("ground", (0, 0, 0.1 - 1e-5)), "ball", axis="x", driven="1e-3*sin(2*pi*t)"))
    model.add(gs.Contact("c", "ball", "ground.floor", gs.KelvinVoigt(1e6), law))
    return model


def draw_dragline() -> None:
    """Take a picture of the dragline's page while it swings."""
    sys.path.append(str(EXAMPLES.parent))
    from examples.dragline import cycle
    from examples.dragline.machine import machine

    loads = ["hoist.tension", "drag.tension", "rigging.dump_rope.tension"]
    shown = {"paths": ["rigging.bucket.shell"], "plots": ["rigging.bucket.carry", *loads], "poster": 33.0}
    screenshot(cycle.run(gs.formulate(machine())), "dragline_page.png", **shown)


def screenshot(run: gs.Trajectory, name: str, **shown: Any) -> None:
    """Take a picture of an animation page in a browser without a window."""
    try:
        from chromium import find_chromium
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    if (browser_path := find_chromium()) is None:
        return
    flags = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_path = run.animate(Path(folder) / "a.html", **shown)
        browser = playwright.chromium.launch(executable_path=browser_path, args=flags)
        page = browser.new_page(viewport={"width": 1100, "height": 620})
        page.goto(page_path.as_uri())
        page.wait_for_timeout(3000)
        page.screenshot(path=HERE / name)
        browser.close()


if __name__ == "__main__":
    main()
