"""Readers and writers of plain data in YAML and JSON, chosen by the file suffix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from

if TYPE_CHECKING:
    from gyrostat.model.documents.document import Document
    from gyrostat.model.documents.document_file import read_document, write_document
    from gyrostat.model.documents.json_document import read_json, write_json
    from gyrostat.model.documents.yaml_document import read_yaml, write_yaml

__all__ = ["Document", "read_document", "read_json", "read_yaml", "write_document", "write_json", "write_yaml"]

__getattr__ = names_from(
    __name__,
    {
        "document": ("Document",),
        "document_file": ("read_document", "write_document"),
        "json_document": ("read_json", "write_json"),
        "yaml_document": ("read_yaml", "write_yaml"),
    },
)
