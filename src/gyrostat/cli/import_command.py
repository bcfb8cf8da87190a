"""gyrostat import: a model file from a file of another format."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated

import typer

import gyrostat as gs
from gyrostat.cli.common import CallError, Force
from gyrostat.cli.package_warnings import print_warnings
from gyrostat.results.whole_file import require_writable

_ROBOTS = (".urdf", ".sdf", ".world", ".xml")
"""The suffixes of URDF, SDF and MuJoCo's models."""
_NETLISTS = (".cir", ".ckt", ".net", ".sp", ".spice")
"""The suffixes of SPICE netlists."""


def import_model(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="a robot, .urdf, .sdf or .xml (MuJoCo), or a SPICE netlist, .cir"),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="the model file to write, .yaml or .json")],
    floating: Annotated[bool, typer.Option("--floating", help="let the root link move freely")] = False,
    inertia: Annotated[str, typer.Option(help="inertias that no body can have: warn, repair or refuse")] = "warn",
    massless: Annotated[str, typer.Option(help="moving links without inertia: refuse or lock")] = "refuse",
    friction_speed: Annotated[
        float | None, typer.Option(help="speed over which dry friction changes its sign; without it, none is imported")
    ] = None,
    unsupported: Annotated[
        str, typer.Option(help="of MuJoCo's models: refuse or leave out parts without a counterpart")
    ] = "refuse",
    force: Force = False,
) -> None:
    """Write a model file from a file of another format: a robot in URDF, SDF or MJCF, or a SPICE netlist."""
    suffix = file.suffix.lower()
    if suffix not in (*_ROBOTS, *_NETLISTS):
        raise CallError(f"{file}: the suffix {file.suffix!r} is not known. Use {', '.join((*_ROBOTS, *_NETLISTS))}.")
    require_writable(out, force=force)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if suffix in _NETLISTS:
            model = gs.load_spice(file)
        elif suffix == ".xml":
            model = gs.load_mjcf(file, friction_speed=friction_speed, unsupported=unsupported)
        elif suffix in (".sdf", ".world"):
            model = gs.load_sdf(file, inertia=inertia, friction_speed=friction_speed)
        else:
            model = gs.load_urdf(
                file, floating=floating, inertia=inertia, massless=massless, friction_speed=friction_speed
            )
    print_warnings(caught)
    model.save(out)
    typer.echo(f"{model}\nWritten: {out}")
