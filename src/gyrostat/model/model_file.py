"""Model files: conversion of a model to and from plain data, and the JSON Schema of the files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gyrostat.errors import Fault, ModelError, ModelFileError
from gyrostat.model import documents
from gyrostat.model.body import Body
from gyrostat.model.checks import structural_faults
from gyrostat.model.compounds import COMPOUNDS
from gyrostat.model.constraints import CONSTRAINTS
from gyrostat.model.contacts import NORMAL_LAWS
from gyrostat.model.elements import ELEMENTS
from gyrostat.model.forces import FORCES
from gyrostat.model.frame import Frame
from gyrostat.model.friction import FRICTION_LAWS
from gyrostat.model.inputs import Input
from gyrostat.model.inputs.law import located
from gyrostat.model.joints import JOINTS
from gyrostat.model.kinds import Schema, TextKind, VectorKind
from gyrostat.model.measure import Measure
from gyrostat.model.model import Model
from gyrostat.model.model_sections import SECTIONS
from gyrostat.model.names import did_you_mean, prefixes
from gyrostat.model.parameter import Parameter, name_fault, read_parameter, write_parameter
from gyrostat.model.place import FAULT_LIMIT, Place
from gyrostat.model.record import Component
from gyrostat.model.registry import Registry
from gyrostat.model.sections import SECTIONS as CROSS_SECTIONS
from gyrostat.model.shapes import SHAPES
from gyrostat.model.solids import SOLIDS
from gyrostat.model.states import STATES
from gyrostat.model.subsystems import Subsystem, UsedModel
from gyrostat.model.subsystems.inclusion import Inclusion
from gyrostat.model.tyres import TYRE_LAWS

if TYPE_CHECKING:
    from gyrostat.model.documents import Document

VERSION: Final = 1
"""The version of the file format that this package reads and writes."""

_REGISTRIES: dict[str, Registry[Any]] = {
    "joints": JOINTS,
    "forces": FORCES,
    "constraints": CONSTRAINTS,
    "states": STATES,
    "networks": ELEMENTS,
    "compounds": COMPOUNDS,
}
_UNTYPED_SECTIONS: dict[str, type[Component]] = {
    "bodies": Body,
    "inputs": Input,
    "measures": Measure,
    "subsystems": Subsystem,
}
"""The sections of one kind of component, whose entries have no type."""
_LONGEST_FAULT = 360
"""The length of a fault in a used file up to which it is repeated whole (characters)."""
_KEYS = ("gyrostat", "name", "description", "gravity", "parameters", *SECTIONS)


@dataclass(frozen=True)
class ModelReading:
    """The result of reading a file: the model without faulty components, all faults, and names of faulty components."""

    model: Model
    faults: tuple[Fault, ...]
    lost: frozenset[str]


def load_model(path: str | os.PathLike[str]) -> Model:
    """Read a model file; raise `ModelError` with all faults, including structural ones, if there are any."""
    name = os.fspath(path)
    try:
        reading = read_model(documents.read_document(path), Inclusion.of(Path(path)))
    except ModelFileError as error:
        raise ModelFileError(error.faults, f"{name} cannot be read:") from None
    if reading.faults:
        faults = (*reading.faults, *structural_faults(reading.model, reading.lost))
        raise ModelError(faults, f"{name} has {len(faults)} fault{'s' if len(faults) > 1 else ''}:")
    return reading.model


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model file; subsystems that were given as files in its folder are written as relative paths."""
    plain, folder = model_to_plain(model), Path(path).parent.resolve()
    for name, subsystem in model.source.subsystems.items():
        file, files = subsystem.use.file, [file.resolve() for file in subsystem.use.files]
        if file is not None and all(each.is_relative_to(folder) for each in files):
            plain[Subsystem.file_section][name]["use"] = file.resolve().relative_to(folder).as_posix()
    documents.write_document(path, plain)


