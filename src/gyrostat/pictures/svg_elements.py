"""The elements of an SVG drawing of boxes and lines: page, colours, groups and names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from gyrostat.pictures.edge_routing import Rectangle

_LONGEST_NAME = 36

_STYLE = """
.gs-paper, .gs-label-paper { fill: #ffffff }
.gs-label-paper { fill-opacity: 0.88 }
.gs-box { fill: #eaf1f8; stroke: #3d6a94; stroke-width: 1.5 }
.gs-minor .gs-box { fill: #f7f7f7; stroke: #8a949e; stroke-width: 1 }
.gs-datum .gs-box { fill: #e3e3df; stroke: #4a4a46 }
.gs-subsystem .gs-box { fill: #f1eaf8; stroke: #6a4a94; stroke-width: 3 }
.gs-hatch { fill: none; stroke: #4a4a46; stroke-width: 1.2 }
.gs-line { fill: none; stroke: #26323d; stroke-width: 1.8 }
.gs-chord .gs-line { stroke: #b5431a }
.gs-other .gs-line { stroke: #6b7783; stroke-width: 1.2 }
.gs-strand { fill: none; stroke-width: 2.4 }
.gs-strand.gs-blue { stroke: #1769b5 }
.gs-strand.gs-green { stroke: #23924c }
.gs-arrow { fill: #26323d; stroke: none }
.gs-chord .gs-arrow { fill: #b5431a }
.gs-other .gs-arrow { fill: #6b7783 }
.gs-edge .gs-arrow.gs-blue, .gs-legend .gs-arrow.gs-blue { fill: #1769b5 }
.gs-edge .gs-arrow.gs-green, .gs-legend .gs-arrow.gs-green { fill: #23924c }
.gs-name { fill: #16202a; font-family: Helvetica, Arial, sans-serif }
.gs-label.gs-chord .gs-name { fill: #8f3210 }
@media (prefers-color-scheme: dark) {
.gs-paper, .gs-label-paper { fill: #14191f }
.gs-box { fill: #1f3246; stroke: #7fb0dd }
.gs-minor .gs-box { fill: #20262c; stroke: #77828c }
.gs-datum .gs-box { fill: #33332f; stroke: #c4c4bc }
.gs-subsystem .gs-box { fill: #322146; stroke: #b79add }
.gs-hatch { stroke: #c4c4bc }
.gs-line { stroke: #d5dde5 }
.gs-chord .gs-line { stroke: #ff9a6b }
.gs-other .gs-line { stroke: #93a0ac }
.gs-strand.gs-blue { stroke: #69b1f5 }
.gs-strand.gs-green { stroke: #5fd38c }
.gs-arrow { fill: #d5dde5 }
.gs-chord .gs-arrow { fill: #ff9a6b }
.gs-other .gs-arrow { fill: #93a0ac }
.gs-edge .gs-arrow.gs-blue, .gs-legend .gs-arrow.gs-blue { fill: #69b1f5 }
.gs-edge .gs-arrow.gs-green, .gs-legend .gs-arrow.gs-green { fill: #5fd38c }
.gs-name { fill: #eef3f7 }
.gs-label.gs-chord .gs-name { fill: #ffb491 }
}
"""


def page(parts: Iterable[str], extent: Rectangle, title: str) -> str:
    """Return an SVG document with the view box `extent`; it can also be part of an HTML page."""
    left, top = extent.x - extent.width / 2, extent.y - extent.height / 2
    size = f'width="{extent.width:.0f}" height="{extent.height:.0f}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" '
            f'viewBox="{left:.1f} {top:.1f} {extent.width:.1f} {extent.height:.1f}">',
            f"<title>{escape(_xml_text(title), quote=False)}</title>",
            f"<style>{_STYLE}</style>",
            rectangle("gs-paper", extent, corner=0),
            *parts,
            "</svg>\n",
        ]
    )


def group(css_class: str, name: str, parts: Iterable[str]) -> str:
    """Return parts that belong together, with the whole name as a tooltip."""
    title = _xml_text(name)
    shown_title = f"<title>{escape(title, quote=False)}</title>"
    return f'<g class="{css_class}" data-name="{escape(title)}">{shown_title}{"".join(parts)}</g>'


def rectangle(css_class: str, box: Rectangle, corner: float) -> str:
    """Return a rectangle with round corners of the given radius."""
    return (
        f'<rect class="{css_class}" x="{box.x - box.width / 2:.1f}" y="{box.y - box.height / 2:.1f}" '
        f'width="{box.width:.1f}" height="{box.height:.1f}" rx="{corner:g}"/>'
    )


def name_text(text: str, box: Rectangle, size: float, anchor: str = "middle") -> str:
    """Return a name in the middle of a box, or one that starts there."""
    return (
        f'<text class="gs-name" x="{box.x:.1f}" y="{box.y + 0.35 * size:.1f}" font-size="{size:g}" '
        f'text-anchor="{anchor}">{escape(shown(text), quote=False)}</text>'
    )


def shown(text: str) -> str:
    """Return a name as it is drawn: a very long one without its middle (the tooltip has it all)."""
    clean = " ".join(_xml_text(text).split())
    half = _LONGEST_NAME // 2
    return clean if len(clean) <= _LONGEST_NAME else f"{clean[:half]}…{clean[-half + 1 :]}"


def text_width(text: str, size: float) -> float:
    """Return an upper estimate of the width of a text in Helvetica."""
    return size * sum(_character_width(character) for character in text)


def _xml_text(text: str) -> str:
    """Replace characters that no XML document may hold."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)


def _character_width(character: str) -> float:
    if character in "iljI.,:;'|!()[] ft":
        return 0.36
    if character in "mwMW@%—" or ord(character) > 0x2E7F:
        return 1.0
    return 0.72 if character.isupper() else 0.6
