"""gyrostat view: a trajectory from a file as an animation in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import gyrostat as gs
from gyrostat.cli.common import AsJson, CallError, print_json
from gyrostat.results.whole_file import require_writable

_ENDINGS = (".html", ".gif", ".mp4")


def view(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a trajectory, .nc, as gyrostat simulate --out writes")],
    out: Annotated[
        Path | None, typer.Option(help="the animation to write (.html, .gif, .mp4); without it beside the file")
    ] = None,
    paths: Annotated[
        list[str] | None, typer.Option("--path", metavar="NAME", help="a body or point whose path is drawn; again")
    ] = None,
    plots: Annotated[
        list[str] | None, typer.Option("--plot", metavar="NAME", help="an output that is plotted beside; again")
    ] = None,
    open_it: Annotated[bool, typer.Option("--open/--no-open", help="open the animation when it is written")] = True,
    as_json: AsJson = False,
) -> None:
    """Write a trajectory's animation and open it; an older animation is replaced."""
    target = file.with_suffix(".html") if out is None else out
    if target.suffix.lower() not in _ENDINGS:
        raise CallError(f"--out {target} must end in {' or '.join(_ENDINGS)}. Choose another name.")
    require_writable(target, force=True)
    trajectory = gs.load(file)
    trajectory.animate(target, paths=paths or (), plots=plots)
    if as_json:
        print_json({"file": str(file), "animation": str(target)})
    else:
        typer.echo(f"Written: {target}")
    if open_it and not as_json and typer.launch(str(target.resolve())) != 0:
        typer.echo(f"gyrostat: no program was found to open it. Open {target} in a browser.", err=True)
