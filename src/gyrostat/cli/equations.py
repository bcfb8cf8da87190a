"""gyrostat equations: the exact equations of motion of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import gyrostat as gs
from gyrostat.cli.common import AsJson, ModelPath, print_json, write_text
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates
from gyrostat.errors import SizeError, StateError
from gyrostat.model.names import did_you_mean
from gyrostat.progress import terminal_line

METHODS = {
    "roberson-schwertassek": "roberson_schwertassek",
    "velocity-transformation": "velocity_transformation",
    "absolute": "absolute_method",
    "graph": "graph_method",
}
"""Founding methods by their names on the command line, and the methods of a system that show them."""


def equations(
    file: ModelPath,
    form: Annotated[str, typer.Option(help="textbook, regrouped, expanded or recursive")] = "textbook",
    latex: Annotated[Path | None, typer.Option(help="write LaTeX to this .tex file instead of printing text")] = None,
    walk: Annotated[
        bool, typer.Option("--walk", help="show every quantity of the Roberson–Schwertassek method")
    ] = False,
    method: Annotated[
        str | None, typer.Option(help=f"show every quantity of a founding method: {', '.join(METHODS)}")
    ] = None,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    as_json: AsJson = False,
) -> None:
    """Print the exact equations of motion, in the model's own symbols."""
    choice = read_coordinates(coordinates, translation, rotation)
    chosen = _method(method, walk=walk)
    system = gs.formulate(gs.Model.load(file), choice)
    with terminal_line() as progress:
        try:
            found: Any = system.equations(form, progress=progress)
            if not chosen:
                _ = found.forcing  # derived here, so that expressions which are too long are refused here
        except SizeError as error:
            if chosen:
                raise
            typer.echo(f"gyrostat: {error} The compact form follows.", err=True)
            found = system.equations("recursive")
        shown: Any = getattr(system, METHODS[chosen])() if chosen else found
        tex = None if latex is None else shown.latex() + "\n"
        text = str(shown) if latex is None and not as_json else ""
        plain = _plain_equations(found) if as_json else {}
    if latex is not None and tex is not None:
        write_text(latex, tex)
    if as_json:
        print_json(plain)
    elif latex is None:
        typer.echo(text)


def _method(name: str | None, *, walk: bool) -> str | None:
    """Return the method asked for, of those that exist."""
    if name is not None and name not in METHODS:
        raise StateError(f"There is no method {name!r}. {did_you_mean(name, METHODS)}")
    return name or ("roberson-schwertassek" if walk else None)


def _plain_equations(found: Any) -> dict[str, Any]:
    return {
        "accelerations": [str(symbol) for symbol in found.accelerations],
        "mass_matrix": [[str(entry) for entry in row] for row in found.mass_matrix.tolist()],
        "forcing": [str(entry) for entry in found.forcing],
        **(_plain_constraints(found) if found.constrained else {}),
        "constants": {str(symbol): str(meaning) for symbol, meaning in found.constants.items()},
    }


def _plain_constraints(found: Any) -> dict[str, Any]:
    """Return the rows of M u̇ = forcing + Aᵀ λ, A u̇ = γ."""
    return {
        "constraint_names": list(found.constraint_names),
        "constraint_matrix": [[str(entry) for entry in row] for row in found.constraint_matrix.tolist()],
        "constraint_rates": [str(entry) for entry in found.constraint_rates],
        "constraints": [str(entry) for entry in found.constraints],
    }
