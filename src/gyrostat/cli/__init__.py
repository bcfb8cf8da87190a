"""The command line: arguments, progress, exit codes; one file for each command.

Exit codes: 0 for success, 1 for a model with faults or work that failed, 2 for a file or call that cannot be read.
"""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from gyrostat import __version__
from gyrostat.cli import (
    check,
    equations,
    examples,
    export_command,
    import_command,
    linearize,
    optimize,
    report,
    scales,
    schema,
    simulate,
    studio,
    sweep,
    topology,
    verify,
    view,
)
from gyrostat.cli.common import CallError
from gyrostat.errors import GyrostatError, ModelFileError

app = typer.Typer(
    help="Multibody dynamics: check a model, print its topology and equations, simulate and view it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


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
    """Multibody dynamics: check a model, print its topology and equations, simulate and view it."""


for command in (
    check.check,
    schema.schema,
    topology.topology,
    equations.equations,
    simulate.simulate,
    linearize.linearize,
    optimize.optimize,
    sweep.sweep,
    scales.scales,
    view.view,
    report.report,
    studio.studio,
    verify.verify,
    examples.examples,
):
    app.command()(command)
app.command("import")(import_command.import_model)
app.command("export")(export_command.export_model)


def main() -> None:
    """Run the command line; errors of the package end in one paragraph and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without → or − must not end in a traceback
    try:
        app()
    except (CallError, ModelFileError) as error:
        typer.echo(f"gyrostat: {error}", err=True)
        sys.exit(2)
    except GyrostatError as error:
        typer.echo(f"gyrostat: {error}", err=True)
        sys.exit(1)
