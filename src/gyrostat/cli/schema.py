"""gyrostat schema: the JSON Schema of model files."""

from __future__ import annotations

from gyrostat.cli.common import print_json


def schema() -> None:
    """Print the JSON Schema of model files, for editors that complete and check as you type."""
    from gyrostat.model.model_file import model_schema

    print_json(model_schema())
