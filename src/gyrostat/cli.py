"""The command line: arguments, progress, exit codes.

Exit codes: 0 for success, 1 for a model with faults or work that failed, 2 for a file or call that cannot be read.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from gyrostat import __version__
from gyrostat.errors import Fault, GyrostatError, ModelError, ModelFileError, SizeError

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
    with _progress_line() as progress:
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
        _write_text(latex, tex)
    if as_json:
        _print_json(plain)
    elif latex is None:
        typer.echo(text)


def _plain_equations(found: Any) -> dict[str, Any]:
    return {
        "accelerations": [str(symbol) for symbol in found.accelerations],
        "mass_matrix": [[str(entry) for entry in row] for row in found.mass_matrix.tolist()],
        "forcing": [str(entry) for entry in found.forcing],
        "constants": {str(symbol): str(meaning) for symbol, meaning in found.constants.items()},
    }


@contextmanager
def _progress_line() -> Iterator[Callable[[object], None] | None]:
    """Show on a terminal how far long work is; give None where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("deriving …") as status:
        yield lambda progress: status.update(str(progress))


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
