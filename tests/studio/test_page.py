"""The studio in a real browser."""

from __future__ import annotations

import base64
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.errors import PictureError
from gyrostat.studio import StudioFolder
from gyrostat.studio.page_files import page_file
from gyrostat.studio.server import StudioServer
from gyrostat.studio.serving import bound_socket, serving

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TEXT = (EXAMPLES / "double_pendulum.yaml").read_text(encoding="utf-8")
PATIENCE = 60_000


@pytest.fixture(scope="module", autouse=True)
def _script() -> None:
    try:
        page_file("studio.js")
    except PictureError as error:
        pytest.skip(f"studio: {error}")


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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("models")
    (made / "model.yaml").write_text(TEXT, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[StudioServer]:
    made = StudioServer(StudioFolder(folder, {"four_bar": EXAMPLES / "four_bar.yaml"}), "model.yaml")
    with serving(made):
        yield made


@pytest.fixture(scope="module")
def _shared(browser: Any, server: StudioServer) -> Iterator[Window]:
    made = Window(browser, server.address)
    yield made
    made.close()


@pytest.fixture
def window(_shared: Window, folder: Path) -> Window:
    """The studio with the double pendulum, as it was opened."""
    (folder / "model.yaml").write_text(TEXT, encoding="utf-8")
    _shared.ask("(() => { delete document.documentElement.dataset.motion; studio.files.dirty = false; })()")
    _shared.ask("studio.send({ type: 'open', file: 'model.yaml' })")
    _shared.until("motion", "0")
    _shared.wait_for("studio.editor.places.length > 0 && studio.editor.text.startsWith('# The worked')")
    return _shared


def simulated(**changes: Any) -> gs.Trajectory:
    return gs.simulate(gs.Model.load(EXAMPLES / "double_pendulum.yaml"), duration=10, step=0.02, **changes)


def test_the_model_of_a_file_is_shown_and_nothing_else_is_loaded(window: Window, server: StudioServer) -> None:
    assert window.page.inner_text("h1") == "double pendulum of bars"
    assert window.page.inner_text("#file-name") == "model.yaml"
    assert window.ask("studio.editor.text") == TEXT
    assert {url.split("?")[0] for url in window.requests if not url.startswith("data:")} <= {
        server.address,
        *(f"{server.address}{name}" for name in ("studio.js", "studio.css")),
    }
    names = window.page.locator("#knobs .name").all_inner_texts()
    assert [name.split()[0] for name in names] == ["m1", "m2", "l1", "l2", "g", "a1", "a1.rate", "a2", "a2.rate"]
    assert window.complaints == []


def test_a_slider_moves_the_drawn_body(window: Window) -> None:
    before = window.place_of(1)
    window.drawn()
    assert window.coloured(before, "orange")
    window.turn("initial:a1", -0.9)
    expected = simulated(initial={"a1": -0.9})["bar2"].values[0]
    np.testing.assert_allclose(window.ask("gyrostat.bodies.groups[1].position.toArray()"), expected, atol=1e-3)
    window.settle()
    after = window.place_of(1)
    assert np.linalg.norm(after - before) > 60
    assert window.coloured(after, "orange")
    assert not window.coloured(before, "orange")
    assert "initial: -0.9}" in window.ask("studio.editor.text")


def test_the_plots_follow_the_slider(window: Window) -> None:
    window.turn("parameter:g", 3.0)
    expected = simulated(parameters={"g": 3.0})["a1"].values
    plotted = window.ask("Array.from(gyrostat.plots.list[0].chart.data[1])")
    np.testing.assert_allclose(plotted, expected, atol=2e-3)


def test_slider_moves_are_undone_in_the_text_and_the_motion(window: Window) -> None:
    window.turn("parameter:l1", 1.5)
    window.turn("parameter:l1", 1.6)
    assert "l1: {value: 1.6, unit: m" in window.ask("studio.editor.text")
    window.page.click("#undo")
    assert window.ask("studio.editor.text") == TEXT
    window.wait_for("Number(document.querySelector('[data-knob=\"parameter:l1\"]').value) === 1")
    assert window.page.locator("#undo").is_disabled()


def test_a_new_initial_value_is_written_into_the_text(window: Window) -> None:
    window.turn("initial:a1.rate", 2.0)
    assert "initial: {angle: 0.8, rate: 2}}" in window.ask("studio.editor.text")
    window.turn("initial:a1", 0.5)
    window.wait_for("studio.editor.text.includes('{angle: 0.5, rate: 2}')")


def test_a_fault_is_marked_at_its_line_and_its_repair_clears_it(window: Window) -> None:
    line = TEXT.split("\n").index(next(line for line in TEXT.split("\n") if line.startswith("  a2:"))) + 1
    window.ask(f"studio.editor.goTo({line}, 16)")
    window.page.keyboard.type("x")
    window.until("faults", "1")
    marked = window.page.locator(".cm-lintRange-error")
    assert marked.count() == 1
    assert marked.inner_text() == "Rexvolute"
    row = marked.evaluate("(mark) => [...mark.closest('.cm-content').children].indexOf(mark.closest('.cm-line')) + 1")
    assert row == line
    assert window.page.inner_text("#faults").startswith(f"Line {line}: joint 'a2'")
    assert "stale" in (window.page.locator("#middle").get_attribute("class") or "")
    assert window.page.inner_text("h1") == "double pendulum of bars", "the last good model stays"
    window.page.keyboard.press("Backspace")
    window.until("faults", "0")
    assert window.page.locator(".cm-lintRange-error").count() == 0
    assert window.page.locator("#faults").is_hidden()


def test_completion_offers_what_the_schema_has(window: Window) -> None:
    line = len(TEXT.rstrip("\n").split("\n"))
    window.ask(f"studio.editor.goTo({line}, 100)")
    window.page.keyboard.press("End")
    window.page.keyboard.type("\n")
    window.page.keyboard.type("spring: {type: Torsion")
    window.page.wait_for_selector(".cm-tooltip-autocomplete li")
    assert "TorsionSpring" in window.page.inner_text(".cm-tooltip-autocomplete")
    window.page.wait_for_selector(".cm-tooltip-autocomplete li[aria-selected] >> text=TorsionSpring")
    window.page.wait_for_timeout(200)  # the editor takes no choice that comes too soon to be meant
    window.page.keyboard.press("Enter")
    window.wait_for("studio.editor.text.includes('type: TorsionSpring')")


def test_a_change_of_structure_is_formulated_and_drawn(window: Window) -> None:
    text = TEXT.replace("forces:", "  lock: {type: Weld, parent: ground, child: bar3}\nforces:").replace(
        "joints:", "  bar3: {properties: {sphere: {mass: 1, radius: 0.1}}}\njoints:"
    )
    window.ask(
        f"studio.editor.view.dispatch({{changes: {{from: 0, to: studio.editor.text.length, insert: {text!r}}}}})"
    )
    window.wait_for("gyrostat.bodies.groups.length === 3")
    assert window.complaints == []


def test_modes_are_animated(window: Window) -> None:
    window.page.click("[data-tab=modes]")
    window.page.wait_for_selector("#pane-modes [data-mode='0']")
    system = gs.formulate(gs.Model.load(EXAMPLES / "double_pendulum.yaml"))
    modes = gs.linearize(system, at=gs.equilibrium(system)).modes()
    assert f"{modes[0].frequency:.4g} Hz" in window.page.inner_text("#pane-modes")
    window.page.click("#pane-modes [data-mode='0']")
    window.until("mode", "0")
    places = [window.ask("gyrostat.bodies.groups[1].position.x")]
    window.ask(f"gyrostat.timeline.seek({0.3 * modes[0].period})")
    places.append(window.ask("gyrostat.bodies.groups[1].position.x"))
    assert abs(places[1] - places[0]) > 0.05
    assert window.ask("gyrostat.timeline.end") == pytest.approx(modes[0].period, rel=1e-6)
    window.turn("parameter:g", 3.0)
    window.wait_for(f"gyrostat.timeline.end > {1.3 * modes[0].period}")
    window.page.click("#banner button")
    window.wait_for("gyrostat.timeline.end === 10")
    window.page.click("[data-tab=plots]")


@pytest.mark.parametrize("tab", ["topology", "equations", "methods", "linear", "results"])
def test_tabs_show_their_contents(window: Window, tab: str) -> None:
    window.page.click(f"[data-tab={tab}]")
    window.wait_for(f"document.querySelector('#pane-{tab}').innerText.length > 20 && studio.panes.last.has('{tab}')")
    pane = window.page.locator(f"#pane-{tab}")
    assert pane.locator(".katex").count() > 1 or tab not in ("equations", "methods")
    assert pane.locator(".katex-error").count() == 0
    assert pane.locator("canvas").count() == {"linear": 3, "results": 1}.get(tab, 0)
    assert pane.locator("img").count() == (1 if tab == "topology" else 0)
    window.page.click("[data-tab=plots]")
    assert window.complaints == []


def test_dragging_moves_a_body(window: Window) -> None:
    window.page.click("#drive")
    window.until("live")
    box = window.page.locator("#canvas").bounding_box()
    for _ in range(40):  # it moves: take aim until it is caught
        start = window.place_of(1)
        window.page.mouse.move(box["x"] + start[0], box["y"] + start[1])
        window.page.mouse.down()
        if window.ask("studio.drive.held !== null"):
            break
        window.page.mouse.up()
    goal = start + np.array([-140, -60])
    window.page.mouse.move(box["x"] + goal[0], box["y"] + goal[1], steps=5)
    held = "(() => { const p = gyrostat.stage.project(gyrostat.bodies.groups[1].position);"
    window.wait_for(f"{held} return Math.hypot(p[0] - {goal[0]}, p[1] - {goal[1]}) < 60; }})()")
    window.page.mouse.up()
    window.wait_for("studio.drive.held === null")
    window.page.click("#drive")
    window.wait_for("!studio.drive.on && gyrostat.timeline.end === 10")
    assert window.complaints == []


def test_saving_writes_the_text_and_nothing_before(window: Window, folder: Path) -> None:
    window.turn("parameter:m1", 1.25)
    assert (folder / "model.yaml").read_text(encoding="utf-8") == TEXT
    assert window.page.locator("#dirty").is_visible()
    window.page.click("#save")
    window.page.wait_for_selector("#dirty", state="hidden")
    assert (folder / "model.yaml").read_text(encoding="utf-8") == TEXT.replace("m1: {value: 1,", "m1: {value: 1.25,")


def test_a_file_that_vanishes_and_a_run_that_fails_are_told(window: Window, folder: Path) -> None:
    (folder / "model.yaml").unlink()
    window.ask("dispatchEvent(new Event('focus'))")
    window.page.wait_for_selector(".notice >> text=no longer in the folder")
    text = TEXT.replace("type: Actuator, joint: a1", "type: Torque, body: bar1, components: [0, 0, sqrt(1 - t)]")
    window.ask(
        f"studio.editor.view.dispatch({{changes: {{from: 0, to: studio.editor.text.length, insert: {text!r}}}}})"
    )
    window.until("failure", "yes")
    assert window.page.inner_text("#failed").startswith("The simulation ended at t = ")


def test_several_windows_have_models_of_their_own(browser: Any, window: Window, server: StudioServer) -> None:
    other = Window(browser, server.address)
    other.ask("studio.send({ type: 'open', example: 'four_bar' })")
    other.wait_for("document.querySelector('h1').innerText === 'planar four-bar'")
    assert window.page.inner_text("h1") == "double pendulum of bars"
    assert len(server.sessions) == 2
    other.close()
    window.page.wait_for_timeout(300)
    for _ in range(50):
        if len(server.sessions) == 1:
            break
        window.page.wait_for_timeout(100)
    assert len(server.sessions) == 1, "closing the window ends its session"


def test_dark_and_light_follow_the_reader(browser: Any, server: StudioServer) -> None:
    made = Window(browser, server.address, color_scheme="dark")
    assert made.page.locator("html").get_attribute("data-theme") == "dark"
    made.close()


# --- safety -----------------------------------------------------------------------------------------------------------


def fetched(address: str, **headers: str) -> tuple[int, str, dict[str, str]]:
    request = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
            return answer.status, answer.read().decode(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), dict(error.headers)


def test_the_secret_is_required_and_other_hosts_and_origins_are_refused(server: StudioServer) -> None:
    root = f"http://127.0.0.1:{server.port}"
    status, _, headers = fetched(server.address)
    assert status == 200
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    for address in (f"{root}/", f"{root}/studio.js", f"{root}/{'x' * 32}/", f"{root}/{'x' * 32}/studio.js"):
        assert fetched(address)[0] == 403
    assert "secret" in fetched(f"{root}/wrong/")[1]
    assert fetched(server.address, Origin="http://evil.example")[0] == 403
    assert fetched(server.address, Origin="null")[0] == 403
    assert fetched(server.address, Host=f"evil.example:{server.port}")[0] == 403
    assert fetched(server.address, **{"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert fetched(f"{server.address}../../etc/passwd")[0] in (403, 404)


def test_the_server_listens_on_the_loopback_address_only(server: StudioServer) -> None:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        with pytest.raises(OSError):
            probe.connect((_other_address(), server.port))


def _other_address() -> str:
    """Return an address of this machine that is not the loopback address; one that nobody has where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found = probe.getsockname()[0]
        except OSError:
            found = "127.0.0.2"
    return "127.0.0.2" if found.startswith("127.") else str(found)


@pytest.mark.parametrize("secret", [True, False])
def test_pages_of_another_origin_cannot_open_the_socket(browser: Any, server: StudioServer, secret: bool) -> None:
    path = server.secret if secret else "guess"
    context = browser.new_context()
    page = context.new_page()
    page.goto("data:text/html,<title>another origin</title>")
    outcome = page.evaluate(
        f"""() => new Promise((done) => {{
            const socket = new WebSocket("ws://127.0.0.1:{server.port}/{path}/socket");
            socket.onopen = () => done("open");
            socket.onclose = socket.onerror = () => done("refused");
        }})"""
    )
    context.close()
    assert outcome == "refused"


def test_a_busy_port_is_told_in_the_page(browser: Any, server: StudioServer, folder: Path) -> None:
    second = StudioServer(StudioFolder(folder), "")
    with serving(second, server.port) as address:
        assert second.port != server.port
        made = Window(browser, address)
        assert f"Port {server.port} cannot be used" in made.page.inner_text("#notices")
        made.close()
    with pytest.raises(gs.GyrostatError, match="is not a port"):
        bound_socket(99_999)


def test_a_page_whose_server_was_killed_says_so(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(TEXT, encoding="utf-8")
    command = [sys.executable, "-m", "gyrostat", "studio", str(tmp_path / "model.yaml"), "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith("Studio: http://127.0.0.1:"), (first, process.stderr.read() if process.stderr else "")
        made = Window(browser, first.removeprefix("Studio: ").strip())
        process.kill()
        made.until("state", "ended")
        assert "does not answer any more" in made.page.inner_text("#ended")
        assert made.page.locator("#copy").is_visible()
        assert made.ask("studio.editor.text") == TEXT
        made.close()
    finally:
        process.kill()
        process.communicate(timeout=20)
