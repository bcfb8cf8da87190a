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
from gyrostat.model.elements import NetworkElement
from gyrostat.model.model_file import read_model
from gyrostat.model.record import Component
from gyrostat.model.state_variable import StateOwner
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
        """Part of the text on which equations depend: all but numbers of parameters and initial values, and words."""
        if self.model is None:
            return ""
        begun = {name for name, one in self.model.components.items() if _begins(one)}
        parts = [_without_numbers(self.data, begun), _used(self.model)]
        return json.dumps(parts, sort_keys=False, default=str)


def _composed(text: str) -> yaml.Node | None:
    """Return the tree of a text with places; JSON is read as YAML, and has no places where that fails."""
    try:
        root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError):
        return None
    return root if isinstance(root, yaml.Node) else None


def _begins(component: Component) -> bool:
    """Return whether the fields of a component for initial values are those of state variables."""
    if isinstance(component, StateOwner):
        return bool(component.state_variables)
    return isinstance(component, NetworkElement)


def _used(model: Model) -> list[object]:
    """Return what the equations owe to files that the model uses, and the parameters that have no value."""
    files = {file for one in model.subsystems.values() for file in one.use.files}
    times = [[str(file), file.stat().st_mtime_ns if file.exists() else 0] for file in sorted(files)]
    parameters = model.flat.parameters if times or model.subsystems else {}
    return [times, [name for name, one in parameters.items() if one.value is None]]


def _without_numbers(data: Any, begun: set[str]) -> Any:
    """Return a document without its numbers; the given states, forces and elements may have initial values."""
    if not isinstance(data, dict):
        return data
    kept = {key: value for key, value in data.items() if key not in ("name", "description")}
    parameters = data.get("parameters")
    if isinstance(parameters, dict):
        kept["parameters"] = [[name, _has_value(entry)] for name, entry in parameters.items()]
    if isinstance(data.get("joints"), dict):
        kept["joints"] = {name: _begun(entry) for name, entry in data["joints"].items()}
    for section in ("states", "forces", "networks"):
        if isinstance(data.get(section), dict):
            entries = data[section].items()
            kept[section] = {name: _begun(entry) if name in begun else entry for name, entry in entries}
    if isinstance(data.get("subsystems"), dict):
        kept["subsystems"] = {name: _mounted(entry) for name, entry in data["subsystems"].items()}
    return kept


def _mounted(entry: Any) -> Any:
    """Return a subsystem without the values of its parameters."""
    return {key: value for key, value in entry.items() if key != "parameters"} if isinstance(entry, dict) else entry


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
