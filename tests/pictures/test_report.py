"""Reports of models: one page with everything, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app
from gyrostat.written import derivation

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
SECTIONS = (
    "The model",
    "Topology",
    "Coordinates and equations",
    "Equations of motion",
    "The methods, step by step",
    "Equilibrium",
    "Modes",
    "Motion",
    "Checks and warnings",
    "Versions",
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("report") / "report.html"
    found = CliRunner().invoke(app, ["report", str(EXAMPLES / "double_pendulum.yaml"), "--out", str(target)])
    assert found.exit_code == 0, found.output
    return target


def test_a_report_has_all_sections(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"<h2[^>]*>([^<]*)</h2>", text)
    assert tuple(headings) == SECTIONS
    assert text.count("data-latex>") > 50
    assert "mass of the upper bar" in text
    assert 'data-scene="scene2"' in text, "two modes and a motion"
    assert "gyrostat" in text


def test_a_report_opens_without_a_network_and_prints(page: Path, browser) -> None:
    context = browser.new_context(viewport={"width": 1000, "height": 800}, offline=True, reduced_motion="reduce")
    opened, requests, complaints = context.new_page(), [], []
    opened.on("request", lambda request: requests.append(request.url))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    opened.goto(page.as_uri())
    opened.wait_for_selector("html[data-state=ready]", state="attached")
    figure = opened.locator("figure.scene").last
    figure.scroll_into_view_if_needed()
    opened.frame_locator("figure.scene >> nth=-1 >> iframe").locator("html[data-state=ready]").wait_for(
        state="attached", timeout=60_000
    )
    equation = opened.locator(".math .katex-html").first.bounding_box()
    assert equation is not None
    assert equation["height"] > 20, "equations are drawn"
    assert equation["x"] + equation["width"] <= 1000, "and fit"
    opened.set_viewport_size({"width": 420, "height": 800})
    opened.reload()
    opened.wait_for_selector(".math .katex-html")
    shown = "[...document.querySelectorAll('.math')].filter((one) => one.querySelector('.katex'))"
    wide = f"{shown}.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.scrollWidth)"
    assert opened.evaluate(wide) == [], "in a narrow window too"
    opened.set_viewport_size({"width": 680, "height": 800})
    opened.emulate_media(media="print")
    assert opened.evaluate(wide) == [], "and on paper"
    opened.emulate_media(media="screen")
    folded = opened.locator("details").first
    assert folded.locator(".katex").count() == 0, "folded formulas are set when they are opened"
    folded.locator("summary").click()
    folded.locator(".katex").first.wait_for(state="attached")
    assert opened.locator(".katex-error").count() == 0
    assert opened.pdf().startswith(b"%PDF-")
    context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "about:", "data:"))] == []


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    model = gs.Model("</script><img src=x onerror=alert(1)>", description="<b>bold</b>")
    model.add(gs.Body("a", gs.point_mass(1), points={"p": (0, 1, 0)}))
    model.add(gs.Revolute("h", "ground", "a.p"))
    text = gs.report(model, tmp_path / "r.html", walks=False, duration=0.1).read_text(encoding="utf-8")
    assert "<img src=x" not in text
    assert "<b>bold" not in text


def test_impossible_analyses_are_told_in_words(tmp_path: Path) -> None:
    model = gs.Model("falling", gravity=(0, 0, -9.81))
    model.add(gs.Body("ball", gs.sphere(1, 0.1)))
    model.add(gs.Free("f", "ground", "ball"))
    text = gs.report(model, tmp_path / "r.html", walks=False, duration=0.2).read_text(encoding="utf-8")
    assert "Equilibrium near the initial position:" in text
    assert "Checks and warnings</h2>" in text


def test_methods_of_long_equations_are_in_numbers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(derivation, "_LONGEST_PART", 10_000)  # three terms: any equations with a root are too long
    text = gs.report(gs.Model.load(EXAMPLES / "spring_pendulum.yaml"), tmp_path / "r.html", duration=0.2).read_text(
        "utf-8"
    )
    assert "In recursive form each common part is once" in text
    assert "these are numbers at the initial state" in text
    assert text.count("<details>") == 5, "the recursive form and four methods"


def test_given_runs_are_shown_and_wrong_ones_refused(tmp_path: Path) -> None:
    model = gs.Model.load(EXAMPLES / "spring_pendulum.yaml")
    run = gs.simulate(model, duration=0.5, step=0.05)
    text = gs.report(model, tmp_path / "r.html", runs={"my run": run}, walks=False).read_text(encoding="utf-8")
    assert "<h3>my run</h3>" in text
    other = gs.Model.load(EXAMPLES / "double_pendulum.yaml")
    with pytest.raises(gs.StateError, match="is a run of 'spring pendulum', the report is about"):
        gs.report(other, tmp_path / "r.html", runs=[run])
    with pytest.raises(gs.PictureError, match=r"ends in \.html"):
        gs.report(other, tmp_path / "r.pdf")
    again = CliRunner().invoke(
        app, ["report", str(EXAMPLES / "spring_pendulum.yaml"), "--out", str(tmp_path / "r.html")]
    )
    assert again.exit_code != 0, "an existing file is kept without --force"
