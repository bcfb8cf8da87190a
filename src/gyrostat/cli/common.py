"""Arguments, JSON output and errors that all commands share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from gyrostat.errors import GyrostatError

Texts = list[str] | None
"""Values of an option that may be given several times."""

ModelPath = Annotated[Path, typer.Argument(metavar="FILE", help="a model file, .yaml or .json")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON for machines")]
Parameters = Annotated[
    Texts,
    typer.Option("--set", metavar="NAME=VALUE", help="a parameter's value; may be given again"),
]
Initial = Annotated[
    Texts,
    typer.Option(metavar="NAME=VALUE", help="the initial value of a coordinate or speed; again"),
]
Inputs = Annotated[
    Texts,
    typer.Option("--input", metavar="NAME=FORMULA", help="an input over time and signals; again"),
]
Guess = Annotated[
    Texts,
    typer.Option(metavar="NAME=VALUE", help="start of the search for the equilibrium; may be given again"),
]
MostSteps = Annotated[int | None, typer.Option(help="the largest number of steps of a run, which then ends")]
MostSeconds = Annotated[float | None, typer.Option(help="the longest computing time of a run, which then ends")]
Force = Annotated[bool, typer.Option("--force", help="replace existing files")]


class CallError(GyrostatError):
    """A call of the command line that cannot be read; it ends with code 2."""


def pairs(option: str, given: list[str] | None) -> dict[str, str]:
    """Return values by name from texts such as m2=3, given to an option."""
    found: dict[str, str] = {}
    for text in given or ():
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise CallError(f"{option} {text!r} cannot be read. Write a name and a value, as in {option} a1=0.5.")
        if name in found:
            raise CallError(f"{option} gives {name!r} twice: {found[name]} and {value}. Keep one of them.")
        found[name] = value
    return found


def write_text(path: Path, text: str) -> None:
    """Write a text file, replacing an older one."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise GyrostatError(
            f"{path} cannot be written: {error.strerror}. Check the folder and its permissions."
        ) from None


def print_json(data: Any) -> None:
    """Print data as JSON."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))
