"""Checks that the records of a scene share."""

from __future__ import annotations

import re
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gyrostat.errors import PictureError

Floats: TypeAlias = NDArray[np.float64]
"""An array of floats; records accept everything that NumPy converts, and hold a read-only copy."""

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def float_array(item: str, what: str, given: ArrayLike, *shapes: tuple[int | None, ...]) -> Floats:
    """Return a read-only copy as floats; its shape must be one of `shapes`, where None means any length."""
    try:
        array = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise PictureError(f"{item}: {what} are not numbers; give an array of floats.") from error
    if not any(_has_shape(array.shape, shape) for shape in shapes):
        wanted = " or ".join(_shown(shape) for shape in shapes)
        raise PictureError(f"{item}: {what} have the shape {array.shape}; they need {wanted}.")
    array.setflags(write=False)
    return array


def finite(item: str, what: str, array: Floats) -> None:
    """Refuse numbers that are not finite."""
    if not np.isfinite(array).all():
        raise PictureError(f"{item}: {what} contain numbers that are not finite; give finite ones.")


def check_colour(item: str, colour: str | None) -> None:
    """Refuse a colour that is not written as #rrggbb."""
    if colour is not None and not _COLOUR.fullmatch(colour):
        raise PictureError(f"{item}: {colour!r} is not a colour; write one as '#rrggbb', such as '#3d7dca'.")


def _has_shape(shape: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    return len(shape) == len(wanted) and all(want in (None, got) for got, want in zip(shape, wanted, strict=True))


def _shown(shape: tuple[int | None, ...]) -> str:
    lengths = [("frames" if k == 0 else "any") if n is None else str(n) for k, n in enumerate(shape)]
    return f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"
