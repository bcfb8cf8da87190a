"""gyrostat simulate: the motion of a model, as a summary and in files."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gyrostat.cli.common import AsJson, CallError, Force, Initial, Inputs, ModelPath, Parameters, pairs, print_json
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates
from gyrostat.cli.integrator_option import Method, OwnStep, Tolerance, read_integrator
from gyrostat.cli.told_warnings import tell_warnings

if TYPE_CHECKING:
    from gyrostat.analysis.simulation.trajectory import Trajectory
    from gyrostat.system import System

_ENDINGS = {"--figure": (".svg", ".pdf", ".png"), "--animate": (".html", ".gif", ".mp4")}
"""What the files of pictures may be."""


def simulate(
    file: ModelPath,
    duration: Annotated[float, typer.Option(help="how long, in seconds")],
    step: Annotated[float | None, typer.Option(help="the time between outputs, in seconds")] = None,
    parameters: Parameters = None,
    initial: Initial = None,
    inputs: Inputs = None,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    integrator: Method = "dop853",
    tolerance: Tolerance = None,
    integrator_step: OwnStep = None,
    out: Annotated[Path | None, typer.Option(help="write the trajectory to this NetCDF file (.nc)")] = None,
    csv: Annotated[Path | None, typer.Option(help="write outputs over time to this text file (.csv)")] = None,
    outputs: Annotated[
        list[str] | None, typer.Option("--output", metavar="NAME", help="an output for the files, as bar.tip; again")
    ] = None,
    plot: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="an output to plot over time, as a1 or bar.tip; again")
    ] = None,
    figure: Annotated[
        Path | None, typer.Option(help="write the plot to this file (.svg, .pdf, .png); without it beside the others")
    ] = None,
    animate: Annotated[
        Path | None, typer.Option(help="write an animation: .html for any browser, .gif or .mp4")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a model from its initial values; print a summary and write what was asked for."""
    changes = {
        option: pairs(option, given)
        for option, given in {"--set": parameters, "--initial": initial, "--input": inputs}.items()
    }
    method = read_integrator(integrator, tolerance, integrator_step)
    choice = read_coordinates(coordinates, translation, rotation)
    if figure is not None and not plot:
        raise CallError(f"--figure {figure} is the file of a plot. Say what to plot: --plot a1.")
    if plot and figure is None:
        figure = (out or csv or animate or Path(file.name)).with_suffix(".svg")
    _demand_files(file, {"--out": out, "--csv": csv, "--figure": figure, "--animate": animate}, force)
    from gyrostat.model import Model
    from gyrostat.system import formulate

    system = formulate(Model.load(file), choice)
    wanted = tuple(dict.fromkeys(outputs or ()))
    _demand_outputs(system, (*wanted, *(plot or ())))
    trajectory = _run(
        system,
        duration,
        step=step,
        parameters=changes["--set"],
        initial=changes["--initial"],
        inputs=changes["--input"],
        integrator=method,
    )
    if not trajectory.status.success:
        wanted = tuple(name for name in wanted if _has_value(trajectory, name))
    if not as_json:
        typer.echo(trajectory)
    if out is not None:
        trajectory.save(out, outputs=wanted, force=force)
    if csv is not None:
        _write_csv(trajectory, wanted, csv, force)
    if plot and figure is not None:
        trajectory.plot(*plot, path=figure)
    if animate is not None:
        trajectory.animate(animate, plots=plot)
    if as_json:
        pictures = {"figure": figure, "animation": animate}
        written = {name: str(path) for name, path in pictures.items() if path is not None}
        print_json(_plain(trajectory, wanted, out, csv) | written)
    else:
        for path in filter(None, (out, csv, figure, animate)):
            typer.echo(f"Written: {path}")
    if not trajectory.status.success:
        raise typer.Exit(1)


# --- the call ---------------------------------------------------------------------------------------------------------


def _demand_files(file: Path, paths: dict[str, Path | None], force: bool) -> None:
    """Refuse files that could not be written in the end, before anything is computed."""
    from gyrostat.results.whole_file import demand_writable

    taken: dict[Path, str] = {}
    for option, path in paths.items():
        if path is None:
            continue
        if path.resolve() == file.resolve():
            raise CallError(f"{option} {path} is the model file itself. Choose another name.")
        if path.suffix.lower() not in _ENDINGS.get(option, (path.suffix.lower(),)):
            raise CallError(f"{option} {path} must end in {' or '.join(_ENDINGS[option])}. Choose another name.")
        demand_writable(path, force=force)
        if path.resolve() in taken:
            raise CallError(f"{taken[path.resolve()]} and {option} both name {path}. Choose another name for one.")
        taken[path.resolve()] = option


def _demand_outputs(system: System, names: tuple[str, ...]) -> None:
    """Refuse names that are no outputs, before anything is computed."""
    for name in names:
        _ = system.signal_table[name]


# --- the run ----------------------------------------------------------------------------------------------------------


def _run(system: System, duration: float, **settings: Any) -> Trajectory:
    """Simulate; warnings of the package become paragraphs, those that the summary has are left to it."""
    from gyrostat.analysis.simulation.simulate import simulate as run
    from gyrostat.program.warning import GyrostatWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GyrostatWarning)
        trajectory = run(system, duration, **settings)
    tell_warnings(caught, trajectory.status.notes)
    return trajectory


def _has_value(trajectory: Trajectory, name: str) -> bool:
    """Tell whether an output can be computed to the end of a failed run; say so where it cannot."""
    from gyrostat.errors import GyrostatError

    try:
        trajectory[name]
    except GyrostatError as error:
        typer.echo(f"gyrostat: Output {name!r} is left out: {error}", err=True)
        return False
    return True


def _write_csv(trajectory: Trajectory, names: tuple[str, ...], path: Path, force: bool) -> None:
    from gyrostat.results.whole_file import whole_file

    with whole_file(path, force=force) as temporary:
        trajectory.to_pandas(*names).to_csv(temporary)


def _plain(trajectory: Trajectory, names: tuple[str, ...], out: Path | None, csv: Path | None) -> dict[str, Any]:
    """Return what machines want to know; numbers that JSON does not have are null."""
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
        "file": None if out is None else str(out),
        "csv": None if csv is None else str(csv),
    }


def _numbers(value: Any) -> Any:
    return [_number(one) for one in value] if isinstance(value, list) else _number(value)


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
