"""Reading and writing of text files with plain data: YAML and JSON, by the file's suffix."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gyrostat.model.documents.document import Document
    from gyrostat.model.documents.document_file import read_document, write_document
    from gyrostat.model.documents.json_document import read_json, write_json
    from gyrostat.model.documents.yaml_document import read_yaml, write_yaml

__all__ = ["Document", "read_document", "read_json", "read_yaml", "write_document", "write_json", "write_yaml"]

_HOMES = {
    "Document": "document",
    **dict.fromkeys(("read_document", "write_document"), "document_file"),
    **dict.fromkeys(("read_json", "write_json"), "json_document"),
    **dict.fromkeys(("read_yaml", "write_yaml"), "yaml_document"),
}


def __getattr__(name: str) -> Any:
    """Import a name from its module when it is first asked for: who reads JSON needs no YAML."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
