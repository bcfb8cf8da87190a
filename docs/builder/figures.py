"""Figures of pages: the pictures and animations that their code writes, made while the site is built.

A page that writes files is run as the tests run it, in a folder with the examples; what a block writes stands below it.
The files are kept by a digest of the page and of what draws, so that a second build only makes what has changed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

_WRITTEN = re.compile(r'"(\w+\.(?:svg|png|html))"')
_CODE = re.compile(r"^```python\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)
_PRINTED = re.compile(r"\s*^```text\n.*?^```$\n?", re.MULTILINE | re.DOTALL)


def written_files(code: str) -> list[str]:
    """Return the names of the pictures and pages that a block of code writes.

    >>> written_files('run.plot("x", path="motion.svg")')
    ['motion.svg']
    """
    return list(dict.fromkeys(_WRITTEN.findall(code)))


def figures_of(path: Path, text: str, examples: Path, kept: Path, sources: str) -> dict[str, bytes]:
    """Return the files that a page writes, by name. `sources` is a digest of what draws them."""
    code = "".join(_CODE.findall(text))
    names = written_files(code)
    if not names:
        return {}
    folder = kept / f"{path.stem}-{hashlib.sha256(f'{sources}{code}'.encode()).hexdigest()[:16]}"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory() as work:
            _run(path, code, examples, Path(work))
            shutil.copytree(work, folder, ignore=shutil.ignore_patterns("examples"))
    return {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}


def _run(path: Path, code: str, examples: Path, work: Path) -> None:
    """Run the code of a page in a folder."""
    shutil.copytree(examples, work / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [sys.executable, "-"],
        input=code,
        cwd=work,
        env={**os.environ, "MPLBACKEND": "Agg", "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{path}: its code failed, so that its figures cannot be made.\n{done.stderr}")


def with_figures(path: Path, text: str, figures: Mapping[str, bytes]) -> Iterator[tuple[str, str | bytes]]:
    """Yield a page with its figures below the code that makes them, and their files."""
    parts, end, shown = [], 0, set[str]()
    for block in _CODE.finditer(text):
        stop = block.end()
        if printed := _PRINTED.match(text, stop):
            stop = printed.end()
        parts.append(text[end:stop])
        end = stop
        for name in written_files(block[1]):
            if name in figures and name not in shown:
                shown.add(name)
                parts.append("\n" + _embedded(path, name))
    yield str(path), "".join((*parts, text[end:]))
    for name in shown:
        folder = Path("_extra") / path.parent if name.endswith(".html") else path.parent
        yield str(folder / "figures" / path.stem / name), figures[name]


def _embedded(path: Path, name: str) -> str:
    place, what = f"figures/{path.stem}/{name}", name.partition(".")[0].replace("_", " ")
    if name.endswith(".html"):
        frame = f'<iframe class="animation" src="{place}" title="Animation: {what}" loading="lazy"></iframe>'
        return f"```{{raw}} html\n{frame}\n```\n"
    return f"```{{image}} {place}\n:alt: What the code above draws, {what}\n:class: plot\n```\n"
