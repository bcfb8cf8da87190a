"""gyrostat topology: tree, loops and mobility of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gyrostat.cli.common import AsJson, ModelPath, print_json


def topology(
    file: ModelPath,
    draw: Annotated[Path | None, typer.Option(help="write a drawing of the graph to this .svg file")] = None,
    cut: Annotated[list[str] | None, typer.Option(help="a joint that must be a chord; may be given again")] = None,
    as_json: AsJson = False,
) -> None:
    """Print bodies, joints, spanning tree, loops and mobility of a model; draw its graph."""
    from gyrostat.model import Model
    from gyrostat.topology import Topology

    found = Topology.of(Model.load(file), cut=cut or ())
    if draw is not None:
        found.draw(draw)
    if as_json:
        loops = {chord: [[step.name, step.direction] for step in loop] for chord, loop in found.loops.items()}
        mobility = {"spatial": found.mobility.spatial, "planar": found.mobility.planar}
        print_json({"arcs": found.arcs, "chords": found.chords, "loops": loops, "mobility": mobility})
    else:
        typer.echo(found)
