"""Colours of stills: those of the animation page, in light and dark."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.pictures.scene.checks import Floats

_PALETTE = (
    *("#3f7fd0", "#e0862f", "#3a9d7d", "#c9504f", "#8b6fc9"),
    *("#c9a227", "#2e9cb4", "#c56ba0", "#7d8f3c", "#8a7768"),
)
"""The colours of bodies that have none of their own, as on the page (theme.js)."""
JOINT = "#4b5765"
AXES = ("#d8504d", "#4c9f50", "#4a7fd6")


_TONES = ("#2b5fb0", "#3aa6a0", "#e0b040", "#c22a2a")
"""The colours of a quantity from its least to its greatest value, as on the page (tones.js)."""


@dataclass(frozen=True)
class Paper:
    """Colours of the background and ground of a still."""

    paper: str
    grid: str
    shadow: str
    ink: str


LIGHT_PAPER = Paper("#ffffff", "#7d8b9b", "#e4e8ed", "#1d2733")
DARK_PAPER = Paper("#171b21", "#7d8ea2", "#0e1115", "#e6ebf1")


def palette_colour(k: int) -> str:
    """Return the colour of the k-th object without a colour of its own."""
    return _PALETTE[k % len(_PALETTE)]


def rgb(colour: str) -> Floats:
    """Return the red, green and blue of #rrggbb, each from 0 to 1.

    >>> rgb("#ff0033").tolist()
    [1.0, 0.0, 0.2]
    """
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255


def tone_colour(tone: float) -> str:
    """Return the colour of a quantity from 0 to 1.

    >>> tone_colour(0.0), tone_colour(1.0)
    ('#2b5fb0', '#c22a2a')
    """
    at = min(max(tone, 0.0), 1.0) * (len(_TONES) - 1)
    before = min(int(at), len(_TONES) - 2)
    mixed = rgb(_TONES[before]) + (at - before) * (rgb(_TONES[before + 1]) - rgb(_TONES[before]))
    return "#" + "".join(f"{round(255 * part):02x}" for part in mixed)


def shaded(colours: Floats, normals: Floats, up: Floats, sun: Floats) -> Floats:
    """Return colours (F, 3) of faces with unit normals (F, 3), under the sky and the sun."""
    light = 0.66 + 0.12 * (normals @ up) + 0.36 * np.maximum(0.0, normals @ sun)
    bright = np.maximum(0.0, light - 1.0)[:, None]
    return np.asarray(np.clip(colours * np.minimum(light, 1.0)[:, None] + bright * (1 - 0.5 * colours), 0.0, 1.0))
