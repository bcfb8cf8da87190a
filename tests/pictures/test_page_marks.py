"""Arrows, colours, runs side by side, posters, films and words of the animation page, in a real browser."""

from dataclasses import replace

import numpy as np
from scenes import ball, two_balls

from gyrostat.pictures.scene import ColourScale, LineKind, Plot, Polyline, Scene, SceneBody, overlay

TIMES = np.linspace(0, 1, 11)


def marked() -> Scene:
    """A ball that turns from blue to red, with an arrow beside it that grows, and a plot."""
    tip = np.stack([0 * TIMES, 1 + 2 * TIMES, 0 * TIMES], axis=1)
    arrow = Polyline("push", LineKind.ARROW, np.stack([tip * [0, 0, 0] + [0, 1, 0], tip], axis=1), colour="#00c000")
    ball_ = SceneBody("ball", [ball()], np.tile([-2.0, 3.0, 0.0], (len(TIMES), 1)), tones=TIMES)
    return Scene(
        "marked",
        TIMES,
        [ball_],
        [arrow],
        plots=[Plot("x", "m", {"x": TIMES})],
        scale=ColourScale("speed", "m/s", 0.0, 3.0),
        poster=0.5,
        view=np.array([0.0, 0.0, 1.0]),
    )


def colour(pixels: np.ndarray, place: np.ndarray) -> np.ndarray:
    column, row = np.round(place).astype(int)
    return pixels[row - 1 : row + 2, column - 1 : column + 2].mean(axis=(0, 1))


def test_arrows_and_colours_follow_the_data(open_page):
    opened = open_page(marked())
    assert opened.ask("view.timeline.time") == 0.5, "the page opens at its poster"
    assert not opened.ask("view.timeline.playing")
    opened.seek(1.0)
    late = opened.pixels()
    body, shaft = opened.project(np.array([[-2.0, 3.0, 0.0], [0.0, 1.8, 0.0]]))
    red = colour(late, body)
    assert red[0] > 2 * red[2]
    green = colour(late, shaft)
    assert green[1] > 1.5 * green[0]
    opened.seek(0.0)
    early = opened.pixels()
    blue = colour(early, body)
    assert blue[2] > 1.5 * blue[0]
    assert np.ptp(colour(early, shaft)) < 40, "the arrow has no length yet"
    opened.seek(1.0)
    opened.page.keyboard.press("v")
    opened.drawn()
    assert np.ptp(colour(opened.pixels(), shaft)) < 40, "arrows are hidden"
    legend = opened.page.locator("#tones").inner_text()
    assert "speed" in legend
    assert "3 m/s" in legend
    assert opened.complaints == []


def test_runs_stand_side_by_side(open_page):
    scene = overlay({"one": two_balls(), "other": two_balls()}, beside=True)
    opened = open_page(scene)
    places = opened.ask("view.runs.groups.map((group) => group.position.toArray())")
    apart = np.linalg.norm(np.subtract(places[1], places[0]))
    assert apart > 1
    moved = scene.bodies[2].positions[0] + np.array(places[1])
    seen = opened.project(moved[None])[0]
    opened.seek(0.0)
    shown = colour(opened.pixels(), seen)
    assert np.ptp(shown) > 60, "the second run is drawn where it was moved to"
    opened.page.keyboard.press("b")
    opened.drawn()
    assert opened.ask("view.runs.groups[1].position.length()") == 0
    assert opened.complaints == []


def test_pages_record_films_and_pictures(open_page):
    scene = replace(marked(), times=0.4 * TIMES, poster=None)
    opened = open_page(scene)
    kind, head = opened.ask(
        "(async () => { const film = await view.film.record(false);"
        " return [film.type, Array.from(new Uint8Array(await film.slice(0, 12).arrayBuffer()))]; })()"
    )
    magic = bytes(head)
    assert magic[4:8] == b"ftyp" if "mp4" in kind else magic[:4] == b"\x1aE\xdf\xa3", "the film is a film"
    assert opened.ask("view.timeline.loop"), "as it was before"
    with opened.page.expect_download() as saved:
        opened.page.keyboard.press("s")
    assert saved.value.suggested_filename == "marked.png"
    assert opened.complaints == []


def test_the_page_can_be_heard_and_turned_by_keys(open_page):
    opened = open_page(marked())
    assert "1 bodies: ball" in opened.page.locator("#about").text_content()
    opened.page.locator("#spoken", has_text="0.5").wait_for(state="attached")
    assert opened.page.locator("#plots figure").get_attribute("aria-label") == "x over time: x"
    before = opened.ask("view.stage.camera.position.toArray()")
    opened.page.locator("#canvas").press("e")
    opened.page.locator("#canvas").press("PageUp")
    after = opened.ask("view.stage.camera.position.toArray()")
    assert np.linalg.norm(np.subtract(after, before)) > 0.1
    width = opened.ask("document.getElementById('plots').clientWidth")
    opened.page.locator("#border").press("ArrowLeft")
    assert opened.ask("document.getElementById('plots').clientWidth") > width


def test_a_tap_shows_values(open_page):
    opened = open_page(replace(marked(), plots=()), has_touch=True)
    x, y = opened.project(np.array([[-2.0, 3.0, 0.0]]))[0]
    opened.page.touchscreen.tap(x, y)
    opened.page.locator("#tip").wait_for()
    assert "ball" in opened.page.locator("#tip").inner_text()
