"""The files of the studio's page: its frame, and the script and style that the build hook makes."""

from __future__ import annotations

import re
from importlib.resources import files

from gyrostat.errors import PictureError

_MISSING_SCRIPT = (
    "The script of the studio's page is missing from this installation of gyrostat. It is built from npm packages "
    "(CodeMirror, KaTeX, three.js, uPlot) while gyrostat is installed, and that failed then. Install again where the "
    "npm registry can be reached: pip install --force-reinstall --no-deps gyrostat; in a clone of the repository: "
    "make page."
)
_BODY = re.compile(r"<body>\n(.*?)<noscript>", re.DOTALL)
_SLOT = re.compile(r"@(VIEW|STYLE|SCRIPT|NONCE|LICENCES|POLICY)@")


def page_file(name: str) -> str:
    """Return the text of `studio.js` or `studio.css`."""
    try:
        return (files("gyrostat.pictures") / "page" / "dist" / name).read_text(encoding="utf-8")
    except OSError as error:
        raise PictureError(_MISSING_SCRIPT) from error


def page_frame(slots: dict[str, str]) -> str:
    """Return the page's HTML: the studio around the view of the animation page, with some slots filled."""
    animation = (files("gyrostat.pictures") / "page" / "page.html").read_text(encoding="utf-8")
    frame = (files("gyrostat.studio") / "page" / "studio.html").read_text(encoding="utf-8")
    view = _BODY.search(animation)
    assert view is not None
    licences = "\n".join(
        (files(f"gyrostat.{package}") / "page" / "THIRD_PARTY_LICENSES.md").read_text(encoding="utf-8")
        for package in ("pictures", "studio")
    )
    filled = {"LICENCES": licences, "VIEW": view[1].replace("@TITLE@", "Studio"), **slots}
    return _SLOT.sub(lambda slot: filled.get(slot[1], ""), frame)


def whole_page(policy: str, nonce: str) -> str:
    """Return the page with script and style in it, for a frame in a notebook."""
    script = page_file("studio.js").replace("</script", "<\\/script")
    tags = {
        "POLICY": f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        "STYLE": f'<style nonce="{nonce}">{page_file("studio.css")}</style>',
        "SCRIPT": f'<script nonce="{nonce}">{script}</script>',
        "NONCE": nonce,
    }
    return page_frame(tags).replace("<html ", '<html data-place="notebook" ', 1)
