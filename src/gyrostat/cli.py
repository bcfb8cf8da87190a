"""The command line: arguments, progress, exit codes.

Exit codes: 0 for success, 1 for a model with faults or work that failed, 2 for a file or call that cannot be read.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from gyrostat import __version__
from gyrostat.errors import Fault, GyrostatError, ModelError, ModelFileError

app = typer.Typer(
    help="Multibody dynamics: check a model, print its topology, draw its graph.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

ModelPath = Annotated[Path, typer.Argument(metavar="FILE", help="a model file, .yaml or .json")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON for machines")]


def _version(show: bool) -> None:
    if show:
        typer.echo(f"gyrostat {__version__}")
        raise typer.Exit


@app.callback()
def _gyrostat(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    """Multibody dynamics: check a model, print its topology, draw its graph."""


@app.command()
def check(file: ModelPath, as_json: AsJson = False) -> None:
    """Look for structural faults in a model and name all of them, with remedies."""
    from gyrostat.model import Model

    try:
        found = Model.load(file).check()
    except ModelError as error:
        _report_faults(file, error.faults, as_json, code=2 if isinstance(error, ModelFileError) else 1)
    if as_json:
        _print_json({"file": str(file), "faults": [], "summary": found.summary, "notes": list(found.notes)})
    else:
        typer.echo(found)


@app.command()
def schema() -> None:
    """Print the JSON Schema of model files, for editors that complete and check as you type."""
    from gyrostat.model.model_file import model_schema

    _print_json(model_schema())


@app.command()
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
        _print_json({"arcs": found.arcs, "chords": found.chords, "loops": loops, "mobility": mobility})
    else:
        typer.echo(found)


@app.command()
def equations(
    file: ModelPath,
    form: Annotated[str, typer.Option(help="textbook, regrouped, expanded or recursive")] = "textbook",
    latex: Annotated[Path | None, typer.Option(help="write LaTeX to this .tex file instead of printing text")] = None,
    walk: Annotated[
        bool, typer.Option("--walk", help="show every quantity of the Roberson–Schwertassek method")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print the exact equations of motion, in the model's own symbols."""
    from gyrostat.model import Model
    from gyrostat.pipeline import formulate

    system = formulate(Model.load(file))
    found: Any = system.recursive_equations() if form == "recursive" else system.equations(form)
    shown: Any = system.roberson_schwertassek() if walk else found
    if latex is not None:
        _write_text(latex, shown.latex() + "\n")
    if as_json:
        accelerations = [str(symbol) for symbol in found.accelerations]
        rows = [[str(entry) for entry in row] for row in found.mass_matrix.tolist()]
        forcing = [str(entry) for entry in found.forcing]
        named = dict(found.replacements) if form == "recursive" else found.constants
        constants = {str(symbol): str(meaning) for symbol, meaning in named.items()}
        _print_json({"accelerations": accelerations, "mass_matrix": rows, "forcing": forcing, "constants": constants})
    elif latex is None:
        typer.echo(shown)


def _write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise GyrostatError(
            f"{path} cannot be written: {error.strerror}. Check the folder and its permissions."
        ) from None


def _report_faults(file: Path, faults: tuple[Fault, ...], as_json: bool, code: int) -> NoReturn:
    if as_json:
        _print_json({"file": str(file), "faults": [_fault_record(fault) for fault in faults]})
    else:
        count = f"{len(faults)} fault{'' if len(faults) == 1 else 's'}"
        typer.echo(ModelError(faults, f"{file}: {count}"), err=True)
    raise typer.Exit(code)


def _fault_record(fault: Fault) -> dict[str, Any]:
    place = {"line": fault.position.line, "column": fault.position.column} if fault.position else {}
    return {"item": fault.item, "path": list(fault.path), "fact": fault.fact, "remedy": fault.remedy, **place}


def _print_json(data: Any) -> None:
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


def main() -> None:
    """Run the command line; errors of the package end in one paragraph and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without → or − must not end in a traceback
    try:
        app()
    except ModelFileError as error:
        typer.echo(f"gyrostat: {error}", err=True)
        sys.exit(2)
    except GyrostatError as error:
        typer.echo(f"gyrostat: {error}", err=True)
        sys.exit(1)
