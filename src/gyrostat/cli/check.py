"""gyrostat check: faults of a model, structural and kinematic."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import typer

import gyrostat as gs
from gyrostat.cli.common import AsJson, ModelPath, print_json
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates
from gyrostat.errors import Fault, ModelError, ModelFileError


def check(
    file: ModelPath,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    as_json: AsJson = False,
) -> None:
    """Find faults of a model, in its structure and in loops that cannot close, and print them with remedies."""
    choice = read_coordinates(coordinates, translation, rotation)
    try:
        found = gs.check(gs.Model.load(file), choice)
    except ModelError as error:
        _report_faults(file, error.faults, as_json, code=2 if isinstance(error, ModelFileError) else 1)
    if as_json:
        print_json({"file": str(file), "faults": [], "summary": found.summary, "notes": list(found.notes)})
    else:
        typer.echo(found)


def _report_faults(file: Path, faults: tuple[Fault, ...], as_json: bool, code: int) -> NoReturn:
    if as_json:
        print_json({"file": str(file), "faults": [_fault_record(fault) for fault in faults]})
    else:
        count = f"{len(faults)} fault{'' if len(faults) == 1 else 's'}"
        typer.echo(ModelError(faults, f"{file}: {count}"), err=True)
    raise typer.Exit(code)


def _fault_record(fault: Fault) -> dict[str, Any]:
    place = {"line": fault.position.line, "column": fault.position.column} if fault.position else {}
    return {"item": fault.item, "path": list(fault.path), "fact": fault.fact, "remedy": fault.remedy, **place}
