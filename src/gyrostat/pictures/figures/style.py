"""The style of figures: colours that colour-blind readers can distinguish, for light and dark backgrounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gyrostat.pictures.figures.extra import require_matplotlib


@dataclass(frozen=True)
class Look:
    """The colours of a figure; `curves` differ in hue and in lightness."""

    paper: str
    ink: str
    faint: str
    grid: str
    mark: str
    curves: tuple[str, ...]


# Hues of Okabe and Ito's set, of which the yellow is too light for a white page.
LIGHT_LOOK = Look(
    paper="#ffffff",
    ink="#1d2733",
    faint="#5d6b7b",
    grid="#dfe5eb",
    mark="#8b5a2b",
    curves=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#b08a00", "#5b4fa2", "#3b3b3b"),
)
DARK_LOOK = Look(
    paper="#171b21",
    ink="#e6ebf1",
    faint="#98a5b3",
    grid="#313a45",
    mark="#e0b27a",
    curves=("#56b4e9", "#e69f00", "#2fc39a", "#e79ac6", "#f0e442", "#a99bf0", "#7fa8ff", "#dcdcdc"),
)
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.2, 1.4)), (0, (6, 1.5, 1.2, 1.5)))
"""How the curves of several runs are drawn, the first one solid."""


def look(dark: bool) -> Look:
    """Return the colours for light or dark paper."""
    return DARK_LOOK if dark else LIGHT_LOOK


@contextmanager
def style(dark: bool) -> Iterator[Look]:
    """Use the package's own settings of matplotlib within the context; global settings are unchanged."""
    require_matplotlib()
    import matplotlib

    colours = look(dark)
    with matplotlib.rc_context(_settings(colours)):
        yield colours


def _settings(colours: Look) -> Any:
    return {
        "figure.facecolor": colours.paper,
        "figure.dpi": 110,
        "savefig.facecolor": "auto",
        "savefig.dpi": 160,
        "axes.facecolor": colours.paper,
        "axes.edgecolor": colours.faint,
        "axes.labelcolor": colours.ink,
        "axes.titlecolor": colours.ink,
        "axes.titlesize": 11,
        "axes.linewidth": 0.8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.xmargin": 0.01,
        "axes.formatter.useoffset": False,
        "axes.formatter.limits": (-4, 5),
        "axes.formatter.use_mathtext": True,
        "grid.color": colours.grid,
        "grid.linewidth": 0.7,
        "lines.linewidth": 1.5,
        "lines.solid_capstyle": "round",
        "text.color": colours.ink,
        "xtick.color": colours.faint,
        "ytick.color": colours.faint,
        "xtick.labelcolor": colours.ink,
        "ytick.labelcolor": colours.ink,
        "xtick.labelsize": 9,
        "ytick.labelsize": 9,
        "legend.frameon": False,
        "legend.fontsize": 9,
        "legend.labelcolor": colours.ink,
        "font.family": ["sans-serif"],
        "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib: the same picture everywhere
        "font.size": 10,
        "mathtext.fontset": "dejavusans",
        "svg.hashsalt": "gyrostat",  # the same picture has the same file
        "svg.fonttype": "path",
    }
