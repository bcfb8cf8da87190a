"""gyrostat report: everything about a model on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gyrostat as gs
from gyrostat.cli.common import AsJson, CallError, Force, ModelPath, print_json
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates
from gyrostat.results.whole_file import require_writable


def report(
    file: ModelPath,
    out: Annotated[Path | None, typer.Option(help="the page to write (.html); without it beside the model")] = None,
    runs: Annotated[
        list[Path] | None,
        typer.Option(
            "--run", metavar="FILE", help="a trajectory of the model (.nc) to show instead of a new run; again"
        ),
    ] = None,
    duration: Annotated[
        float | None, typer.Option(help="how long to simulate, in seconds, where no run is given")
    ] = None,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    walks: Annotated[bool, typer.Option("--walks/--no-walks", help="show the methods step by step")] = True,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write one self-contained page: model, topology, equations, equilibrium, modes, motion, checks, versions."""
    target = Path(file.name).with_suffix(".html") if out is None else out
    if target.suffix.lower() not in (".html", ".htm"):
        raise CallError(f"--out {target} must end in .html. Choose another name.")
    require_writable(target, force=force)
    system = gs.formulate(gs.Model.load(file), read_coordinates(coordinates, translation, rotation))
    named = {path.name: gs.load(path) for path in runs or ()}
    gs.report(system, target, runs=named, duration=duration, walks=walks)
    if as_json:
        print_json({"file": str(file), "report": str(target)})
    else:
        typer.echo(f"Written: {target}")
