"""What all commands share: arguments, JSON for machines, calls that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from gyrostat.errors import GyrostatError

ModelPath = Annotated[Path, typer.Argument(metavar="FILE", help="a model file, .yaml or .json")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON for machines")]
Force = Annotated[bool, typer.Option("--force", help="replace files that are there")]


class CallError(GyrostatError):
    """A call of the command line that cannot be read; it ends with code 2."""


def print_json(data: Any) -> None:
    """Print data for machines."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))
