"""Plots of branches: operating points over a parameter, stable parts solid, others dashed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.operating.branch import TurnKind
from gyrostat.errors import PictureError
from gyrostat.pictures.figures import Curve, Panel, draw_panels
from gyrostat.pictures.symbol_text import math_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gyrostat.analysis.operating.branch import Branch

_MARKERS = {TurnKind.FOLD: "s", TurnKind.STABILITY: "o"}


def plot_branch(
    branch: Branch, names: Sequence[str], *, path: str | os.PathLike[str] | None, dark: bool, axes: Any
) -> tuple[Axes, ...]:
    """Plot numbers by name along a branch, a panel for each; folds and changes of stability are marked."""
    system = branch.points[0].system
    chosen = tuple(names) or tuple(name for name in system.coordinate_names if _changes(branch, name))
    panels = []
    for number, name in enumerate(chosen or system.coordinate_names[:1]):
        values = np.array([point[name] for point in branch.points])
        if values.ndim != 1:
            raise PictureError(f"{name!r} is a vector. Plot its components, such as {name + '.x'!r}.")
        curves = _curves(branch, values, number)
        for kind in dict.fromkeys(turn.kind for turn in branch.turns):
            turns = [turn for turn in branch.turns if turn.kind is kind]
            places = np.array([(turn.value, float(np.asarray(turn.point[name]))) for turn in turns])
            curves.append(Curve(kind.value, places[:, 0], places[:, 1], colour=number, marker=_MARKERS[kind]))
        panels.append(Panel(math_words(branch.over), math_words(name), curves))
    title = f"{system.model.name} over {branch.over}"
    return draw_panels(panels, title=title, dark=dark, path=path, axes=axes)


def _curves(branch: Branch, values: Any, colour: int) -> list[Curve]:
    """Return the stable and the other parts as curves with common end points."""
    stable = np.array([point.stability is not None and point.stability.stable for point in branch.points])
    beside = np.zeros_like(stable)
    beside[:-1] |= stable[1:] != stable[:-1]
    found = []
    for label, part, dash in (("stable", stable, 0), ("not stable", ~stable, 1)):
        shown = part | (beside & ~part)
        if part.any():
            found.append(Curve(label, branch.values, np.where(shown, values, np.nan), colour=colour, dash=dash))
    return found


def _changes(branch: Branch, name: str) -> bool:
    values = np.array([point[name] for point in branch.points])
    return bool(np.ptp(values) > 1e-9 * max(1.0, float(np.abs(values).max())))
