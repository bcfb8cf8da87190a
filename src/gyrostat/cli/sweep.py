"""gyrostat sweep: a simulation at many points of parameters, initial values and inputs."""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import gyrostat as gs
from gyrostat.cli.common import (
    AsJson,
    CallError,
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

if TYPE_CHECKING:
    from gyrostat.analysis.sweeps import folder_store, inspection
    from gyrostat.model import formula as formulas
else:
    folder_store, inspection = later("gyrostat.analysis.sweeps", "folder_store", "inspection")
    (formulas,) = later("gyrostat.model", "formula")

_DISTRIBUTION = re.compile(r"(uniform|normal|loguniform)\((.+),(.+)\)")
_FAILURE_LIMIT = 20


Over = Annotated[
    list[str],
    typer.Option(
        metavar="NAME=VALUES", help="first:last:count, a list as 0.5,1,2, or uniform(0.8,1.2); may be given again"
    ),
]
Store = Annotated[Path, typer.Option(metavar="STORE", help="the folder for the results (.zarr)")]
Duration = Annotated[float, typer.Option(help="how long each simulation is, in seconds")]
Step = Annotated[float | None, typer.Option(help="the time between outputs, in seconds")]
Outputs = Annotated[
    Texts,
    typer.Option("--output", metavar="NAME", help="a1, last(a1), maximum(bar.tip.y), mean, rms, time(event); again"),
]
Points = Annotated[
    str | None, typer.Option(metavar="DESIGN", help="samples of distributions: latin:1000, sobol:1024, saltelli:512")
]
Stops = Annotated[
    Texts, typer.Option("--stop", metavar="NAME=FORMULA", help="an event that ends a run where this is zero; again")
]
Workers = Annotated[int | None, typer.Option(help="number of processes; by default as many as the work justifies")]
Scheduler = Annotated[str | None, typer.Option(metavar="ADDRESS", help="run on a Dask cluster, as tcp://host:8786")]
Resume = Annotated[bool, typer.Option("--resume", help="resume an interrupted sweep")]
Plotted = Annotated[Texts, typer.Option(metavar="NAME", help="a variable to plot; again")]
Figure = Annotated[Path | None, typer.Option(help="write the plot to this file (.svg, .pdf, .png)")]
Logarithm = Annotated[bool, typer.Option("--log", help="plot the logarithm")]


def sweep(
    file: ModelPath,
    over: Over,
    out: Store,
    duration: Duration = 10.0,
    step: Step = None,
    outputs: Outputs = None,
    points: Points = None,
    parameters: Parameters = None,
    initial: Initial = None,
    inputs: Inputs = None,
    stops: Stops = None,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    integrator: Method = "dop853",
    tolerance: Tolerance = None,
    integrator_step: OwnStep = None,
    most_steps: MostSteps = None,
    most_seconds: MostSeconds = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    resume: Resume = False,
    plot: Plotted = None,
    figure: Figure = None,
    log: Logarithm = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a model at many points; results stream into a folder and an interrupted sweep can be resumed."""
    values = {name: _values(name, text) for name, text in pairs("--over", over).items()}
    analysis = gs.Simulation(
        duration,
        step=step,
        parameters=pairs("--set", parameters),
        initial=pairs("--initial", initial),
        inputs=pairs("--input", inputs),
        events=_events(pairs("--stop", stops)),
        integrator=read_integrator(integrator, tolerance, integrator_step),
        outputs=tuple(dict.fromkeys(outputs or ())),
        most_steps=most_steps,
        most_seconds=most_seconds,
    )
    execution = {"points": _design(points), "store": out, "resume": resume, "workers": workers, "scheduler": scheduler}
    choice = read_coordinates(coordinates, translation, rotation)
    figure = _figure_file(plot, figure, out)
    found = _run(gs.formulate(gs.Model.load(file), choice), values, analysis, execution)
    if figure is not None:
        found.plot(*(plot or ()), path=figure, log=log)
    if as_json:
        print_json(_plain(found, out, figure))
    else:
        typer.echo(found)
        for path in filter(None, (out, figure)):
            typer.echo(f"Written: {path}")
    if not found.complete:
        raise typer.Exit(1)


# --- arguments --------------------------------------------------------------------------------------------------------


def _figure_file(plot: Texts, figure: Path | None, out: Path) -> Path | None:
    """Return the file of the plot; None where nothing is plotted."""
    if figure is not None and not plot:
        raise CallError(f"--figure {figure} is the file of a plot. Say what to plot: --plot 'last(a1)'.")
    return out.with_suffix(".png") if plot and figure is None else figure


def _values(name: str, text: str) -> Any:
    """Return values from a text: a range with its count, a list, or a distribution."""
    import numpy as np

    found = _DISTRIBUTION.fullmatch(text)
    if found is not None:
        return getattr(gs, found[1])(_number(name, found[2]), _number(name, found[3]))
    if text.count(":") == 2:
        first, last, count = (part.strip() for part in text.split(":"))
        if not count.isdecimal() or int(count) < 1:
            raise CallError(
                f"--over {name}={text}: {count!r} is no count of values. Write first:last:count, as 1:10:50."
            )
        return np.linspace(_number(name, first), _number(name, last), int(count))
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise CallError(f"--over {name}={text} cannot be read. Write {name}=1:10:50, {name}=1,2,3 or uniform(1,2).")
    return parts


def _number(name: str, text: str) -> float:
    """Return the value of a number or formula without names, such as -180*deg."""
    try:
        formula = formulas.Formula.of(text.strip())
        if not formula.names:
            return float(formula.value())
    except (gs.FormulaError, ArithmeticError, ValueError):
        pass
    raise CallError(f"--over {name}: {text.strip()!r} is no number. Write {name}=1:10:50, or with pi and deg.")


def _design(text: str | None) -> gs.Design | None:
    """Return the design that a text such as latin:1000 names."""
    if text is None:
        return None
    kinds = {"latin": gs.LatinHypercube, "sobol": gs.SobolSequence, "saltelli": gs.Saltelli}
    kind, _, count = text.partition(":")
    if kind not in kinds or not count.isdecimal():
        raise CallError(f"--points {text!r} cannot be read. Write latin:1000, sobol:1024 or saltelli:512.")
    return kinds[kind](int(count))


def _events(stops: dict[str, str]) -> tuple[gs.Event, ...]:
    return tuple(gs.Event(name, formula, action=gs.Stop()) for name, formula in stops.items())


# --- the sweep --------------------------------------------------------------------------------------------------------


def _run(system: gs.System, values: dict[str, Any], analysis: gs.Simulation, execution: dict[str, Any]) -> gs.Sweep:
    """Sweep; warnings of the package become paragraphs."""
    out = execution["store"]
    if execution["resume"] and folder_store.is_store(out):
        before = inspection.inspect(out)
        there = before.points(before.whole)
        typer.echo(f"gyrostat: {out} has {there} of {before.size} points; these are not run again.", err=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GyrostatWarning)
        note = ""
        try:
            found = gs.sweep(system, values, analysis, **execution)
        except KeyboardInterrupt as error:
            if not hasattr(error, "sweep"):  # before the first point
                raise
            found, note = error.sweep, error.__notes__[-1]
    print_warnings(caught)
    if note:
        typer.echo(f"gyrostat: {note}", err=True)
    sys.stderr.flush()
    return found


def _plain(found: gs.Sweep, out: Path, figure: Path | None) -> dict[str, Any]:
    """Return the results as plain data for JSON."""
    return {
        "model": found.title,
        "over": {axis.dim: axis.size for axis in found.plan.axes},
        "points": found.plan.size,
        **{one.name.lower(): found.count(one) for one in gs.PointStatus},
        "reused": found.reused,
        "seconds": found.seconds,
        "variables": found.names,
        "failures": [
            {"point": one.number, "values": dict(one.values), "reason": one.reason}
            for one in found.failures[:_FAILURE_LIMIT]
        ],
        "store": str(out),
        "figure": None if figure is None else str(figure),
    }
