"""The studio's view in notebooks."""

from __future__ import annotations

import base64
import time
from pathlib import Path
from typing import Any

import pytest

import gyrostat as gs
from gyrostat.studio.page_files import whole_page

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
HOST = """<!doctype html><html><body><div id="place"></div><script type="module">
  %s
  const listeners = [];
  window.sent = [];
  window.give = (content, bytes) => {
    const buffers = bytes ? [new DataView(Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)).buffer)] : [];
    for (const listener of listeners) listener(content, buffers);
  };
  const send = (message) => sent.push(message);
  const model = { get: () => 500, send, on: (_, listener) => listeners.push(listener), off: () => {} };
  widget.render({ model, el: document.getElementById("place") });
</script></body></html>"""


@pytest.fixture
def widget() -> Any:
    pytest.importorskip("anywidget", reason="notebook widget: anywidget is not installed")
    made = gs.studio_widget(gs.Model.load(EXAMPLES / "double_pendulum.yaml"), height=500)
    yield made
    made.close()


def test_a_model_is_required() -> None:
    with pytest.raises(gs.GyrostatError, match="is not a model"):
        gs.studio_widget("model.yaml")  # type: ignore[arg-type]


def test_the_widget_works_in_a_page(browser: Any, widget: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The widget's script, with a stand-in for the notebook: messages go to and fro through the test."""
    waiting: list[tuple[Any, bytes | None]] = []
    monkeypatch.setattr(widget, "send", lambda content, buffers=None: waiting.append((content, buffers and buffers[0])))
    script = widget._esm.replace("export default", "const widget =")
    (tmp_path / "host.html").write_text(HOST % script, encoding="utf-8")
    from playwright.sync_api import Error

    context = browser.new_context(viewport={"width": 1000, "height": 600}, reduced_motion="reduce", offline=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((tmp_path / "host.html").as_uri())

    def exchange(until: Any) -> None:
        end = time.monotonic() + 60
        while not until():
            assert time.monotonic() < end, complaints
            for message in page.evaluate("window.sent.splice(0)"):
                widget._take(widget, message, [])
            while waiting:
                content, data = waiting.pop(0)
                page.evaluate("([a, b]) => give(a, b)", [content, data and base64.b64encode(data).decode("ascii")])
            page.wait_for_timeout(30)

    def inside(script: str) -> Any:
        try:
            return len(page.frames) > 1 and page.frames[1].evaluate(script)
        except Error:  # the frame is being loaded
            return False

    exchange(lambda: inside("document.documentElement.dataset.state === 'ready'"))
    assert inside("getComputedStyle(document.getElementById('left')).display") == "none"
    before = inside("gyrostat.bodies.groups[1].position.x")
    inside(
        "(() => { const s = document.querySelector('[data-knob=\"initial:a1\"]'); s.value = -0.7;"
        "s.dispatchEvent(new Event('input')); })()"
    )
    exchange(lambda: inside(f"Math.abs(gyrostat.bodies.groups[1].position.x - {before}) > 0.1"))
    exchange(lambda: "initial: -0.7" in widget.text)
    assert complaints == []
    context.close()


def test_the_frame_may_load_nothing(page_bundle: None) -> None:
    page = whole_page("default-src 'none'", "n")
    assert 'data-place="notebook"' in page
    assert 'http-equiv="Content-Security-Policy"' in page
    assert 'src="http' not in page
