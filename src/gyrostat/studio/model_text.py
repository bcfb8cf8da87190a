"""The text in the editor: its model, its faults, and the places of its numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from gyrostat.errors import Fault, ModelError, Position
from gyrostat.model import Model
from gyrostat.model.checks import structural_faults
from gyrostat.model.documents import Document, read_json, read_yaml
from gyrostat.model.model_file import read_model
from gyrostat.model.states.state_element import StateElement
from gyrostat.model.subsystems.inclusion import Inclusion

_FILE_KEYS = ("table", "file")
"""Keys whose text is the path of a file: tables of laws, meshes of shapes."""


@dataclass(frozen=True, eq=False)
class ModelText:
    """A text that was read: the model where there are no faults, and the parsed tree with places in the text."""

    text: str
    model: Model | None
    faults: tuple[Fault, ...]
    data: Any = None
    root: yaml.Node | None = None

    @staticmethod
    def read(text: str, path: Path) -> ModelText:
        """Read a text as that of a file at a path; other files that it names must lie in the folder of the path."""
        reader = read_json if path.suffix.lower() == ".json" else read_yaml
        try:
            document = reader(text, str(path))
            if outside := tuple(_outside(document, path.parent)):
                return ModelText(text, None, outside)
            reading = read_model(document, Inclusion.of(path))
            faults = (*reading.faults, *structural_faults(reading.model, reading.lost))
        except ModelError as error:
            return ModelText(text, None, error.faults)
        except RecursionError:
            return ModelText(text, None, (Fault("", "formulas are nested too deeply.", "Split them."),))
        if faults:
            return ModelText(text, None, faults)
        return ModelText(text, reading.model, (), document.data, _composed(text))

    @property
    def structure(self) -> str:
        """What the equations depend on: everything but numbers of parameters and initial values, and words."""
        components = {} if self.model is None else self.model.components
        states = {name for name, one in components.items() if isinstance(one, StateElement) and one.state_variables}
        return json.dumps(_without_numbers(self.data, states), sort_keys=False, default=str)


def _composed(text: str) -> yaml.Node | None:
    """Return the tree of a text with places; JSON is read as YAML, and has no places where that fails."""
    try:
        root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError):
        return None
    return root if isinstance(root, yaml.Node) else None


def _without_numbers(data: Any, states: set[str]) -> Any:
    """Return a document without its numbers; of the section `states` only the given ones have initial values."""
    if not isinstance(data, dict):
        return data
    kept = {key: value for key, value in data.items() if key not in ("name", "description")}
    parameters = data.get("parameters")
    if isinstance(parameters, dict):
        kept["parameters"] = [[name, _has_value(entry)] for name, entry in parameters.items()]
    if isinstance(data.get("joints"), dict):
        kept["joints"] = {name: _begun(entry) for name, entry in data["joints"].items()}
    if isinstance(data.get("states"), dict):
        kept["states"] = {name: _begun(entry) if name in states else entry for name, entry in data["states"].items()}
    return kept


def _has_value(entry: Any) -> bool:
    return (entry.get("value") if isinstance(entry, dict) else entry) is not None


def _begun(entry: Any) -> Any:
    """Return a component without its initial values; of a memory its names remain."""
    if not isinstance(entry, dict):
        return entry
    memory = {"memory": list(entry["memory"])} if isinstance(entry.get("memory"), dict) else {}
    return {**{name: value for name, value in entry.items() if not name.startswith("initial")}, **memory}


def _outside(document: Document, folder: Path) -> Iterator[Fault]:
    """Yield a fault for each file that a text names outside the folder."""
    root = folder.resolve()
    waiting: list[tuple[Any, Any]] = [(document.root, None)]
    while waiting:
        node, key = waiting.pop()
        content = node.content
        if isinstance(content, dict):
            waiting.extend((inner, name) for name, inner in content.items())
        elif isinstance(content, list):
            waiting.extend((inner, None) for inner in content)
        elif key in _FILE_KEYS and isinstance(content, str) and not _within(root, content):
            fact = f"{content!r:.80} leads out of the folder of the model."
            remedy = "The studio reads files in that folder and in folders within it; copy the file there."
            yield Fault("", fact, remedy, (), Position(node.line, node.column))


def _within(root: Path, name: str) -> bool:
    try:
        return (root / name).resolve().is_relative_to(root)
    except (OSError, RuntimeError, ValueError):
        return False
