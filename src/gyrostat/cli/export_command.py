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
    out: Annotated[Path, typer.Option(metavar="PATH", help="the folder of a C library, or the file of an FMU")],
    to: Annotated[str, typer.Option(help="the format: c or fmu")],
    name: Annotated[str | None, typer.Option(help="the name of the library; by default that of the model")] = None,
    kind: Annotated[str, typer.Option(help="of an FMU: model-exchange, co-simulation or both")] = "both",
    platform: Annotated[
        list[str] | None,
        typer.Option(help="of an FMU: linux64, win64 or darwin64; may be repeated; by default this one"),
    ] = None,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    force: Force = False,
) -> None:
    """Write a model in another format: a C library, or an FMU."""
    if to not in ("c", "fmu"):
        raise CallError(f"--to {to!r} is not known. Use c or fmu.")
    system = gs.formulate(gs.Model.load(file), read_coordinates(coordinates, translation, rotation))
    if to == "c":
        paths = gs.export_c(system, out, name=name, force=force)
    else:
        paths = (gs.export_fmu(system, out, kind=kind, platforms=platform, name=name, force=force),)
    for path in paths:
        typer.echo(f"Written: {path}")
