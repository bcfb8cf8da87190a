"""Knobs of numbers that the text has no place for: initial values within used models and compounds, inner states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from gyrostat.model import Model
from gyrostat.model.joints import Joint
from gyrostat.model.names import prefixes
from gyrostat.model.subsystems import Subsystem
from gyrostat.studio.joint_knobs import begin_of, free_labels, rotation_knobs
from gyrostat.studio.knob import Knob, slider_range
from gyrostat.studio.rotation import has_euler_parameters

_KNOB_LIMIT = 400
"""The largest number of these knobs: a chain of a thousand links would bury the others."""


def outside_knobs(model: Model, written: Sequence[Knob]) -> Iterator[Knob]:
    """Yield the knobs of parameters and initial values that are not among the written ones."""
    known = {knob.name for knob in written}
    yield from islice((knob for knob in _every(model.flattened()) if knob.name not in known), _KNOB_LIMIT)


def _every(flat: Model) -> Iterator[Knob]:
    """Yield the knobs of all parameters and initial values of a flat model, without places."""
    evaluate, values = flat.evaluator(), flat.values()
    for name, value in values.items():
        parameter = flat.parameters[name]
        ends = slider_range(value, parameter.unit if parameter.unit == "rad" else "")
        about = parameter.description
        yield Knob("parameter", name, value, *ends, unit=parameter.unit, description=about, home=_home(flat, name))
    for joint in flat.joints.values():
        yield from _of_joint(flat, joint)
    for variable in flat.state_variables.values():
        value = float(evaluate(variable.initial))
        head = ("initial", variable.name, value, *slider_range(value, variable.unit))
        about = variable.description
        yield Knob(*head, unit=variable.unit, description=about, home=_home(flat, variable.name))


def _of_joint(flat: Model, joint: Joint) -> Iterator[Knob]:
    evaluate, home = flat.evaluator(), _home(flat, joint.name)
    if has_euler_parameters(joint):
        yield from rotation_knobs(joint, evaluate, home=home)
    for label, unit in free_labels(joint):
        value = begin_of(joint, label, evaluate)
        yield Knob("initial", joint.full_name(label), value, *slider_range(value, unit), unit=unit, home=home)


def _home(flat: Model, name: str) -> str:
    """Return where a number belongs, and what to do for having it in the text."""
    model, rest, where = flat.source, name, ""
    while (used := next((one for one in prefixes(rest) if one in model.subsystems), None)) is not None:
        subsystem: Subsystem = model.subsystems[used]
        model, rest = subsystem.model, rest.removeprefix(f"{used}.")
        where = subsystem.use.file.name if subsystem.use.file is not None else f"the model of subsystem {used!r}"
    owner = next((model.compounds[one] for one in (*prefixes(rest), rest) if one in model.compounds), None)
    if owner is not None:
        return f"it follows from {owner.describe()}{f' in {where}' if where else ''}, which has no field for it."
    if where:
        remedy = f"make it a formula of a parameter in {where}: the field `parameters` here can then give it a value."
        return f"it belongs to {rest!r} in {where}, which is not changed from here. To give it a value, {remedy}"
    return "model files have no field for it; runs in Python take it as initial={…}."
