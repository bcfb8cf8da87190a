"""gyrostat export: a model in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gyrostat as gs
from gyrostat.cli.common import CallError, Force, ModelPath
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates


def export_model(
    file: ModelPath,
    out: Annotated[Path, typer.Option(metavar="DIR", help="the folder to write to")],
    to: Annotated[str, typer.Option(help="the format: c")] = "c",
    name: Annotated[str | None, typer.Option(help="the name of the library; by default that of the model")] = None,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    force: Force = False,
) -> None:
    """Write a model in another format: a C library with header, source, CMake file and example."""
    if to != "c":
        raise CallError(f"--to {to!r} is not known. Use c.")
    system = gs.formulate(gs.Model.load(file), read_coordinates(coordinates, translation, rotation))
    for path in gs.export_c(system, out, name=name, force=force):
        typer.echo(f"Written: {path}")
