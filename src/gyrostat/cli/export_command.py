"""gyrostat export: a model in another format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

import gyrostat as gs
from gyrostat.cli.common import CallError, Force
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates

_MODULES = ("python", "numpy", "jax")
"""Languages of Python modules."""
_MODELS = ("c", "fmu", *_MODULES, "matlab")
_TRAJECTORIES: Mapping[str, Callable[..., Path]] = {
    "csv": lambda *given, **options: gs.export_table(*given, **options),
    "parquet": lambda *given, **options: gs.export_table(*given, **options),
    "gltf": lambda *given, **options: gs.export_gltf(*given, **options),
    "mcap": lambda *given, **options: gs.export_mcap(*given, **options),
}
"""Formats of trajectories, which are imported when they are used."""


def export_model(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a model; for tables, glTF and MCAP a trajectory, .nc")],
    out: Annotated[Path, typer.Option(metavar="PATH", help="the folder of a library, or the file of anything else")],
    to: Annotated[
        str,
        typer.Option(help="of a model c, fmu, python, numpy, jax, matlab; of a trajectory csv, parquet, gltf, mcap"),
    ],
    name: Annotated[str | None, typer.Option(help="the name of the library; by default that of the model")] = None,
    kind: Annotated[str, typer.Option(help="of an FMU: model-exchange, co-simulation or both")] = "both",
    platform: Annotated[
        list[str] | None,
        typer.Option(help="of an FMU: linux64, win64 or darwin64; may be repeated; by default this one"),
    ] = None,
    output: Annotated[
        list[str] | None,
        typer.Option(help="of an FMU: a signal or formula as an output beside the states; may be repeated"),
    ] = None,
    fmi: Annotated[str, typer.Option(help="of an FMU: the version of FMI, 2.0 or 3.0")] = "2.0",
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    force: Force = False,
) -> None:
    """Write a model or a trajectory in another format: a library, an FMU, a module, a table, an animation, a log."""
    if to in _TRAJECTORIES:
        typer.echo(f"Written: {_TRAJECTORIES[to](gs.load(file), out, force=force)}")
        return
    if to not in _MODELS:
        raise CallError(f"--to {to!r} is not known. Use {', '.join((*_MODELS, *_TRAJECTORIES))}.")
    system = gs.formulate(gs.Model.load(file), read_coordinates(coordinates, translation, rotation))
    if to == "c":
        paths = gs.export_c(system, out, name=name, force=force)
    elif to == "matlab":
        paths = gs.export_matlab(system, out, name=name, force=force)
    elif to in _MODULES:
        paths = (gs.export_python(system, out, language=to, force=force),)
    else:
        paths = (
            gs.export_fmu(
                system,
                out,
                kind=kind,
                platforms=platform,
                outputs=output or (),
                version=fmi,
                name=name,
                force=force,
            ),
        )
    for path in paths:
        typer.echo(f"Written: {path}")