def model_to_plain(model: Model) -> dict[str, Any]:
    """Return a model in file form, with owners instead of their parts; empty sections and defaults are omitted."""
    model = model.source
    plain: dict[str, Any] = {"gyrostat": VERSION, "name": model.name}
    if model.description:
        plain["description"] = model.description
    plain["gravity"] = VectorKind().write(model.gravity)
    if model.parameters:
        plain["parameters"] = {name: write_parameter(parameter) for name, parameter in model.parameters.items()}
    for section in SECTIONS:
        components = [c for c in model.components.values() if c.file_section == section]
        if components:
            plain[section] = {c.name: _component_to_plain(section, c) for c in components}
    return plain


def _component_to_plain(section: str, component: Component) -> dict[str, Any]:
    registry = _REGISTRIES.get(section)
    head = {"type": registry.tag_of(component)} if registry else {}
    return head | component.to_plain()


def read_model(document: Document, inclusion: Inclusion | None = None) -> ModelReading:
    """Convert a document to a model, collecting all faults with their positions.

    Without an inclusion, of a document that is no file, subsystems cannot be in files of their own.
    """
    data = document.data
    if not isinstance(data, dict):
        raise ModelFileError(Fault("", "the file does not hold a mapping.", "A model file begins with 'gyrostat: 1'."))
    _check_version(data, document)
    place = Place("")
    for key in data:
        if key not in _KEYS and not place.full:
            place.inside(key).report("is not a section of a model file.", did_you_mean(key, _KEYS))
    model = _empty_model(data, place)
    lost: set[str] = set()
    folder = Path(document.name).parent
    for section in SECTIONS:
        for name, plain in _entries(data, section, place).items():
            if place.full:
                break
            here = place.inside(section).inside(name)
            given = located(plain, folder) if section in _TABLE_SECTIONS else plain
            before = len(place.faults)
            if section == Subsystem.file_section:
                given = _with_used_model(given, here, document.within(here.path), inclusion)
            component = _read_component(section, name, given, here) if len(place.faults) == before else None
            if component is None or not _added(component, model, here):
                lost |= {name, *_bodies_of_lost(section, plain)}
    model._origin = document
    if _ALL_BODIES in lost or not isinstance(data.get("joints") or {}, Mapping) or place.full:
        lost |= model.bodies.keys()
    faults = (*document.faults[:FAULT_LIMIT], *(_placed(fault, document) for fault in place.faults))
    return ModelReading(model, faults, frozenset(lost))


def _with_used_model(plain: Any, place: Place, entry: Document, inclusion: Inclusion | None) -> Any:
    """Return the entry of a subsystem with the model that it uses: a file's, or one within the entry."""
    use = plain.get("use") if isinstance(plain, Mapping) else None
    if not isinstance(use, str | Mapping):
        return plain
    here = place.inside("use")
    try:
        if isinstance(use, Mapping):
            used = _used_entry(entry.within(("use",)), inclusion)
        elif inclusion is None:
            here.report("the model is not in a file, so it cannot use others.", "Write the model itself here.")
            return plain
        else:
            used = _used_file(inclusion.locate(use), inclusion)
    except ModelError as error:
        for fault in error.faults:
            here.report(str(fault))
        return plain
    return {**plain, "use": used}


def _used_entry(entry: Document, inclusion: Inclusion | None) -> UsedModel:
    """Return the model that is written within the entry of a subsystem."""
    return UsedModel.of(_faultless(read_model(entry, inclusion)))


def _used_file(file: Path, inclusion: Inclusion) -> UsedModel:
    """Return the model of a file, which is read once for all its uses; raise `ModelError` with the file's name."""
    if file in inclusion.read:
        return inclusion.read[file]
    if file in inclusion.faulty:
        raise ModelError(Fault(f"in {file.name:.80}", "there are faults, which its first use has.", "Correct them."))
    inclusion.admit(file)
    inclusion.open.append(file)
    try:
        used = UsedModel.of(_faultless(read_model(documents.read_document(file), inclusion)), file)
    except ModelError as error:
        inclusion.faulty.add(file)
        raise ModelError(Fault(f"in {file.name:.80}", _without_middle(str(fault))) for fault in error.faults) from None
    finally:
        inclusion.open.pop()
    inclusion.read[file] = used
    return used


