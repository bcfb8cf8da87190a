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

_BUNDLE = re.compile(r"@(POLICY|LICENCES|STYLE|SCRIPT)@")
_SCENE = re.compile(r"@(TITLE|HEADER|ARRAYS)@")


def page_html(scene: Scene) -> str:
    """Return an animation as the text of one HTML page.

    The page holds its script, style and data, and may by its own policy load nothing and run no other script.
    """
    slots = scene_slots(scene)
    return _SCENE.sub(lambda slot: slots[slot[1]], page_frame())


def page_frame() -> str:
    """Return the page with its script and style, and slots for the title and the data of a scene."""
    bundle = load_bundle()
    slots = {
        "POLICY": _policy(bundle.script, bundle.style),
        "LICENCES": bundle.licences,
        "STYLE": bundle.style,
        "SCRIPT": bundle.script,
    }
    return _BUNDLE.sub(lambda slot: slots[slot[1]], bundle.frame)


def scene_slots(scene: Scene) -> dict[str, str]:
    """Return the title and the data of a scene as the page has them in its slots."""
    header, arrays = page_data(scene)
    return {
        "TITLE": html.escape(scene.title),
        "HEADER": data_block(json.dumps(header, separators=(",", ":"), allow_nan=False)),
        "ARRAYS": arrays,
    }


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
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def digest(text: str) -> str:
    """Return the digest of a script or style, as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def data_block(text: str) -> str:
    """Return JSON that no parser of HTML takes for markup."""
    return text.replace("<", "\\u003c")
