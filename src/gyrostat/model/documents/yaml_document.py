"""YAML: safe reader that records positions, and writer in the style of the package's examples.

Parser events are converted to nodes without recursion: tags are refused, aliases are counted before they are expanded,
and scalars are resolved by the core schema of YAML 1.2 (`on` is text, `1e3` is a number).
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from gyrostat.errors import Fault, ModelFileError, Position
from gyrostat.model.documents.document import (
    LONGEST_NUMBER,
    NODE_LIMIT,
    Document,
    Node,
    check_depth,
    check_length,
    check_size,
    size_of_text,
    twice,
)

_NULL = {"", "~", "null", "Null", "NULL"}
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL_NUMBERS = {".inf": "inf", "+.inf": "inf", "-.inf": "-inf", ".nan": "nan"}
_WIDTH = 120


def read_yaml(text: str, name: str = "") -> Document:
    """Read YAML text; raise `ModelFileError` with the position if it is not YAML or exceeds a size limit."""
    check_length(text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.YAMLError as error:
        raise _syntax_fault(error) from None
    if builder.root is None:
        raise ModelFileError(Fault("", "the file is empty.", "A model file begins with 'gyrostat: 1'."))
    return Document(builder.root, name, tuple(builder.faults))


class _Builder:
    """Builder of nodes from events; a stack holds the open lists and mappings with their pending keys."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.faults: list[Fault] = []
        self._open: list[tuple[Node, str | None]] = []
        self._keys: list[str | None] = []
        self._anchors: dict[str, Node | None] = {}
        self._size = 0

    def take(self, event: Any) -> None:
        """Process the next event."""
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._refuse_tag(event)
            node = self._node(event, _resolve(event.value, event.implicit[0], event), size_of_text(event.value))
            self._remember(event.anchor, node)
            self._add(node, event)
        elif kind is yaml.SequenceStartEvent or kind is yaml.MappingStartEvent:
            self._refuse_tag(event)
            node = self._node(event, [] if kind is yaml.SequenceStartEvent else {}, 1)
            if event.anchor:
                self._anchors[event.anchor] = None  # incomplete: an alias to it would be infinitely recursive
            self._open.append((node, event.anchor))
            self._keys.append(None)
            check_depth(len(self._open), node.line, node.column)
        elif kind is yaml.SequenceEndEvent or kind is yaml.MappingEndEvent:
            node, anchor = self._open.pop()
            self._keys.pop()
            self._remember(anchor, node)
            self._add(node, event)
        elif kind is yaml.AliasEvent:
            target = self._anchors.get(event.anchor)
            if target is None:
                fact = f"the alias {'*' + event.anchor!a:.60} has no complete anchor before it."
                raise _fault(fact, "Define the anchor first.", event)
            self._add(target, event)
        elif kind is yaml.DocumentStartEvent and self.root is not None:
            raise _fault("the file holds more than one document.", "Keep one model per file.", event)

    def _node(self, event: Any, content: Any, size: int) -> Node:
        mark = event.start_mark
        line, column = mark.line + 1, mark.column + 1
        self._size += size
        check_size(self._size, line, column)
        return Node(content, line, column, size)

    def _remember(self, anchor: str | None, node: Node) -> None:
        if anchor:
            self._anchors[anchor] = node

    def _add(self, node: Node, event: Any) -> None:
        """Insert a finished node into its parent."""
        if not self._open:
            self.root = node
            return
        container = self._open[-1][0]
        key = self._keys[-1]
        if type(container.content) is list:
            container.content.append(node)
        elif key is None:
            if not isinstance(node.content, str | int | float) or isinstance(node.content, bool):
                raise _fault("a key is not a name.", "Use names as keys; quote words such as 'true'.", event)
            key = self._keys[-1] = str(node.content)
            if key in container.content:
                self.faults.append(twice(key, _position(event)))
        else:
            container.content.setdefault(key, node)
            self._keys[-1] = None
        container.size += node.size
        if container.size > NODE_LIMIT:
            check_size(container.size, event.start_mark.line + 1, event.start_mark.column + 1)

    def _refuse_tag(self, event: Any) -> None:
        if event.tag is not None:
            raise _fault(
                f"the tag {event.tag!a:.60} is not allowed.", "Model files hold plain data; remove the tag.", event
            )


def _resolve(text: str, plain: bool, event: Any = None) -> Any:
    """Return the value of a scalar by the core schema; a quoted scalar is text."""
    if not plain:
        return text
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if text.lower() in _SPECIAL_NUMBERS:
        return float(_SPECIAL_NUMBERS[text.lower()])
    if _INT.fullmatch(text) or _FLOAT.fullmatch(text):
        if len(text) > LONGEST_NUMBER:
            raise _fault(f"a number has {len(text)} digits.", "Write fewer.", event)
        return int(text) if _INT.fullmatch(text) else float(text)
    return text


def _position(event: Any) -> Position:
    mark = event.start_mark
    return Position(mark.line + 1, mark.column + 1)


def _fault(fact: str, remedy: str, event: Any) -> ModelFileError:
    return ModelFileError(Fault("", fact, remedy, (), _position(event)))


def _syntax_fault(error: yaml.YAMLError) -> ModelFileError:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    position = Position(mark.line + 1, mark.column + 1) if mark else None
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read"
    return ModelFileError(
        Fault("", f"this is not YAML: {problem!s:.120}.", "Check indentation, brackets and quotes.", (), position)
    )


def write_yaml(data: dict[str, Any]) -> str:
    """Return YAML text: one line per component, nested mappings in flow style."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text: str = yaml.serialize(_written(data, 0), Dumper=dumper, allow_unicode=True, width=_WIDTH)
    return text


def _written(value: Any, depth: int) -> yaml.Node:
    """Return a node for the emitter; everything below the components is in flow style."""
    if isinstance(value, dict):
        pairs = [(_written(key, depth + 1), _written(content, depth + 1)) for key, content in value.items()]
        return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=depth > 1)
    if isinstance(value, list):
        return yaml.SequenceNode(
            "tag:yaml.org,2002:seq", [_written(item, depth + 1) for item in value], flow_style=True
        )
    if isinstance(value, str):
        plain = _resolve(value, True) if len(value) < LONGEST_NUMBER else value
        return yaml.ScalarNode("tag:yaml.org,2002:str", value, style=None if isinstance(plain, str) else "'")
    if isinstance(value, bool):
        return yaml.ScalarNode("tag:yaml.org,2002:bool", "true" if value else "false")
    if isinstance(value, float):
        text = repr(value)  # YAML 1.1 readers accept a number only with a decimal point before the exponent
        return yaml.ScalarNode("tag:yaml.org,2002:float", text if "." in text else text.replace("e", ".0e"))
    if isinstance(value, int):
        return yaml.ScalarNode("tag:yaml.org,2002:int", str(value))
    return yaml.ScalarNode("tag:yaml.org,2002:null", "null")
