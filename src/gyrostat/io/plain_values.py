"""Records of a model from plain numbers and text, as readers of other formats have them."""

from __future__ import annotations

from typing import Any, TypeVar

from gyrostat.model.record import Record

R = TypeVar("R", bound=Record)


def made(cls: type[R], *values: Any, **fields: Any) -> R:
    """Return a record whose kinds of fields read the values: numbers become formulas, lists vectors and rotations."""
    return cls(*values, **fields)
