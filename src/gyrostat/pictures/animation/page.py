"""A scene as one HTML page with everything in it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from pathlib import Path

from gyrostat.errors import PictureError
from gyrostat.pictures.animation.bundle import load_bundle
from gyrostat.pictures.animation.header import page_data
from gyrostat.pictures.scene.scene import Scene
from gyrostat.pictures.text_file import write_text_file

_SLOT = re.compile(r"@(TITLE|POLICY|LICENCES|STYLE|HEADER|ARRAYS|SCRIPT)@")


def page_html(scene: Scene) -> str:
    """Return an animation as the text of one HTML page.

    The page holds its script, style and data, and may by its own policy load nothing and run no other script.
    """
    bundle = load_bundle()
    header, arrays = page_data(scene)
    slots = {
        "TITLE": html.escape(scene.title),
        "POLICY": _policy(bundle.script, bundle.style),
        "LICENCES": bundle.licences,
        "STYLE": bundle.style,
        "HEADER": _data_block(json.dumps(header, separators=(",", ":"), allow_nan=False)),
        "ARRAYS": arrays,
        "SCRIPT": bundle.script,
    }
    return _SLOT.sub(lambda slot: slots[slot[1]], bundle.frame)


def write_page(scene: Scene, path: str | os.PathLike[str]) -> Path:
    """Write an animation to an .html file, which a double click opens: all of it or, if that fails, nothing."""
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        raise PictureError(f"{target}: animations are written as HTML; choose a file name that ends in .html.")
    return write_text_file(target, page_html(scene), "animation")


def notebook_frame(page: str, height: int = 480) -> str:
    """Return a page as a frame for a notebook: its scripts run, but can reach neither the notebook nor a network."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts allow-downloads" title="animation" '
        f'style="width: 100%; height: {height}px; border: 0; border-radius: 8px"></iframe>'
    )


def _policy(script: str, style: str) -> str:
    """Return a policy that allows this script and this style, by their digests, and no connection."""
    return (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def _data_block(text: str) -> str:
    """Return JSON that no parser of HTML takes for markup."""
    return text.replace("<", "\\u003c")
