"""gyrostat topology: tree, loops and mobility of a model, and the trees of a choice of coordinates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import gyrostat as gs
from gyrostat.cli.common import AsJson, ModelPath, print_json
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates


def topology(
    file: ModelPath,
    draw: Annotated[Path | None, typer.Option(help="write a drawing of the graph to this .svg file")] = None,
    opened: Annotated[
        list[str] | None, typer.Option("--open", help="a subsystem whose bodies are drawn; may be given again")
    ] = None,
    cut: Annotated[list[str] | None, typer.Option(help="a joint that must be a chord; may be given again")] = None,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="compare what the choices of coordinates cost, and recommend one")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print bodies, joints, spanning tree, loops and mobility of a model; draw its graph.

    With a choice of coordinates also its trees of positions and orientations, which the drawing has in their colours.
    """
    choice = read_coordinates(coordinates, translation, rotation)
    model, system = gs.Model.load(file), None
    if (coordinates, translation) == (None, None):
        found = gs.Topology.of(model, cut=cut or ())
    else:
        system = gs.formulate(model, choice, cut=cut or ())
        found = system.topology
    if draw is not None and system is not None:
        system.draw_trees(draw)
    elif draw is not None:
        found.draw(draw, opened=opened or ())
    compared = gs.compare_coordinates(found.model) if compare else None
    if as_json:
        loops = {chord: [[step.name, step.direction] for step in loop] for chord, loop in found.loops.items()}
        mobility = {"spatial": found.mobility.spatial, "planar": found.mobility.planar}
        plain = {"arcs": found.arcs, "chords": found.chords, "loops": loops, "mobility": mobility}
        print_json({**plain, **_plain_trees(system), **_plain_comparison(compared)})
    else:
        typer.echo(found if system is None else f"{found}\n{_trees_text(system)}")
        if compared is not None:
            typer.echo(compared)


def _plain_comparison(compared: gs.CoordinateComparison | None) -> dict[str, Any]:
    if compared is None:
        return {}
    choices = [
        {
            "coordinates": one.choice,
            "q": one.coordinates,
            "u": one.speeds,
            "constraints": one.constraints,
            **({"fault": one.fault} if one.fault else {"operations": one.operations, "condition": one.condition}),
        }
        for one in compared
    ]
    return {"choices": choices, "recommended": compared.recommended, "reason": compared.reason}


def _plain_trees(system: gs.System | None) -> dict[str, Any]:
    if system is None:
        return {}
    trees = system.chosen_trees
    return {
        "translation": trees.translation,
        "rotation": trees.rotation,
        "coordinates": system.coordinate_names,
        "speeds": system.speed_names,
        **({"states": system.state_names} if system.state_names else {}),
        "constraints": [row.name for row in system.constraints],
    }


def _trees_text(system: gs.System) -> str:
    trees = system.chosen_trees
    return (
        f"Tree of positions: {', '.join(trees.translation)}\n"
        f"Tree of orientations: {', '.join(trees.rotation)}\n{system}"
    )
