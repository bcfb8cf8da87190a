"""gyrostat equations: the exact equations of motion of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import gyrostat as gs
from gyrostat.cli.common import AsJson, ModelPath, print_json, write_text
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates
from gyrostat.errors import SizeError
from gyrostat.progress import terminal_line


def equations(
    file: ModelPath,
    form: Annotated[str, typer.Option(help="textbook, regrouped, expanded or recursive")] = "textbook",
    latex: Annotated[Path | None, typer.Option(help="write LaTeX to this .tex file instead of printing text")] = None,
    walk: Annotated[
        bool, typer.Option("--walk", help="show every quantity of the Roberson–Schwertassek method")
    ] = False,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    as_json: AsJson = False,
) -> None:
    """Print the exact equations of motion, in the model's own symbols."""
    choice = read_coordinates(coordinates, translation, rotation)
    system = gs.formulate(gs.Model.load(file), choice)
    with terminal_line() as progress:
        try:
            found: Any = system.equations(form, progress=progress)
        except SizeError as error:
            if walk:
                raise
            typer.echo(f"gyrostat: {error} The compact form follows.", err=True)
            found = system.equations("recursive")
        shown: Any = system.roberson_schwertassek() if walk else found
        tex = None if latex is None else shown.latex() + "\n"
        text = str(shown) if latex is None and not as_json else ""
        plain = _plain_equations(found) if as_json else {}
    if latex is not None and tex is not None:
        write_text(latex, tex)
    if as_json:
        print_json(plain)
    elif latex is None:
        typer.echo(text)


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
