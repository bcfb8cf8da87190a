"""Knobs of the initial values of joints: coordinates, speeds, and rotation vectors for Euler parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import yaml

from gyrostat.model import Model
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints import Joint
from gyrostat.studio.knob import Knob, Offsets, Span, at_scalar, children, first_in, lead, slider_range
from gyrostat.studio.rotation import VECTOR, has_euler_parameters, vector_of

_UNITS = {"angle": ("rad", "rad/s"), "length": ("m", "m/s"), "number": ("", "1/s")}


def joint_knobs(model: Model, section: yaml.Node | None, offsets: Offsets) -> Iterator[Knob]:
    """Yield the knobs of the joints of a section."""
    evaluate = model.evaluator()
    for name, node in children(section).items():
        joint = model.joints.get(name)
        if joint is None or not isinstance(node, yaml.MappingNode) or not joint.coordinates:
            continue
        if has_euler_parameters(joint):
            yield from _rotation(node, joint, evaluate, offsets)
        for label, unit in free_labels(joint):
            knob = _of_joint(node, joint, label, unit, begin_of(joint, label, evaluate), offsets)
            if knob is not None:
                yield knob


def begin_of(joint: Joint, label: str, evaluate: Evaluator) -> float:
    """Return the initial value of a coordinate or speed."""
    given = joint.initial.get(label)
    if given is not None:
        return float(evaluate(given))
    return next((float(c.rest) for c in joint.coordinates if c.label == label), 0.0)


def free_labels(joint: Joint) -> Iterator[tuple[str, str]]:
    """Yield labels of coordinates and speeds that may have any value, with their units.

    Those of driven coordinates are left out, and Euler parameters, which are not independent.
    """
    free = [c for c in joint.coordinates if c.label not in joint.driven]
    turned = has_euler_parameters(joint)
    for coordinate in free:
        if not (turned and coordinate.measure == "number"):
            yield coordinate.label, _UNITS[coordinate.measure][0]
    if joint.speeds_are_rates:
        for coordinate in free:
            yield f"{coordinate.label}.rate", _UNITS[coordinate.measure][1]
    else:
        for label in joint.speed_labels:
            yield label, "rad/s" if label.startswith("w") else "m/s"


def _of_joint(
    entry: yaml.MappingNode, joint: Joint, label: str, unit: str, value: float, offsets: Offsets
) -> Knob | None:
    """Return the knob of an initial value: where it is written, or where it would be."""
    single = len(joint.coordinates) == 1
    name, short = joint.full_name(label), _short(joint, label)
    fields = children(entry)
    initial = fields.get("initial")
    low, high = slider_range(value, unit)
    head = ("initial", name, value, low, high)
    if initial is None:
        bare = single and not label.endswith(".rate")
        return _inserted(entry, fields, head, bare, short, unit, offsets)
    if isinstance(initial, yaml.ScalarNode):
        if single and not label.endswith("rate"):
            return at_scalar(initial, offsets, "initial", name, value, unit=unit)
        own = joint.coordinates[0].label
        place = (offsets(initial.start_mark.index), offsets(initial.end_mark.index))
        source = offsets.text[initial.start_mark.index : initial.end_mark.index]
        written = f"{{{own}: {source}, {short}: "
        return Knob(*head, *place, before=written, after="}", unit=unit)
    if not isinstance(initial, yaml.MappingNode):
        return None
    inner = children(initial)
    for key in (label, short, "" if single else label):
        if isinstance(inner.get(key), yaml.ScalarNode):
            return at_scalar(inner[key], offsets, "initial", name, value, unit=unit)  # type: ignore[arg-type]
    at, after = first_in(initial, offsets)
    return Knob(*head, at, at, f"{short}: ", after, unit=unit)


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
    offsets: Offsets,
) -> Knob | None:
    """Return a knob whose first move writes the field `initial` behind the joint's type."""
    kind = fields.get("type")
    if not isinstance(kind, yaml.ScalarNode):
        return None
    gap = lead(entry, kind)
    before, after = (f"{gap}initial: ", "") if bare else (f"{gap}initial: {{{short}: ", "}")
    place = offsets(kind.end_mark.index)
    return Knob(*head, place, place, before, after, unit=unit)


# --- orientations -----------------------------------------------------------------------------------------------------


def rotation_knobs(joint: Joint, evaluate: Evaluator, spans: tuple[Span, ...] = (), home: str = "") -> Iterator[Knob]:
    """Yield the knobs of the components of a rotation vector, which Euler parameters at some places follow."""
    vector = vector_of([begin_of(joint, f"e{k}", evaluate) for k in range(4)])
    formula = ", ".join(span.formula for span in spans if span.formula)
    for axis, value in zip("xyz", vector, strict=True):
        yield Knob(
            *("rotation", f"{joint.name}.{VECTOR}.{axis}", value, *slider_range(value, "rad")),
            unit="rad",
            description=f"{axis} component of the turn that begins the motion: axis times angle, as Euler parameters",
            formula=formula,
            spans=spans,
            home=home,
        )


def _rotation(entry: yaml.MappingNode, joint: Joint, evaluate: Evaluator, offsets: Offsets) -> Iterator[Knob]:
    spans = _spans(entry, offsets)
    if spans:
        yield from rotation_knobs(joint, evaluate, spans)


def _spans(entry: yaml.MappingNode, offsets: Offsets) -> tuple[Span, ...]:
    """Return the places of the four parameters: where they are written, or where they would be."""
    fields, labels = children(entry), [f"e{k}" for k in range(4)]
    initial, kind = fields.get("initial"), fields.get("type")
    if initial is None and isinstance(kind, yaml.ScalarNode):
        at = offsets(kind.end_mark.index)
        earlier = (f"{lead(entry, kind)}initial: {{e0: ", *(f", {label}: " for label in labels[1:]))
        return tuple(Span(at, at, before, "}" if k == 3 else "") for k, before in enumerate(earlier))
    if not isinstance(initial, yaml.MappingNode):
        return ()
    inner, found = children(initial), []
    at, after = first_in(initial, offsets)
    for k, label in enumerate(labels):
        written = inner.get(label)
        if isinstance(written, yaml.ScalarNode):
            formula = "" if at_scalar(written, offsets, "", "", 0.0, unit="").formula == "" else written.value
            place = (offsets(written.start_mark.index), offsets(written.end_mark.index))
            found.append(Span(*place, formula=formula))
        else:
            last = k == 3 and not inner
            found.append(Span(at, at, f"{label}: ", "" if last else after or ", "))
    return tuple(found)
