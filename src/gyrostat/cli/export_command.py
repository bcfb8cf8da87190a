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
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    force: Force = False,
) -> None:
    """Write a model in another format: a C library, or an FMU for model exchange."""
    if to not in ("c", "fmu"):
        raise CallError(f"--to {to!r} is not known. Use c or fmu.")
    system = gs.formulate(gs.Model.load(file), read_coordinates(coordinates, translation, rotation))
    written = gs.export_c if to == "c" else _export_fmu
    for path in written(system, out, name=name, force=force):
        typer.echo(f"Written: {path}")


def _export_fmu(system: gs.System, out: Path, *, name: str | None, force: bool) -> tuple[Path]:
    return (gs.export_fmu(system, out, name=name, force=force),)
