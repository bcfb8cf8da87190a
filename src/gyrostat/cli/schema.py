"""gyrostat schema: the JSON Schema of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.cli.common import print_json
from gyrostat.lazy import later

if TYPE_CHECKING:
    from gyrostat.model import model_file
else:
    (model_file,) = later("gyrostat.model", "model_file")


def schema() -> None:
    """Print the JSON Schema of model files, for editors that complete and check as you type."""
    print_json(model_file.model_schema())
