"""Files of plain data: YAML or JSON, according to the suffix."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gyrostat.errors import Fault, ModelFileError
from gyrostat.model.documents.document import BYTE_LIMIT, Document, too_large
from gyrostat.model.documents.json_document import read_json, write_json
from gyrostat.model.documents.yaml_document import read_yaml, write_yaml

_READERS = {".yaml": read_yaml, ".yml": read_yaml, ".json": read_json}
_WRITERS = {".yaml": write_yaml, ".yml": write_yaml, ".json": write_json}


def read_document(path: str | os.PathLike[str]) -> Document:
    """Read a YAML or JSON file; raise `ModelFileError` if it cannot be read."""
    file = Path(path)
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        raise _fault(f"the suffix {file.suffix!r} is not that of a model file.", "Use .yaml, .yml or .json.")
    try:
        if not file.is_file():
            raise _fault("there is no such file." if not file.exists() else "this is not a file.", "Check the path.")
        if file.stat().st_size > BYTE_LIMIT:
            raise too_large(f"the file has more than {BYTE_LIMIT:,} bytes.")
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _fault(f"the file is not UTF-8 text (byte {error.start}).", "Save it as UTF-8.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _fault(f"the file cannot be read: {reason}.", "Check the path and its permissions.") from None
    return reader(text, str(file))


def write_document(path: str | os.PathLike[str], data: dict[str, Any]) -> None:
    """Write a YAML or JSON file atomically: an interrupted write leaves an existing file unchanged."""
    file = Path(path)
    writer = _WRITERS.get(file.suffix.lower())
    if writer is None:
        raise _fault(f"the suffix {file.suffix!r} is not that of a model file.", "Use .yaml, .yml or .json.")
    text = writer(data)
    temporary = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        try:
            temporary.write_text(text, encoding="utf-8", newline="\n")
            os.replace(temporary, file)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise _fault(f"{file} cannot be written: {error.strerror}.", "Check the folder and its permissions.") from None


def _fault(fact: str, remedy: str) -> ModelFileError:
    return ModelFileError(Fault("", fact, remedy))