def _without_middle(text: str) -> str:
    """Return a fault without the middle of a long way through files: its end states the fact."""
    if len(text) <= _LONGEST_FAULT:
        return text
    begin = _LONGEST_FAULT // 3
    return f"{text[:begin]} … {text[begin - _LONGEST_FAULT :]}"


def _faultless(reading: ModelReading) -> Model:
    if reading.faults:
        raise ModelError(reading.faults)
    return reading.model


def _added(component: Component, model: Model, place: Place) -> bool:
    """Add a component to the model, or report a fault."""
    try:
        model.add(component)
    except ModelError as error:
        place.adopt(error)
        return False
    return True


def _entries(data: Mapping[str, Any], section: str, place: Place) -> Mapping[str, Any]:
    """Return a section's entries by name; a blank section is empty."""
    content = data.get(section)
    if isinstance(content, Mapping):
        return content
    if content is not None:
        place.inside(section).report(f"{content!r:.60} is not a mapping from names.", "Write name: {…} for each entry.")
    return {}


_TABLE_SECTIONS = ("inputs", "joints", "networks")
"""The sections whose components may have tables in files of their own."""

_ALL_BODIES = "*"
"""Placeholder for all bodies among the lost names."""


def _bodies_of_lost(section: str, plain: object) -> Iterator[str]:
    """Yield the bodies of an unreadable joint, which are not reported as unconnected."""
    if section != "joints":
        return
    for end in ("parent", "child"):
        given = plain.get(end) if isinstance(plain, Mapping) else None
        name = given[0] if isinstance(given, list) and given else given
        yield from prefixes(name) if isinstance(name, str) else (_ALL_BODIES,)


def _check_version(data: dict[str, Any], document: Document) -> None:
    version = data.get("gyrostat")
    if version == VERSION and not isinstance(version, bool):
        return
    if version is None:
        fact, remedy = "the line 'gyrostat: 1' is missing.", "Is this a model file? If so, add the line."
    elif isinstance(version, int) and version > VERSION:
        fact, remedy = (
            f"the file has format {version!s:.20}; this version reads {VERSION}.",
            "Install a newer gyrostat.",
        )
    else:
        fact, remedy = f"{version!r:.40} is not a format version.", "Write 'gyrostat: 1'."
    raise ModelFileError(Fault("", fact, remedy, (), document.position(("gyrostat",))))


def _empty_model(data: dict[str, Any], place: Place) -> Model:
    """Return a model with the file's head; faulty parts are replaced by defaults."""
    name = data.get("name")
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        fact = "the model has no name." if name is None else f"{name!a:.60} is not a name for a model."
        place.inside("name").report(fact, "Write 'name: …' with some printable text.")
        name = "unnamed"
    before = len(place.faults)
    given = data.get("description")
    description = TextKind().read("" if given is None else given, place.inside("description"))
    if len(place.faults) > before:
        description = ""
    gravity = VectorKind().read(data.get("gravity", [0, 0, 0]), place.inside("gravity"))
    parameters: dict[str, Parameter] = {}
    for key, content in _entries(data, "parameters", place).items():
        if place.full:
            break
        parameter = read_parameter(key, content, place.inside("parameters").inside(key))
        if name_fault(key) is None:
            parameters[key] = parameter or Parameter()
    return Model(name, gravity=gravity, parameters=parameters, description=description)


