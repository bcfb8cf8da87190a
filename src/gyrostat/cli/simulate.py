"""gyrostat simulate: the motion of a model, as a summary and in files."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

import gyrostat as gs
from gyrostat.cli.common import (
    AsJson,
    CallError,
    Force,
    Initial,
    Inputs,
    ModelPath,
    MostSeconds,
    MostSteps,
    Parameters,
    Texts,
    pairs,
    print_json,
)
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates
from gyrostat.cli.integrator_option import Method, OwnStep, Tolerance, read_integrator
from gyrostat.cli.package_warnings import print_warnings
from gyrostat.lazy import later
from gyrostat.program.warning import GyrostatWarning
from gyrostat.results.whole_file import require_writable, whole_file

if TYPE_CHECKING:
    from gyrostat.analysis.simulation import outputs as computed
    from gyrostat.model import names as item_names
else:
    (computed,) = later("gyrostat.analysis.simulation", "outputs")
    (item_names,) = later("gyrostat.model", "names")

_ENDINGS = {"--figure": (".svg", ".pdf", ".png"), "--animate": (".html", ".gif", ".mp4")}
"""Endings of the files of pictures."""


Duration = Annotated[float, typer.Option(help="how long, in seconds")]
Step = Annotated[float | None, typer.Option(help="the time between outputs, in seconds")]
Out = Annotated[Path | None, typer.Option(help="write the trajectory to this NetCDF file (.nc)")]
Csv = Annotated[Path | None, typer.Option(help="write outputs over time to this text file (.csv)")]
Wanted = Annotated[Texts, typer.Option("--output", metavar="NAME", help="an output for the files, as bar.tip; again")]
Plotted = Annotated[Texts, typer.Option(metavar="NAME", help="an output to plot over time, as a1 or bar.tip; again")]
Figure = Annotated[
    Path | None, typer.Option(help="write the plot to this file (.svg, .pdf, .png); without it beside the others")
]
Animation = Annotated[Path | None, typer.Option(help="write an animation: .html for any browser, .gif or .mp4")]


class Files(NamedTuple):
    """The files that a call requests."""

    out: Path | None
    csv: Path | None
    figure: Path | None
    animation: Path | None


def simulate(
    file: ModelPath,
    duration: Duration,
    step: Step = None,
    parameters: Parameters = None,
    initial: Initial = None,
    inputs: Inputs = None,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    integrator: Method = "dop853",
    tolerance: Tolerance = None,
    integrator_step: OwnStep = None,
    most_steps: MostSteps = None,
    most_seconds: MostSeconds = None,
    out: Out = None,
    csv: Csv = None,
    outputs: Wanted = None,
    plot: Plotted = None,
    figure: Figure = None,
    animate: Animation = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a model from its initial values; print a summary and write the requested files."""
    settings = {
        "step": step,
        "parameters": pairs("--set", parameters),
        "initial": pairs("--initial", initial),
        "inputs": pairs("--input", inputs),
        "integrator": read_integrator(integrator, tolerance, integrator_step),
        "most_steps": most_steps,
        "most_seconds": most_seconds,
    }
    choice = read_coordinates(coordinates, translation, rotation)
    if figure is not None and not plot:
        raise CallError(f"--figure {figure} is the file of a plot. Say what to plot: --plot a1.")
    if plot and figure is None:
        figure = (out or csv or animate or Path(file.name)).with_suffix(".svg")
    files = Files(out, csv, figure, animate)
    _require_files(file, files, force)
    system = gs.formulate(gs.Model.load(file), choice)
    wanted = tuple(dict.fromkeys(outputs or ()))
    _require_outputs(system, (*wanted, *(plot or ())))
    trajectory = _run(system, duration, settings)
    if not trajectory.status.success:
        wanted = tuple(name for name in wanted if _has_value(trajectory, name))
    if not as_json:
        typer.echo(trajectory)
    _write(trajectory, files, wanted, plot or (), force)
    if as_json:
        print_json(_plain(trajectory, wanted, files))
    else:
        for path in filter(None, files):
            typer.echo(f"Written: {path}")
    if not trajectory.status.success:
        raise typer.Exit(1)


# --- arguments --------------------------------------------------------------------------------------------------------


def _require_files(file: Path, files: Files, force: bool) -> None:
    """Refuse files that cannot be written, before anything is computed."""
    taken: dict[Path, str] = {}
    for option, path in zip(("--out", "--csv", "--figure", "--animate"), files, strict=True):
        if path is None:
            continue
        if path.resolve() == file.resolve():
            raise CallError(f"{option} {path} is the model file itself. Choose another name.")
        if path.suffix.lower() not in _ENDINGS.get(option, (path.suffix.lower(),)):
            raise CallError(f"{option} {path} must end in {' or '.join(_ENDINGS[option])}. Choose another name.")
        require_writable(path, force=force)
        if path.resolve() in taken:
            raise CallError(f"{taken[path.resolve()]} and {option} both name {path}. Choose another name for one.")
        taken[path.resolve()] = option


def _require_outputs(system: gs.System, names: tuple[str, ...]) -> None:
    """Refuse names that are no outputs, before anything is computed."""
    for name in names:
        _ = system.signal_table[name]


# --- the run ----------------------------------------------------------------------------------------------------------


def _run(system: gs.System, duration: float, settings: dict[str, Any]) -> gs.Trajectory:
    """Simulate; warnings of the package become paragraphs, except those that the summary has."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GyrostatWarning)
        trajectory = gs.simulate(system, duration, **settings)
    print_warnings(caught, trajectory.status.notes)
    return trajectory


def _has_value(trajectory: gs.Trajectory, name: str) -> bool:
    """Return whether an output can be computed to the end of a failed run; print the reason if not."""
    try:
        trajectory[name]
    except gs.GyrostatError as error:
        typer.echo(f"gyrostat: Output {name!r} is left out: {error}", err=True)
        return False
    return True


def _write(trajectory: gs.Trajectory, files: Files, outputs: tuple[str, ...], plot: Sequence[str], force: bool) -> None:
    """Write the requested files."""
    if files.out is not None:
        trajectory.save(files.out, outputs=outputs, force=force)
    if files.csv is not None:
        with whole_file(files.csv, force=force) as temporary:
            trajectory.to_pandas(*outputs).to_csv(temporary)
    if files.figure is not None:
        trajectory.plot(*plot, path=files.figure)
    if files.animation is not None:
        trajectory.animate(files.animation, plots=plot or None)


def _plain(trajectory: gs.Trajectory, names: tuple[str, ...], files: Files) -> dict[str, Any]:
    """Return the results as plain data for JSON; numbers that are not finite are null."""
    status = trajectory.status
    return {
        "model": trajectory.system.model.name,
        "status": {
            "outcome": status.outcome.name.lower(),
            "success": status.success,
            "time": status.time,
            "message": status.message,
            "notes": list(status.notes),
            "steps": status.steps,
            "rejected": status.rejected,
            "evaluations": status.evaluations,
            "seconds": status.seconds,
        },
        "outputs": len(trajectory.time),
        "state": {name: _number(value) for name, value in trajectory.state.items()},
        "values": {name: _numbers(trajectory[name].values[-1].tolist()) for name in names},
        "events": [{"event": one.event, "time": one.time, "direction": one.direction} for one in trajectory.events],
        "file": None if files.out is None else str(files.out),
        "csv": None if files.csv is None else str(files.csv),
        **{name: str(path) for name in ("figure", "animation") if (path := getattr(files, name)) is not None},
    }


def _numbers(value: Any) -> Any:
    return [_number(one) for one in value] if isinstance(value, list) else _number(value)


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
