"""Text files that are written whole or not at all."""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from pathlib import Path

from gyrostat.errors import PictureError


def write_text_file(path: str | os.PathLike[str], text: str, what: str) -> Path:
    """Write a file at once: it appears complete or, if that fails, nothing changes; `what` names it in the error."""
    target = Path(path)
    temporary = target.with_name(f".{target.stem[:40]}-{uuid.uuid4().hex}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, target)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise PictureError(
            f"{target}: the {what} cannot be written ({error.strerror}); "
            "choose a folder that exists and can be written to."
        ) from error
    return target
