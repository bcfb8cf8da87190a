"""A knob: a number of a model that a slider changes, with its place in the text."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass
from typing import Any

import yaml

_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_DEGREES = re.compile(rf"({_NUMBER.pattern})\s*\*\s*deg")
_RANGES = {"rad": math.pi, "rad/s": 10.0, "m": 1.0, "m/s": 5.0}
"""Half the range of a slider for an initial value that is small, by its unit."""
_RANGE_RATIO = 0.01
"""The lower end of a slider relative to its upper end: a mass or a length of zero is no model."""


_NO_PLACE = -1


@dataclass(frozen=True)
class Span:
    """A part of the text, from `start` to `end`, that `before` + number + `after` replaces."""

    start: int
    end: int
    before: str = ""
    after: str = ""
    formula: str = ""
    """The text that a number replaces, where it is a formula."""


@dataclass(frozen=True)
class Knob:
    """A number that a slider changes.

    A new value replaces the text between `start` and `end` by `before` + number + `after`; `scale` is the value of
    one unit of the written number: π/180 where the text has degrees. `formula` is the text that a number replaces.
    """

    kind: str
    """`parameter`, `initial`, or `rotation` for a component of a rotation vector."""
    name: str
    value: float
    low: float
    high: float
    start: int = _NO_PLACE
    end: int = _NO_PLACE
    before: str = ""
    after: str = ""
    scale: float = 1.0
    unit: str = ""
    description: str = ""
    formula: str = ""
    spans: tuple[Span, ...] = ()
    """The places of the Euler parameters, for a component of a rotation vector."""
    home: str = ""
    """Where the number belongs, in words; given only if the text has no place for it."""

    def plain(self) -> dict[str, Any]:
        """Return the fields for the page."""
        return asdict(self)


class Offsets:
    """Places as the page counts them, in units of UTF-16."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._simple = text.isascii() or max(text) <= "\uffff"

    def __call__(self, place: int) -> int:
        """Return the page's place of a place in the text."""
        return place if self._simple else len(self.text[:place].encode("utf-16-le")) // 2


def children(node: yaml.Node | None) -> dict[str, yaml.Node]:
    """Return the values of a mapping by key; nothing for other nodes."""
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}


def at_scalar(
    node: yaml.ScalarNode,
    offsets: Offsets,
    kind: str,
    name: str,
    value: float,
    *,
    unit: str,
    description: str = "",
) -> Knob:
    """Return the knob of a number or a formula that is written in the text."""
    start, end, scale, after, formula = node.start_mark.index, node.end_mark.index, 1.0, "", ""
    if _DEGREES.fullmatch(node.value) is not None and not node.style:
        scale, after = math.pi / 180, "*deg"
    elif _NUMBER.fullmatch(node.value) is None:
        formula = node.value
    low, high = slider_range(value, unit if kind == "initial" or unit == "rad" else "")
    return Knob(
        *(kind, name, value, low, high, offsets(start), offsets(end)),
        after=after,
        scale=scale,
        unit=unit,
        description=description,
        formula=formula,
    )


def slider_range(value: float, unit: str = "") -> tuple[float, float]:
    """Return the ends of a slider: from nearly zero to at least twice the value, or on both sides of zero.

    >>> slider_range(9.81), slider_range(-0.5, "rad")
    ((0.2, 20.0), (-3.141592653589793, 3.141592653589793))
    """
    if unit in _RANGES:
        half = max(_RANGES[unit], _nice(2 * abs(value)))
        return -half, half
    if value == 0:
        return -1.0, 1.0
    far = _nice(2 * abs(value))
    return (_RANGE_RATIO * far, far) if value > 0 else (-far, -_RANGE_RATIO * far)


def _nice(x: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at least x, but for roundings."""
    if x == 0 or not math.isfinite(x):
        return 1.0
    power = 10.0 ** math.floor(math.log10(x))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= x * (1 - 1e-9))


def lead(entry: yaml.MappingNode, field: yaml.Node) -> str:
    """Return what stands between a field of an entry and a further field behind it."""
    column = next(key.start_mark.column for key, value in entry.value if value is field)
    return ", " if entry.flow_style else "\n" + " " * column


def first_in(mapping: yaml.MappingNode, offsets: Offsets) -> tuple[int, str]:
    """Return the place before the first field of a mapping, and what stands between a field put there and the next."""
    flow = bool(mapping.flow_style)
    after = ", " if flow else "\n" + " " * mapping.start_mark.column
    if not mapping.value:
        after = ""
    return offsets(mapping.start_mark.index + (1 if flow else 0)), after
