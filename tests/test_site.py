"""The documentation site: complete, correctly linked and spelt, and open in a browser without any other host."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import gyrostat as gs

ROOT = Path(__file__).parent.parent
DOCUMENTS = ROOT / "docs"
sys.path.insert(0, str(DOCUMENTS))
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCUMENTS.rglob("*.md")])
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")
FENCED = re.compile(r"^( *)```.*?^\1```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
OPENED = (
    *("index", "start/first_mechanism", "theory/roberson_schwertassek", "lectures/01_graphs"),
    *("theory/notations", "coming_from/adams"),
)
"""Pages that are opened in a browser: tables, code, formulas, cards, notebooks."""


# --- completeness -----------------------------------------------------------------------------------------------


@cache
def pages() -> Mapping[str, str]:
    """Return the pages of the reference."""
    from builder.reference import reference_pages

    return reference_pages()


def test_every_public_name_is_on_a_reference_page() -> None:
    from builder.reference import page_of, public_names

    assert set(public_names()) == set(gs.__all__) - {"__version__"}
    for name in public_names():
        page = pages()[f"reference/{page_of(name)}.md"]
        assert re.search(rf"^## {name}$", page, re.MULTILINE), name
        assert f"<gyrostat.{name}>`" in pages()["reference/index.md"], name


def test_reference_pages_have_no_internal_paths() -> None:
    heads = re.findall(r"^`+\{py:(?:class|function|data)\} (.*)$", "\n".join(pages().values()), re.MULTILINE)
    assert len(heads) > 300
    assert {head.split("(")[0].split(".")[0] for head in heads} <= set(gs.__all__)


def test_every_kind_of_component_has_a_section_with_an_example() -> None:
    from builder.components import PAGES as CATALOGUE
    from builder.components import kinds_of, split

    registries = {name for name in gs.__all__ if type(getattr(gs, name)).__name__ == "Registry"}
    assert {name for names in CATALOGUE.values() for name in names} == registries
    for page, names in CATALOGUE.items():
        text = (DOCUMENTS / "components" / "catalogue" / f"{page}.md").read_text(encoding="utf-8")
        _, kinds = split(page, text)
        assert [kind.tag for kind in kinds if "```python" in kind.text] == [kind.tag for kind in kinds]
        assert sorted(kind.tag for kind in kinds) == sorted(kinds_of(names))


def test_settings_of_the_gallery_belong_to_examples() -> None:
    """Every example has a page; settings of its own are for duration, view and plots."""
    from builder.gallery import SHOWS
    from builder.programs import PROGRAMS

    assert all((ROOT / "examples" / program.file).is_file() for program in PROGRAMS.values())
    assert set(SHOWS) <= {path.stem for path in (ROOT / "examples").glob("*.yaml")}


def test_every_document_is_in_a_table_of_contents() -> None:
    """Sections list their pages in order; pages that they do not list follow when the site is built."""
    from builder.build import _with_all_pages

    for index in DOCUMENTS.rglob("index.md"):
        text = _with_all_pages(index)
        pages = {path.stem for path in index.parent.glob("*.md")} - {"index"}
        assert re.search(r"^\*$", text, re.MULTILINE) or pages <= set(re.findall(r"^(\w+)$", text, re.MULTILINE)), index


# --- links and spelling -----------------------------------------------------------------------------------------


def headings(path: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.replace("`", "").lower()).strip().replace(" ", "-") for title in titles}


def generated() -> set[Path]:
    """Return the pages that are generated while the site is built."""
    from builder.reference import SECTIONS

    names = {"reference/index.md", "gallery/index.md", *(f"reference/{page}.md" for page, _, _ in SECTIONS)}
    examples = [path for path in (ROOT / "examples").iterdir() if path.suffix in (".py", ".yaml")]
    return {DOCUMENTS / name for name in names} | {DOCUMENTS / "gallery" / f"{path.stem}.md" for path in examples}


def test_links_lead_to_pages_and_headings() -> None:
    made, broken = generated(), []
    for page in PAGES:
        for target in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
            file, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            path = (page.parent / file).resolve() if file else page
            if path in made and not anchor:
                continue
            if not path.exists() or (anchor and anchor not in headings(path)):
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert not broken


def test_links_and_headings_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A title\n\n[here](#a-title) and [there](missing.md), `[x](code.md)`\n", encoding="utf-8")
    targets = LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    assert targets == ["#a-title", "missing.md"]
    assert headings(page) == {"a-title"}


def test_words_are_spelt_correctly() -> None:
    main = pytest.importorskip("codespell_lib", reason="codespell is not installed").main
    places = [str(path) for path in (*PAGES, ROOT / "CHANGELOG.md", ROOT / "src" / "gyrostat", ROOT / "examples")]
    skipped = "*.svg,*.png,*.js,*.json,*.csv,*.css,dist,__pycache__"
    assert main("--ignore-words", str(DOCUMENTS / "spelling.txt"), "--skip", skipped, *places) == 0


# --- in a browser -----------------------------------------------------------------------------------------------


def test_what_a_page_draws_stands_below_its_code(tmp_path: Path) -> None:
    from builder.figures import figures_of, with_figures
    from builder.notebooks import notebook_of

    code = 'open("a.svg", "w").write("<svg/>")\nopen("b.html", "w").write("page")\nprint(1)\n'
    text = f"# Page\n\n```python\n{code}```\n\n```text\n1\n```\n\nAfter.\n"
    page = Path("lectures/x.md")
    (tmp_path / "examples").mkdir()
    figures = figures_of(page, text, tmp_path / "examples", tmp_path / "made", "digest")
    assert figures == {"a.svg": b"<svg/>", "b.html": b"page"}
    pages = dict(with_figures(page, text, figures))
    shown = str(pages["lectures/x.md"])
    places = [shown.index(part) for part in ("```text", "{image} figures/x/a.svg", "figures/x/b.html", "After.")]
    assert places == sorted(places)
    assert {name: pages[name] for name in pages if name != "lectures/x.md"} == {
        "lectures/figures/x/a.svg": b"<svg/>",
        "_extra/lectures/figures/x/b.html": b"page",
    }
    outputs = notebook_of(text, figures)["cells"][1]["outputs"]
    assert [output["output_type"] for output in outputs] == ["stream", "display_data"]
    with pytest.raises(RuntimeError, match=r"x\.md: its code failed"):
        figures_of(page, text.replace("print(1)", "1/0"), tmp_path / "examples", tmp_path / "made", "digest")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some sections of the site, built anew; the whole is built by `make docs`."""
    pytest.importorskip("pydata_sphinx_theme", reason="documentation site: the extra docs is not installed")
    pytest.importorskip("myst_parser", reason="documentation site: the extra docs is not installed")
    from builder.mathematics import katex
    from sphinx.errors import ExtensionError

    try:
        katex()
    except ExtensionError as error:
        pytest.skip(f"documentation site: {error}")
    folder = tmp_path_factory.mktemp("site")
    left_out = ("howto", "components", "decisions", "benchmarks.md", "architecture.md", "reliability.md")
    command = [sys.executable, str(DOCUMENTS / "builder" / "build.py"), "--parts", "--leave-out", *left_out]
    command += ["--source", str(folder / "source"), "--out", str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "out"


def test_pages_of_the_site_need_no_other_host_and_have_no_errors(site: Path, browser: Any) -> None:
    asked: list[str] = []
    complaints: list[str] = []

    def heard(message: Any) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    page = browser.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda request: complaints.append(f"failed: {request.url}"))
    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for name in OPENED:
        page.goto((site / f"{name}.html").as_uri())
        assert page.locator("h1").inner_text()
    page.goto((site / "theory/roberson_schwertassek.html").as_uri())
    assert page.locator(".katex").count() > 10
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px KaTeX_Main'))")
    page.close()
    assert not [url for url in asked if not url.startswith(("file:", "data:"))]
    assert not complaints


def test_notebooks_have_code_with_its_results(site: Path) -> None:
    found = sorted((site / "_downloads").rglob("*.ipynb"))
    assert len(found) >= 18
    cells = json.loads(next(p for p in found if p.stem == "01_graphs").read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code[0]["outputs"][0]["text"].startswith("incidence, 4 × 4")
