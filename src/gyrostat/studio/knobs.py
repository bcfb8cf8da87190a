"""Knobs: the numbers of a model that a slider changes, with their places in the text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import yaml

from gyrostat.model import Model
from gyrostat.model.joints import Joint
from gyrostat.model.states.state_element import StateElement
from gyrostat.studio.initial_places import InitialPlace, initial_places
from gyrostat.studio.model_text import ModelText

_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_DEGREES = re.compile(rf"({_NUMBER.pattern})\s*\*\s*deg")
_UNITS = {"angle": ("rad", "rad/s"), "length": ("m", "m/s"), "number": ("", "1/s")}
_RANGES = {"rad": math.pi, "rad/s": 10.0, "m": 1.0, "m/s": 5.0}
"""Half the range of a slider for an initial value that is small, by its unit."""
_NEARLY_ZERO = 0.01
"""The lower end of a slider relative to its upper end: a mass or a length of zero is no model."""


@dataclass(frozen=True)
class Knob:
    """A number that a slider changes.

    A new value replaces the text between `start` and `end` by `before` + number + `after`; `scale` is the value of
    one unit of the written number: π/180 where the text has degrees. `formula` is the text that a number replaces.
    """

    kind: str
    """`parameter` or `initial`."""
    name: str
    value: float
    low: float
    high: float
    start: int
    end: int
    before: str = ""
    after: str = ""
    scale: float = 1.0
    unit: str = ""
    description: str = ""
    formula: str = ""

    def plain(self) -> dict[str, Any]:
        """Return the fields for the page."""
        return asdict(self)


def knobs_of(read: ModelText) -> list[Knob]:
    """Return the knobs of a text: parameters, then initial values; none where places are not known."""
    if read.model is None or not isinstance(read.root, yaml.MappingNode):
        return []
    offsets = _Offsets(read.text)
    sections = _children(read.root)
    found = [*_parameters(read.model, sections.get("parameters"), offsets)]
    found += _initial(read.model, sections.get("joints"), offsets)
    found += _states(read.model, sections.get("states"), offsets)
    return found


class _Offsets:
    """Places as the page counts them, in units of UTF-16."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._simple = text.isascii() or max(text) <= "\uffff"

    def __call__(self, place: int) -> int:
        return place if self._simple else len(self.text[:place].encode("utf-16-le")) // 2


def _children(node: yaml.Node | None) -> dict[str, yaml.Node]:
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}


# --- parameters -------------------------------------------------------------------------------------------------------


def _parameters(model: Model, section: yaml.Node | None, offsets: _Offsets) -> Iterator[Knob]:
    values = model.values()
    for name, node in _children(section).items():
        parameter = model.parameters.get(name)
        written = _children(node).get("value", node)
        if parameter is None or name not in values or not isinstance(written, yaml.ScalarNode):
            continue
        yield _at_scalar(
            written, offsets, "parameter", name, values[name], unit=parameter.unit, description=parameter.description
        )


