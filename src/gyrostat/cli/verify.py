"""gyrostat verify: comparison of a result file or the store of a sweep with its digests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gyrostat.cli.common import AsJson, print_json
from gyrostat.errors import ResultFileError
from gyrostat.lazy import later
from gyrostat.model.names import counted

if TYPE_CHECKING:
    from gyrostat.analysis.sweeps import inspection, record
    from gyrostat.results import sealed_file
else:
    inspection, record = later("gyrostat.analysis.sweeps", "inspection", "record")
    (sealed_file,) = later("gyrostat.results", "sealed_file")

_FAULT_LIMIT = 20
"""Number of faults that are printed as text."""


def verify(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="a result file, .nc, or the store of a sweep, .zarr")],
    as_json: AsJson = False,
) -> None:
    """Compare a result file or the store of a sweep with its digests; damage ends with code 1."""
    kind = "store" if path.is_dir() else "result"
    try:
        found, text = _verify_store(path) if kind == "store" else _verify_file(path)
    except ResultFileError as error:
        if not as_json:
            raise
        found, text = {"faults": [{"fact": str(error)}]}, ""
    whole = not found["faults"]
    if as_json:
        print_json({"path": str(path), "kind": kind, "whole": whole, **found})
    else:
        typer.echo(text, err=not whole)
    if not whole:
        raise typer.Exit(1)


def _verify_file(path: Path) -> tuple[dict[str, Any], str]:
    """Return the findings on a result file as plain data and as text."""
    sealed_file.read_sealed(path)
    return {"faults": []}, f"{path}: the file agrees with its digest."


def _verify_store(path: Path) -> tuple[dict[str, Any], str]:
    """Return the findings on a store as plain data and as text."""
    found = inspection.inspect(path)
    if not found.faults:
        record.SweepRecord.read(path)
    done, unsealed = found.points(found.whole), found.points(found.unsealed)
    damaged = found.points(found.damaged)
    faults = [
        {"block": one.block, "variable": one.variable, "file": one.file, "fact": f"{one.file} {one.fact}"}
        for one in found.faults
    ]
    plain = {"points": found.size, "complete": done, "damaged": damaged, "without_digest": unsealed, "faults": faults}
    state = f"{done} of {counted(found.size, 'point', 'points')} complete"
    if not found.faults:
        lines = [f"{path}: the store agrees with its digests, {state}."]
        if unsealed:
            lines.append(f"  {counted(unsealed, 'point was', 'points were')} written by version 0.1.0 without digests.")
        return plain, "\n".join(lines)
    lines = [f"gyrostat: {path} is damaged, {state}, {damaged} damaged:"]
    lines += [f"  {one}" for one in found.faults[:_FAULT_LIMIT]]
    lines += [f"  … {len(faults) - _FAULT_LIMIT} more: --json"] if len(faults) > _FAULT_LIMIT else []
    if any(one.block is None for one in found.faults):
        lines.append("Take another copy of it, or delete it and sweep again.")
    else:
        lines.append("Run the damaged points again with resume=True (--resume), or take another copy of it.")
    return plain, "\n".join(lines)
