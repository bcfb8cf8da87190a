"""Build the documentation site: `make docs`, or python docs/builder/build.py [--out build/site].

The documents are copied to a folder of sources, the generated pages are added there, and Sphinx makes the site from
both. Files that have not changed keep their time, so that a second build reads only what is new.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from sphinx.cmd.build import main as sphinx

HERE = Path(__file__).parent
DOCUMENTS = HERE.parent
ROOT = DOCUMENTS.parent
sys.path.insert(0, str(DOCUMENTS))

from builder.reference import reference_pages  # noqa: E402


def main() -> int:
    """Build the site and return the status of Sphinx; warnings are errors."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="folder of the built pages")
    parser.add_argument("--source", type=Path, default=ROOT / "build" / "site-source", help="folder of the sources")
    chosen = parser.parse_args()
    gather(chosen.source)
    return sphinx(["-W", "--keep-going", "-q", "-b", "html", str(chosen.source), str(chosen.out)])


def gather(folder: Path) -> None:
    """Copy the documents and write the generated pages; remove what is no longer there."""
    written = {
        path.relative_to(DOCUMENTS)
        for path in DOCUMENTS.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and HERE not in path.parents
    }
    for path in written:
        _copy(DOCUMENTS / path, folder / path)
    generated: Mapping[str, str] = reference_pages()
    for name, text in generated.items():
        _write(folder / name, text)
    kept = {folder / path for path in written} | {folder / name for name in generated}
    for path in folder.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()


def _copy(source: Path, target: Path) -> None:
    if target.is_file() and target.stat().st_mtime == source.stat().st_mtime:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)


def _write(target: Path, text: str) -> None:
    if target.is_file() and target.read_text(encoding="utf-8") == text:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
