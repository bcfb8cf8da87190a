"""Completion in the editor: from the schema of model files, and from the names of the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from gyrostat.model import Model
from gyrostat.model.model_file import model_schema
from gyrostat.studio.cursor import Cursor

_OPTION_LIMIT = 300
Option = dict[str, str]


def completions(text: str, place: int, model: Model | None, *, json: bool = False) -> dict[str, Any]:
    """Return the options at a place of a text, and the length of the word before it that they replace."""
    cursor = Cursor.at(text, place)
    nodes = list(_expanded(_schema(), {}))
    for depth, key in enumerate(cursor.path):
        last = depth == len(cursor.path) - 1
        beside = cursor.beside if last and cursor.at_value else {}
        nodes = [inner for node in nodes for inner in _step(node, key, beside)]
    if cursor.at_value:
        options = [*_values(nodes, cursor.path[-1] if cursor.path else "", model)]
    else:
        expanded = [each for node in nodes for each in _expanded(node, cursor.beside)]
        options = [*_keys(expanded, cursor.beside, json=json)]
    unique = {option["label"]: option for option in options}
    return {"length": len(cursor.word), "options": list(unique.values())[:_OPTION_LIMIT]}


@cache
def _schema() -> dict[str, Any]:
    return model_schema()


def _step(node: Mapping[str, Any], key: str, beside: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    """Yield the schemas of the value of a key."""
    for each in _expanded(node, beside):
        properties = each.get("properties", {})
        if key in properties:
            yield properties[key]
        elif isinstance(each.get("additionalProperties"), Mapping):
            yield each["additionalProperties"]


def _expanded(node: Mapping[str, Any], beside: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    """Yield a schema, or its alternatives; of those with a type, the one that the entry beside names."""
    if "$ref" in node:
        yield from _expanded(_schema()["$defs"][node["$ref"].rpartition("/")[2]], beside)
        return
    alternatives = [*node.get("oneOf", ()), *node.get("anyOf", ())]
    if not alternatives:
        yield node
    kind = beside.get("type")
    typed = [each for each in alternatives if _type_of(each) == kind]
    for each in typed if kind and typed else alternatives:
        yield from _expanded(each, beside)


def _type_of(node: Mapping[str, Any]) -> str | None:
    constant = node.get("properties", {}).get("type", {}).get("const")
    return constant if isinstance(constant, str) else None


def _keys(nodes: list[Mapping[str, Any]], beside: Mapping[str, str], *, json: bool) -> Iterator[Option]:
    """Yield the keys that a mapping may have, without those that it has."""
    for node in nodes:
        required = node.get("required", ())
        for name, inner in node.get("properties", {}).items():
            if name not in beside:
                detail = "required" if name in required else ""
                text = f'"{name}": ' if json else f"{name}: "
                yield {"label": name, "apply": text, "detail": detail, "info": _about(inner), "kind": "property"}


def _values(nodes: list[Mapping[str, Any]], key: str, model: Model | None) -> Iterator[Option]:
    """Yield the values that a key may have: constants of the schema, and names of the model."""
    for node in nodes:
        if isinstance(node.get("const"), str):
            yield {"label": node["const"], "kind": "type", "info": _about_type(node["const"])}
        references = {each.get("$ref", "").rpartition("/")[2] for each in (node, *node.get("anyOf", ()))}
        for each in _expanded(node, {}):
            if isinstance(each.get("const"), str):
                yield {"label": each["const"], "kind": "type", "info": _about_type(each["const"])}
            yield from ({"label": str(word), "kind": "enum", "info": ""} for word in each.get("enum", ()))
        if model is not None:
            yield from _names(references, key, model)


def _names(references: set[str], key: str, model: Model) -> Iterator[Option]:
    flat = model.flattened()
    if "end" in references or key == "body":
        yield {"label": "ground", "kind": "class", "info": "the world"}
        for name, body in (*flat.bodies.items(), ("ground", flat.ground)):
            if name != "ground":
                yield {"label": name, "kind": "class", "info": "body"}
            if key != "body":
                for inner in (*body.points, *body.frames):
                    yield {"label": f"{name}.{inner}", "kind": "variable", "info": f"point or frame of {name}"}
    if key in ("joint", "coordinate"):
        for joint in flat.joints.values():
            yield from ({"label": name, "kind": "variable", "info": "coordinate"} for name in joint.coordinate_names)
    if references & {"quantity", "vector"}:
        for name, parameter in model.parameters.items():
            unit = f" ({parameter.unit})" if parameter.unit else ""
            yield {"label": name, "kind": "constant", "info": f"{parameter.description or 'parameter'}{unit}"}


def _about(node: Mapping[str, Any]) -> str:
    if "description" in node:
        return str(node["description"])
    return str(_schema()["$defs"][node["$ref"].rpartition("/")[2]].get("description", "")) if "$ref" in node else ""


@cache
def _about_types() -> dict[str, str]:
    found = {}
    for section in _schema()["properties"].values():
        inner = section.get("additionalProperties")
        for node in inner.get("oneOf", ()) if isinstance(inner, Mapping) else ():
            found[_type_of(node) or ""] = str(node.get("description", ""))
    return found


def _about_type(name: str) -> str:
    return _about_types().get(name, "")