def _at_scalar(
    node: yaml.ScalarNode,
    offsets: _Offsets,
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
    return (_NEARLY_ZERO * far, far) if value > 0 else (-far, -_NEARLY_ZERO * far)


def _nice(x: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at least x, but for roundings."""
    if x == 0 or not math.isfinite(x):
        return 1.0
    power = 10.0 ** math.floor(math.log10(x))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= x * (1 - 1e-9))


# --- initial values ---------------------------------------------------------------------------------------------------


def _initial(model: Model, section: yaml.Node | None, offsets: _Offsets) -> Iterator[Knob]:
    evaluate = model.evaluator()
    for name, node in _children(section).items():
        joint = model.joints.get(name)
        if joint is None or not isinstance(node, yaml.MappingNode) or not joint.coordinates:
            continue
        for label, unit in _labels(joint):
            given = joint.initial.get(label)
            number = 0.0 if given is None else float(evaluate(given))
            knob = _of_joint(node, joint, label, unit, number, offsets)
            if knob is not None:
                yield knob


def _labels(joint: Joint) -> Iterator[tuple[str, str]]:
    """Yield labels of coordinates and speeds that may have any value, with their units; driven ones have none."""
    free = [c for c in joint.coordinates if c.label not in joint.driven]
    for coordinate in free:
        if coordinate.measure != "number":
            yield coordinate.label, _UNITS[coordinate.measure][0]
    if joint.speeds_are_rates:
        for coordinate in free:
            yield f"{coordinate.label}.rate", _UNITS[coordinate.measure][1]
    else:
        for label in joint.speed_labels:
            yield label, "rad/s" if label.startswith("w") else "m/s"


def _of_joint(
    entry: yaml.MappingNode, joint: Joint, label: str, unit: str, value: float, offsets: _Offsets
) -> Knob | None:
    """Return the knob of an initial value: where it is written, or where it would be."""
    single = len(joint.coordinates) == 1
    name, short = joint.full_name(label), _short(joint, label)
    fields = _children(entry)
    initial = fields.get("initial")
    low, high = slider_range(value, unit)
    if initial is None:
        return _inserted(
            entry,
            fields,
            ("initial", name, value, low, high),
            single and not label.endswith(".rate"),
            short,
            unit,
            offsets,
        )
    if isinstance(initial, yaml.ScalarNode):
        if single and not label.endswith("rate"):
            return _at_scalar(initial, offsets, "initial", name, value, unit=unit)
        own = joint.coordinates[0].label
        place = (offsets(initial.start_mark.index), offsets(initial.end_mark.index))
        source = offsets.text[initial.start_mark.index : initial.end_mark.index]
        written = f"{{{own}: {source}, {short}: "
        return Knob("initial", name, value, low, high, *place, before=written, after="}", unit=unit)
    if not isinstance(initial, yaml.MappingNode):
        return None
    inner = _children(initial)
    for key in (label, short, "" if single else label):
        if isinstance(inner.get(key), yaml.ScalarNode):
            return _at_scalar(inner[key], offsets, "initial", name, value, unit=unit)  # type: ignore[arg-type]
    flow = bool(initial.flow_style)
    at = offsets(initial.start_mark.index + (1 if flow else 0))
    after = ", " if flow else "\n" + " " * initial.start_mark.column
    return Knob("initial", name, value, low, high, at, at, f"{short}: ", after, unit=unit)


def _short(joint: Joint, label: str) -> str:
    """Return a label as a file has it: `rate` for that of a single coordinate."""
    return "rate" if len(joint.coordinates) == 1 and label.endswith(".rate") else label


def _inserted(
    entry: yaml.MappingNode,
    fields: Mapping[str, yaml.Node],
    head: tuple[str, str, float, float, float],
    bare: bool,
    short: str,
    unit: str,
    offsets: _Offsets,
) -> Knob | None:
    """Return a knob whose first move writes the field `initial` behind the joint's type."""
    kind = fields.get("type")
    if not isinstance(kind, yaml.ScalarNode):
        return None
    lead = _lead(entry, kind)
    before, after = (f"{lead}initial: ", "") if bare else (f"{lead}initial: {{{short}: ", "}")
    place = offsets(kind.end_mark.index)
    return Knob(*head, place, place, before, after, unit=unit)


def _lead(entry: yaml.MappingNode, kind: yaml.ScalarNode) -> str:
    """Return what stands between the type of an entry and a field behind it."""
    column = next(key.start_mark.column for key, value in entry.value if value is kind)
    return ", " if entry.flow_style else "\n" + " " * column


def _states(model: Model, section: yaml.Node | None, offsets: _Offsets) -> Iterator[Knob]:
    """Yield the knobs of the initial values of states for which the file has a field."""
    for name, node in _children(section).items():
        state = model.components.get(name)
        if isinstance(node, yaml.MappingNode) and isinstance(state, StateElement):
            for place in initial_places(state):
                knob = _of_state(node, place, model, offsets)
                if knob is not None:
                    yield knob


def _of_state(entry: yaml.MappingNode, place: InitialPlace, model: Model, offsets: _Offsets) -> Knob | None:
    """Return the knob of a state's initial value: where it is written, or where it would be."""
    variable, fields = place.variable, _children(entry)
    value, written, kind = float(model.evaluator()(variable.initial)), fields.get(place.field), fields.get("type")
    before = f"{place.field}: "
    after = ""
    if isinstance(place.key, str):
        written = _children(written).get(place.key)
    elif place.key is not None and written is None:
        before, after = f"{before}[{'0, ' * place.key}", f"{', 0' * (place.count - 1 - place.key)}]"
    elif place.key is not None:
        written = written.value[place.key] if isinstance(written, yaml.SequenceNode) else written
    if isinstance(written, yaml.ScalarNode):
        about = variable.description
        return _at_scalar(written, offsets, "initial", variable.name, value, unit=variable.unit, description=about)
    if written is not None or not isinstance(kind, yaml.ScalarNode):
        return None
    low, high = slider_range(value, variable.unit)
    at, text = offsets(kind.end_mark.index), (f"{_lead(entry, kind)}{before}", after)
    return Knob("initial", variable.name, value, low, high, at, at, *text, unit=variable.unit)
