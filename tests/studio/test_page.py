"""The studio in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from studio_window import Window

import gyrostat as gs
from gyrostat.studio import StudioFolder
from gyrostat.studio.rotation import euler_parameters
from gyrostat.studio.server import StudioServer
from gyrostat.studio.serving import serving

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TEXT = (EXAMPLES / "double_pendulum.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, page_bundle: None) -> Path:
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
    _shared.ask("studio.openModel({ file: 'model.yaml' })")
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


def test_an_orientation_is_turned_by_three_sliders(window: Window, folder: Path) -> None:
    """The four Euler parameters are written where the text had none, and again where they are written."""
    ball = TEXT.replace("{type: Revolute, parent: ground,", "{type: Spherical, parent: ground,").replace(
        ", initial: 0.8}", "}"
    )
    assert "Spherical" in ball
    ball = "\n".join(line.replace(", axis: z", "") if "Spherical" in line else line for line in ball.split("\n"))
    ball = ball.replace("type: Actuator, joint: a1", "type: Torque, body: bar1, components: [0, 0, 0]")
    (folder / "model.yaml").write_text(ball, encoding="utf-8")
    window.ask(
        "(() => { delete document.documentElement.dataset.motion; studio.openModel({ file: 'model.yaml' }); })()"
    )
    window.until("motion", "0")
    window.wait_for("document.querySelector('[data-knob=\"rotation:a1.rotation_vector.z\"]')")
    for axis, value in zip("xz", (0.3, -1.2), strict=True):
        window.turn(f"rotation:a1.rotation_vector.{axis}", value)
        window.settle()
    (folder / "model.yaml").write_text(window.ask("studio.editor.text"), encoding="utf-8")
    model = gs.Model.load(folder / "model.yaml")
    expected = euler_parameters("a1", (0.3, 0.0, -1.2))
    found = gs.assemble(model).state
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-8)
    fields = [window.ask(f"studio.knobs.rows.get('rotation:a1.rotation_vector.{axis}').value") for axis in "xyz"]
    assert fields == pytest.approx([0.3, 0.0, -1.2], abs=1e-6)
    assert window.complaints == []


def test_shapes_that_change_keep_their_shader_programs(window: Window) -> None:
    """Programs are compiled again when no material uses them; that takes longer than drawing a frame."""
    at_rest = "!gyrostat.stage.software || gyrostat.stage.sun.castShadow"
    window.drawn()
    window.wait_for(at_rest)
    window.ask(
        "(() => { const gl = gyrostat.stage.renderer.getContext(); const link = gl.linkProgram.bind(gl);"
        "window.linked = 0; gl.linkProgram = (program) => { window.linked += 1; link(program); }; })()"
    )
    for length in (1.1, 1.2):
        before = window.ask("gyrostat.bodies.groups[0].uuid")
        window.turn("parameter:l1", length)
        window.drawn()
        window.wait_for(at_rest)
        assert window.ask("gyrostat.bodies.groups[0].uuid") != before, "the shapes are new"
    assert window.ask("linked") == 0


def test_modes_with_many_coordinates_fit_their_pane(window: Window, folder: Path) -> None:
    text = (EXAMPLES / "vehicle_on_springs.yaml").read_text(encoding="utf-8")
    (folder / "model.yaml").write_text(text, encoding="utf-8")
    window.ask("delete document.documentElement.dataset.motion")
    window.ask("studio.openModel({ file: 'model.yaml' })")
    window.until("motion", "0")
    window.page.click("[data-tab=modes]")
    window.wait_for("document.querySelectorAll('#pane-modes .shape span').length > 9")
    pane = "document.querySelector('#pane-modes')"
    assert window.ask(f"{pane}.scrollWidth <= {pane}.clientWidth")
    window.page.click("[data-tab=plots]")


def test_a_narrow_window_has_everything_below_each_other(window: Window) -> None:
    usual = window.page.viewport_size
    window.page.set_viewport_size({"width": 420, "height": 800})
    sides = "['#top', '#middle', '#knobs', '#editor'].map((id) => document.querySelector(id).getBoundingClientRect())"
    window.wait_for(f"{sides}.every(({{ right }}) => right <= 420) && document.documentElement.scrollWidth <= 420")
    tops = window.ask(f"{sides}.map(({{ top }}) => top)")
    window.page.set_viewport_size(usual)
    assert tops == sorted(tops)


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


def test_equations_fit_their_pane(window: Window) -> None:
    window.page.click("[data-tab=equations]")
    window.wait_for("document.querySelectorAll('#pane-equations .formula').length > 0")
    widths = (
        "Array.from(document.querySelectorAll('#pane-equations .formula')).map((f) => f.scrollWidth - f.clientWidth)"
    )
    assert max(window.ask(widths)) <= 2
    first = "document.querySelector('#pane-equations .formula').dataset.seen"
    window.ask(f"{first} = 'before'")
    numbers = "document.querySelectorAll('#pane-equations .formula')[1].innerText"
    before = window.ask(numbers)
    window.turn("parameter:l2", 1.3)
    window.wait_for(f"{numbers} !== {before!r}")
    assert window.ask(first) == "before", "what has not changed is not set again"
    window.page.click("[data-tab=plots]")


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
    goal = start + np.array([100 if start[0] < box["width"] / 2 else -100, -40])
    window.page.mouse.move(box["x"] + goal[0], box["y"] + goal[1], steps=5)
    held = "(() => { const p = gyrostat.stage.project(gyrostat.bodies.groups[1].position);"
    window.wait_for(f"{held} return Math.hypot(p[0] - {goal[0]}, p[1] - {goal[1]}) < 60; }})()")
    window.page.mouse.up()
    window.wait_for("studio.drive.held === null")
    window.page.click("#drive")
    window.wait_for("!studio.drive.on && gyrostat.timeline.end === 10")
    assert window.complaints == []


def test_a_thin_body_is_caught_near_the_pointer(window: Window) -> None:
    window.page.click("#drive")
    window.until("live")
    reach = window.ask("""(() => {
        const { stage, bodies } = gyrostat, box = stage.canvas.getBoundingClientRect();
        const place = stage.project(bodies.groups[1].position);
        const caught = [];
        for (let k = 0; k < 40; k++) {
            const at = { clientX: box.left + place[0] + k, clientY: box.top + place[1] };
            studio.drive.ray(at);
            const met = studio.drive.caster.intersectObjects(bodies.pickable, false).length > 0;
            if (!met && studio.drive.hit(at)?.object.userData.item.name === "bar2") caught.push(k);
        }
        return caught.length;
    })()""")
    assert reach >= 10, "pixels beside the bar"
    window.page.click("#drive")
    window.wait_for("!studio.drive.on && gyrostat.timeline.end === 10")


def test_saving_writes_the_text_and_nothing_before(window: Window, folder: Path) -> None:
    window.turn("parameter:m1", 1.25)
    assert (folder / "model.yaml").read_text(encoding="utf-8") == TEXT
    assert window.page.locator("#dirty").is_visible()
    window.page.click("#save")
    window.page.wait_for_selector("#dirty", state="hidden")
    assert (folder / "model.yaml").read_text(encoding="utf-8") == TEXT.replace("m1: {value: 1,", "m1: {value: 1.25,")


def test_a_file_that_another_program_changed_is_replaced_by_a_second_save_only(window: Window, folder: Path) -> None:
    (folder / "model.yaml").write_text("# another program was here\n", encoding="utf-8")
    window.page.click(".cm-content")
    window.page.keyboard.press("Control+s")
    window.page.wait_for_selector(".notice >> text=changed by another program")
    window.wait_for("!studio.files.saving")
    assert (folder / "model.yaml").read_text(encoding="utf-8") == "# another program was here\n"
    window.page.keyboard.press("Control+s")
    window.page.wait_for_selector(".notice >> text=Saved: model.yaml")
    assert (folder / "model.yaml").read_text(encoding="utf-8") == TEXT


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
    other.ask("studio.openModel({ example: 'four_bar' })")
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
