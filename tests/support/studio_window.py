"""A window of the studio in the tests' browser."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

PATIENCE = 60_000
"""Milliseconds that a page may take, on a machine that others use."""


class Window:
    """A window of the studio, with what went wrong in it."""

    def __init__(self, browser: Any, address: str, *, wait: bool = True, **options: Any) -> None:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", **options)
        self.page = context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.goto(address)
        if wait:
            self.until("state", "ready")

    def until(self, fact: str, value: str | None = None) -> None:
        """Wait until the page's root has a fact."""
        wanted = f'[data-{fact}="{value}"]' if value is not None else f"[data-{fact}]"
        self.page.wait_for_selector(f"html{wanted}", state="attached", timeout=PATIENCE)

    def ask(self, script: str) -> Any:
        return self.page.evaluate(script)

    def wait_for(self, condition: str) -> None:
        """Wait until a condition holds; it is asked from outside, as the page's policy forbids evaluation in it."""
        for _ in range(PATIENCE // 40):
            if self.ask(condition):
                return
            self.page.wait_for_timeout(40)
        raise AssertionError(f"not reached: {condition}; {self.complaints}")

    def drawn(self) -> None:
        self.ask("new Promise((done) => gyrostat.stage.afterNextFrame(() => done()))")

    def turn(self, knob: str, value: float) -> None:
        """Move a slider as a reader does, and wait for the answer."""
        before = self.ask("studio.times.length")
        self.ask(
            f"(() => {{ const slider = document.querySelector('[data-knob=\"{knob}\"]'); slider.value = {value};"
            "slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change')); })()"
        )
        self.wait_for(f"studio.times.length > {before}")

    def settle(self) -> None:
        """Wait until the text behind the last change has been simulated and drawn."""
        self.wait_for("studio.sent === studio.number && document.documentElement.dataset.motion == studio.number")
        self.drawn()

    def place_of(self, body: int) -> np.ndarray:
        """Return where the origin of a body is seen, in pixels of the stage."""
        return np.array(self.ask(f"gyrostat.stage.project(gyrostat.bodies.groups[{body}].position)"))

    def coloured(self, place: np.ndarray, colour: str) -> bool:
        """Return whether the picture has a body's colour at a place of the stage."""
        box = self.page.locator("#canvas").bounding_box()
        image = self.page.screenshot(
            clip={"x": box["x"] + place[0] - 2, "y": box["y"] + place[1] - 2, "width": 5, "height": 5}
        )
        script = """async (image) => { const picture = new Image(); picture.src = `data:image/png;base64,${image}`;
            await picture.decode(); const canvas = document.createElement("canvas");
            const pen = canvas.getContext("2d"); pen.drawImage(picture, 0, 0);
            return Array.from(pen.getImageData(2, 2, 1, 1).data); }"""
        red, _, blue, _ = self.page.evaluate(script, base64.b64encode(image).decode("ascii"))
        return {"blue": blue > red + 40, "orange": red > blue + 40}[colour]

    def close(self) -> None:
        self.page.context.close()
