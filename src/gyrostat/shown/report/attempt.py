"""Parts of a report that may not be possible for a model."""

from __future__ import annotations

from collections.abc import Callable

from gyrostat.errors import GyrostatError
from gyrostat.shown.report.document import Document


def attempt(document: Document, what: str, work: Callable[[], None]) -> bool:
    """Do some work; where it is not possible for the model, say why. Return whether it was done."""
    try:
        work()
    except GyrostatError as error:
        document.note(f"{what}: {error}")
        return False
    return True
