"""The document of a report: one HTML page with everything in it."""

from __future__ import annotations

import base64
import html
import json
import re
from dataclasses import dataclass, field
from importlib.resources import files

from gyrostat.pictures.animation.bundle import load_bundle, load_formulas
from gyrostat.pictures.animation.page import data_block, digest, page_frame, scene_slots
from gyrostat.pictures.scene import Scene
from gyrostat.pictures.stills import still_bytes
from gyrostat.results.text_table import monospaced

_SLOT = re.compile(r"@(TITLE|POLICY|LICENCES|STYLE|CONTENT|DATA|FORMULAS|SCRIPT)@")
_WIDE_LENGTH = 500
"""Length of LaTeX from which an equation is set smaller."""


def formula(latex: str) -> str:
    """Return an equation from LaTeX as HTML; the page's script sets it."""
    kind = "math wide" if len(latex) > _WIDE_LENGTH else "math"
    return f'<div class="{kind}" data-latex>{html.escape(latex)}</div>'


@dataclass
class Document:
    """Sections in order, and the scenes of their animations."""

    title: str
    lead: str
    sections: list[tuple[str, list[str]]] = field(default_factory=list)
    scenes: list[dict[str, str]] = field(default_factory=list)

    def begin(self, heading: str) -> None:
        """Begin a section."""
        self.sections.append((heading, []))

    def add(self, content: str) -> None:
        """Add HTML to the present section."""
        self.sections[-1][1].append(content)

    def heading(self, text: str) -> None:
        """Add a heading within the section."""
        self.add(f"<h3>{html.escape(text)}</h3>")

    def words(self, text: str) -> None:
        """Add a paragraph."""
        self.add(f"<p>{html.escape(text)}</p>")

    def note(self, text: str) -> None:
        """Add a note, such as a warning or the reason why something is missing."""
        self.add(f'<p class="note">{html.escape(text)}</p>')

    def text(self, text: str) -> None:
        """Add text whose columns stay below each other."""
        self.add(monospaced(text))

    def maths(self, latex: str) -> None:
        """Add an equation from LaTeX."""
        self.add(formula(latex))

    def image(self, data: bytes, kind: str, words: str, name: str) -> None:
        """Add a picture with a text for those who do not see it."""
        coded = base64.b64encode(data).decode("ascii")
        self.add(f'<img class="{name}" alt="{html.escape(words)}" src="data:image/{kind};base64,{coded}">')

    def animation(self, scene: Scene, words: str, *, at: float, small: bool = False) -> None:
        """Add an animation, in its place a picture of one instant until it is seen, and on paper."""
        coded = base64.b64encode(still_bytes(scene, [at], caption=False)).decode("ascii")
        name = f"scene{len(self.scenes)}"
        self.scenes.append(scene_slots(scene))
        self.add(
            f'<figure class="scene{" small" if small else ""}" data-scene="{name}" aria-label="{html.escape(words)}">'
            f'<img alt="{html.escape(words)}" src="data:image/png;base64,{coded}"><div class="live"></div></figure>'
        )

    def written(self) -> str:
        """Return the page; by its own policy it loads nothing and runs no other script."""
        folder, bundle, formulas = files("gyrostat.shown.report"), load_bundle(), load_formulas()
        script = (folder / "report.js").read_text(encoding="utf-8")
        scripts = " ".join([digest(text) for text in (script, formulas.script, bundle.script)])
        slots = {
            "TITLE": html.escape(self.title),
            "POLICY": (
                f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data:; font-src data:; "
                "base-uri 'none'; form-action 'none'"
            ),
            "LICENCES": f"{bundle.licences}\n{formulas.licences}",
            "STYLE": formulas.style + (folder / "report.css").read_text(encoding="utf-8"),
            "CONTENT": self._content(),
            "DATA": self._data(),
            "FORMULAS": formulas.script,
            "SCRIPT": script,
        }
        return _SLOT.sub(lambda slot: slots[slot[1]], (folder / "report.html").read_text(encoding="utf-8"))

    def _content(self) -> str:
        listed = "".join(
            f'<li><a href="#s{k}">{html.escape(name)}</a></li>' for k, (name, _) in enumerate(self.sections)
        )
        lead = f'<p class="lead">{html.escape(self.lead)}</p>' if self.lead else ""
        head = f"<h1>{html.escape(self.title)}</h1>{lead}<nav><ol>{listed}</ol></nav>"
        parts = (
            f'<section><h2 id="s{k}">{html.escape(name)}</h2>{"".join(content)}</section>'
            for k, (name, content) in enumerate(self.sections)
        )
        return head + "".join(parts)

    def _data(self) -> str:
        blocks = {"frame": json.dumps(page_frame())}
        blocks |= {f"scene{k}": json.dumps(slots) for k, slots in enumerate(self.scenes)}
        return "\n".join(
            f'<script type="application/json" id="{name}">{data_block(text)}</script>' for name, text in blocks.items()
        )