def _read_component(section: str, name: str, plain: object, place: Place) -> Component | None:
    registry = _REGISTRIES.get(section)
    cls = _UNTYPED_SECTIONS.get(section, Component)
    if registry is not None:
        if not isinstance(plain, Mapping) or "type" not in plain:
            place.report("its type is missing.", f"Write type: {registry.tags[0]} or another. {registry.hint('')}")
            return None
        found = registry.get(plain["type"])
        if found is None:
            fact = f"{plain['type']!r:.60} is not a kind of {registry.family}."
            place.inside("type").report(fact, registry.hint(plain["type"]))
            return None
        cls = found
        plain = {key: content for key, content in plain.items() if key != "type"}
    return cls.from_plain(plain, place, name=name)


def _placed(fault: Fault, document: Document) -> Fault:
    """Return the fault with its position in the file; the section is omitted from the path of a named item."""
    placed = fault.at(document.position(fault.path))
    if len(fault.path) >= 2 and fault.path[0] in SECTIONS:
        section, name, *rest = fault.path
        word = SECTIONS[str(section)].word
        return Fault(f"{word} {name!r:.60}", placed.fact, placed.remedy, tuple(rest), placed.position)
    return placed


def model_schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of model files, with all registered components."""
    quantity: Schema = {"description": "a number, or a formula of parameters", "type": ["number", "string"]}
    vector: Schema = {"type": "array", "items": {"$ref": "#/$defs/quantity"}, "minItems": 3, "maxItems": 3}
    axis: Schema = {"anyOf": [{"enum": ["x", "y", "z", "-x", "-y", "-z"]}, {"$ref": "#/$defs/vector"}]}
    pair: Schema = {
        "type": "array",
        "prefixItems": [{"type": "string"}, {"anyOf": [{"$ref": "#/$defs/vector"}, {"$ref": "#/$defs/frame"}]}],
        "minItems": 2,
        "maxItems": 2,
    }
    definitions: dict[str, Schema] = {
        "quantity": quantity,
        "vector": vector,
        "axis": axis,
        "end": {
            "description": "body, body.point, body.frame, [body, [x, y, z]] or [body, {at: …, turn: …, on: …}]",
            "anyOf": [{"type": "string"}, pair],
        },
        "frame": Frame.schema(),
        "solid": _tagged_schema(SOLIDS),
        "shape": _tagged_schema(SHAPES),
        "normal_law": _tagged_schema(NORMAL_LAWS),
        "section": _tagged_schema(CROSS_SECTIONS),
        "friction_law": _tagged_schema(FRICTION_LAWS),
        "tyre_law": _tagged_schema(TYRE_LAWS),
    }
    parameter: Schema = {"anyOf": [{"$ref": "#/$defs/quantity"}, {"type": "null"}, Parameter.schema()]}
    properties: dict[str, Schema] = {
        "gyrostat": {"const": VERSION},
        "name": {"type": "string", "minLength": 1},
        "description": {"type": "string"},
        "gravity": {"$ref": "#/$defs/vector"},
        "parameters": {"type": "object", "additionalProperties": parameter},
        **{name: {"type": "object", "additionalProperties": cls.schema()} for name, cls in _UNTYPED_SECTIONS.items()},
    }
    for section, registry in _REGISTRIES.items():
        properties[section] = {
            "type": "object",
            "additionalProperties": {"oneOf": [_typed_schema(cls) for cls in registry]},
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "gyrostat model file",
        "type": "object",
        "properties": properties,
        "required": ["gyrostat", "name"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _tagged_schema(registry: Registry[Any]) -> Schema:
    variants = {cls.tag or cls.__name__: {"description": _summary(cls), **cls.schema()} for cls in registry}
    return {
        "type": "object",
        "properties": variants,
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": False,
    }


def _typed_schema(cls: type[Component]) -> Schema:
    schema = cls.schema()
    schema["description"] = _summary(cls)
    schema["properties"] = {"type": {"const": cls.tag or cls.__name__}, **schema["properties"]}
    schema["required"] = ["type", *schema.get("required", [])]
    return schema


def _summary(cls: type) -> str:
    return (cls.__doc__ or "").strip().partition("\n")[0]
