"""The page's files: its frame, style and script. The last two are built from page/ by the package's build hook."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from gyrostat.errors import PictureError

_MISSING_SCRIPT = (
    "The script of the animation page is missing from this installation of gyrostat. It is built from npm "
    "packages (three.js, uPlot, KaTeX) while gyrostat is installed, and that failed then. Install again where the npm "
    "registry can be reached: pip install --force-reinstall --no-deps gyrostat; in a clone of the repository: "
    "make page."
)


@dataclass(frozen=True)
class Bundle:
    """The text of the page's parts."""

    frame: str
    style: str
    script: str
    licences: str


def load_bundle(folder: Traversable | None = None) -> Bundle:
    """Return the page's parts from the installed package, or from another folder."""
    page = files("gyrostat.pictures") / "page" if folder is None else folder
    try:
        return Bundle(
            frame=(page / "page.html").read_text(encoding="utf-8"),
            style=(page / "dist" / "page.css").read_text(encoding="utf-8"),
            script=(page / "dist" / "page.js").read_text(encoding="utf-8"),
            licences=(page / "THIRD_PARTY_LICENSES.md").read_text(encoding="utf-8"),
        )
    except OSError as error:
        raise PictureError(_MISSING_SCRIPT) from error


@dataclass(frozen=True)
class FormulaBundle:
    """Typesetter of a page's formulas: KaTeX, with its style and fonts."""

    style: str
    script: str
    licences: str


def load_formulas() -> FormulaBundle:
    """Return the script that sets formulas from the installed package."""
    page = files("gyrostat.pictures") / "page"
    try:
        return FormulaBundle(
            style=(page / "dist" / "formulas.css").read_text(encoding="utf-8"),
            script=(page / "dist" / "formulas.js").read_text(encoding="utf-8").replace("</script", "<\\/script"),
            licences=(page / "FORMULA_LICENSES.md").read_text(encoding="utf-8"),
        )
    except OSError as error:
        raise PictureError(_MISSING_SCRIPT) from error
