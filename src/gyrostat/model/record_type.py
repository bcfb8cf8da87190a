"""The type of records: `help` of a record shows its fields with units and an example, on one screen."""

from __future__ import annotations

import dataclasses
import inspect
import textwrap
from abc import ABCMeta
from collections.abc import Iterable
from typing import Any

_WIDTH = 110
_SAMPLES = {
    "EndKind": '"body"',
    "QuantityKind": "1",
    "VectorKind": "(1, 0, 0)",
    "AxisKind": '"z"',
    "CountKind": "2",
    "FlagKind": "True",
    "InertiaKind": "(1, 1, 1)",
    "TurnKind": '[("z", "0.1*t")]',
    "ComponentsKind": '{"x": "0.1*t"}',
    "PathKind": 'gs.Pulley("p", "other", 0.1, "left")',
    "normal law": "gs.KelvinVoigt(1e5, 10)",
    "friction law": "gs.Coulomb(0.3, 0.01)",
    "solid": "gs.sphere(1, 0.1)",
}
"""Values of fields in examples, by the name of their kind, or of the family of which they are."""


class RecordType(ABCMeta):
    """Metaclass of records: the text of a class goes on with its fields, its outputs and an example.

    `help` lists the names that `dir` has; a class of records has none there, so that its text is all that is shown.
    Instances list everything.
    """

    @property
    def __doc__(cls) -> str | None:
        text = cls.__dict__.get("_signature") or cls.__dict__.get("__doc__")
        if text is None or "__match_args__" not in cls.__dict__:  # while the dataclass is being made
            return text
        parts = [inspect.cleandoc(text), *_described(cls)]
        return "\n\n".join(parts) + "\n"

    @__doc__.setter
    def __doc__(cls, text: str | None) -> None:
        cls._signature = text  # of a class without a text, by dataclasses

    def __dir__(cls) -> Iterable[str]:
        return ()


def own_text(found: Any) -> str:
    """Return the text of a class as it is written, without the fields that `help` adds; of other things theirs."""
    if isinstance(found, RecordType):
        return inspect.cleandoc(found.__dict__.get("__doc__") or "")
    return inspect.getdoc(found) or ""


def _described(cls: Any) -> list[str]:
    """Return the fields, outputs and an example of a record."""
    declared = [field for field in dataclasses.fields(cls) if "kind" in field.metadata]
    found = []
    if declared:
        width = max(len(field.name) for field in declared)
        lines = ["Fields:", *(line for field in declared for line in _field(field, width))]
        found.append("\n".join(lines))
    outputs = getattr(cls, "outputs", None)
    if isinstance(outputs, dict) and outputs:
        shown = ", ".join(f"{name} ({one.unit})" for name, one in outputs.items())
        found.append(_wrapped(f"Outputs: {shown}", "  "))
    given = ">>>" in (cls.__dict__.get("__doc__") or "") or inspect.isabstract(cls)
    if not given and (example := _example(cls, declared)):
        found.append(f"Example:\n  {example}")
    return found


def _field(field: dataclasses.Field[Any], width: int) -> list[str]:
    """Return the lines of a field: its name, its meaning with its unit, and its default."""
    default = "" if field.default is dataclasses.MISSING else f"; default {_shown(field.default)}"
    if field.default is None:
        default = "; optional"
    text = _wrapped(f"{field.metadata['doc']}{default}", " " * (width + 4))
    return f"  {field.name:{width}}  {text}".split("\n")


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, _WIDTH, subsequent_indent=indent)


def _shown(value: Any) -> str:
    """Return a default as users write it."""
    return repr(dict(value)) if hasattr(value, "items") else repr(value)


def _example(cls: Any, declared: list[dataclasses.Field[Any]]) -> str:
    """Return a call with the fields that have no default; an empty text where one has no simple value."""
    values = []
    for field in declared:
        if field.default is not dataclasses.MISSING:
            continue
        sample = _sample(field.metadata["kind"])
        if not sample:
            return ""
        values.append(f"{field.name}={sample}" if field.kw_only else sample)
    named = "name" in {field.name for field in dataclasses.fields(cls)}
    arguments = ", ".join(['"a"', *values] if named else values)
    if cls.__name__ != "Part" and cls.__module__.startswith("gyrostat.model.solids."):  # they are called as functions
        return f"gs.{cls.tag}({arguments})"
    return f"{_package(cls.__module__)}{cls.__name__}({arguments})"


def _package(module: str) -> str:
    """Return how users write the package of a record; a record from elsewhere has its bare name."""
    if not module.startswith("gyrostat."):
        return ""
    part = module.split(".")[2]
    return f"gs.{part}." if part in ("shapes", "sections") else "gs."


def _sample(kind: Any) -> str:
    name = type(kind).__name__
    match name:
        case "ReferenceKind":
            return f'"{kind.role}"'
        case "ChoiceKind":
            return repr(kind.words[0])
        case "TaggedKind":
            return _SAMPLES.get(kind.registry().family, "")
        case "ListKind":
            inner = _sample(kind.kind)
            return f"[{inner}, {inner}]" if inner else ""
    return _SAMPLES.get(name, "")
