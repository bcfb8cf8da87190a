"""Build the documentation site: `make docs`, or python docs/builder/build.py [--out build/site].

The documents are copied to a folder of sources, the generated pages are added there, and Sphinx makes the site from
both. Files that have not changed keep their time, so that a second build reads only what is new.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Container, Iterator
from pathlib import Path

from sphinx.cmd.build import main as sphinx

HERE = Path(__file__).parent
DOCUMENTS = HERE.parent
ROOT = DOCUMENTS.parent
sys.path.insert(0, str(DOCUMENTS))

from builder.components import component_pages  # noqa: E402
from builder.figures import figures_of, with_figures  # noqa: E402
from builder.gallery import gallery_pages, sources_digest  # noqa: E402
from builder.inventories import PROJECTS, inventory  # noqa: E402
from builder.notebooks import with_notebook  # noqa: E402
from builder.reference import reference_pages  # noqa: E402

PARTS = ("reference", "components", "gallery", "figures")
"""The parts of the site that are generated."""
NOTEBOOKS = ("lectures", "theory", "start")
"""Folders whose pages can be had as notebooks."""


def main() -> int:
    """Build the site and return the status of Sphinx; in the whole site warnings are errors."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="folder of the built pages")
    parser.add_argument("--source", type=Path, default=ROOT / "build" / "site-source", help="folder of the sources")
    parser.add_argument("--parts", nargs="*", default=PARTS, choices=PARTS, help="generated parts of the site")
    parser.add_argument("--leave-out", nargs="*", default=(), help="documents and folders to leave out")
    chosen = parser.parse_args()
    gather(chosen.source, chosen.parts, chosen.leave_out)
    whole = set(chosen.parts) == set(PARTS) and not chosen.leave_out
    strict = ["-W", "--keep-going", "-q"] if whole else ["-Q"]
    return sphinx([*strict, "-b", "html", str(chosen.source), str(chosen.out)])


def gather(folder: Path, parts: Container[str] = PARTS, leave_out: Container[str] = ()) -> None:
    """Copy the documents and write the generated pages; remove what is no longer there.

    parts: generated parts of the site. leave_out: folders of documents that are left out.
    """
    written = {
        path.relative_to(DOCUMENTS)
        for path in DOCUMENTS.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and HERE not in path.parents
    }
    written = {path for path in written if path.parts[0] not in leave_out}
    generated = dict(_generated(parts))
    for path in sorted(written):
        if str(path) in generated:
            continue
        if path.name == "index.md":
            generated[str(path)] = _with_all_pages(DOCUMENTS / path)
        elif path.suffix == ".md" and path.parent.name in NOTEBOOKS:
            generated.update(_page_with_code(path, "figures" in parts))
        else:
            _copy(DOCUMENTS / path, folder / path)
    for name, content in generated.items():
        _write(folder / name, content)
    kept = {folder / path for path in written} | {folder / name for name in generated}
    for path in folder.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()


def _page_with_code(path: Path, drawn: bool) -> Iterator[tuple[str, str | bytes]]:
    """Yield a page with its notebook and its figures, where they are drawn, and the files of both."""
    text = (DOCUMENTS / path).read_text(encoding="utf-8")
    figures: dict[str, bytes] = {}
    if drawn:
        figures = figures_of(path, text, ROOT / "examples", ROOT / "build" / "figures", sources_digest())
    for name, content in with_notebook(path, text, figures):
        if name == str(path):
            yield from with_figures(path, content, figures)
        else:
            yield name, content


def _with_all_pages(index: Path) -> str:
    """Return the index of a section, with those of its pages that it does not list in a list at its end."""
    text = index.read_text(encoding="utf-8")
    if re.search(r"^\*$", text, re.MULTILINE):  # it lists all of them by a pattern
        return text
    listed = set(re.findall(r"^(\w+)$", text, re.MULTILINE))
    rest = sorted({path.stem for path in index.parent.glob("*.md")} - {"index"} - listed)
    more = "\n".join(("```{toctree}", ":maxdepth: 1", ":caption: More", "", *rest, "```"))
    return f"{text}\n{more}\n" if rest else text


def _generated(parts: Container[str]) -> Iterator[tuple[str, str | bytes]]:
    """Yield the generated pages, pictures and inventories of the chosen parts of the site."""
    yield "_extra/.nojekyll", ""
    for project in PROJECTS:
        yield f"_inventories/{project}.inv", inventory(project)
    if "reference" in parts:
        yield from reference_pages().items()
    if "components" in parts:
        yield from component_pages(DOCUMENTS)
    if "gallery" in parts:
        yield from gallery_pages(ROOT / "examples", ROOT / "build" / "gallery")


def _copy(source: Path, target: Path) -> None:
    if target.is_file() and target.stat().st_mtime == source.stat().st_mtime:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)


def _write(target: Path, content: str | bytes) -> None:
    data = content.encode() if isinstance(content, str) else content
    if target.is_file() and target.read_bytes() == data:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
