"""gyrostat export: a model in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gyrostat as gs
from gyrostat.cli.common import CallError, Force, ModelPath
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates

_MODULES = ("python", "numpy", "jax")
"""Languages of Python modules."""


def export_model(
    file: ModelPath,
    out: Annotated[
        Path, typer.Option(metavar="PATH", help="the folder of a C library, or the file of an FMU or module")
    ],
    to: Annotated[str, typer.Option(help="the format: c, fmu, python, numpy or jax")],
    name: Annotated[str | None, typer.Option(help="the name of the library; by default that of the model")] = None,
    kind: Annotated[str, typer.Option(help="of an FMU: model-exchange, co-simulation or both")] = "both",
    platform: Annotated[
        list[str] | None,
        typer.Option(help="of an FMU: linux64, win64 or darwin64; may be repeated; by default this one"),
    ] = None,
    fmi: Annotated[str, typer.Option(help="of an FMU: the version of FMI, 2.0 or 3.0")] = "2.0",
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    force: Force = False,
) -> None:
    """Write a model in another format: a C library, an FMU, or a Python module."""
    if to not in ("c", "fmu", *_MODULES):
        raise CallError(f"--to {to!r} is not known. Use c, fmu, python, numpy or jax.")
    system = gs.formulate(gs.Model.load(file), read_coordinates(coordinates, translation, rotation))
    if to == "c":
        paths = gs.export_c(system, out, name=name, force=force)
    elif to in _MODULES:
        paths = (gs.export_python(system, out, language=to, force=force),)
    else:
        paths = (gs.export_fmu(system, out, kind=kind, platforms=platform, version=fmi, name=name, force=force),)
    for path in paths:
        typer.echo(f"Written: {path}")
