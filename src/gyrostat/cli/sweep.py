"""gyrostat sweep: a simulation at many points of parameters, initial values and inputs."""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gyrostat.cli.common import AsJson, CallError, Initial, Inputs, ModelPath, Parameters, Texts, pairs, print_json
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates
from gyrostat.cli.integrator_option import Method, OwnStep, Tolerance, read_integrator
from gyrostat.cli.told_warnings import tell_warnings

if TYPE_CHECKING:
    from gyrostat.analysis.events import Event
    from gyrostat.analysis.sweeps import Design, Sweep

_DISTRIBUTION = re.compile(r"(uniform|normal|loguniform)\((.+),(.+)\)")
_SHOWN_FAILURES = 20


def sweep(
    file: ModelPath,
    over: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=VALUES", help="first:last:count, a list as 0.5,1,2, or uniform(0.8,1.2); may be given again"
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="STORE", help="the folder for the results (.zarr)")],
    duration: Annotated[float, typer.Option(help="how long each simulation is, in seconds")] = 10.0,
    step: Annotated[float | None, typer.Option(help="the time between outputs, in seconds")] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option(
            "--output", metavar="NAME", help="a1, last(a1), maximum(bar.tip.y), mean, rms, time(event); again"
        ),
    ] = None,
    points: Annotated[
        str | None,
        typer.Option(metavar="DESIGN", help="samples of distributions: latin:1000, sobol:1024, saltelli:512"),
    ] = None,
    parameters: Parameters = None,
    initial: Initial = None,
    inputs: Inputs = None,
    stops: Annotated[
        Texts,
        typer.Option("--stop", metavar="NAME=FORMULA", help="an event that ends a run where this is zero; again"),
    ] = None,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    integrator: Method = "dop853",
    tolerance: Tolerance = None,
    integrator_step: OwnStep = None,
    workers: Annotated[
        int | None, typer.Option(help="how many processes; without it as many as there is use for")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="run on a Dask cluster, as tcp://host:8786")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with a sweep that was interrupted")] = False,
    plot: Annotated[list[str] | None, typer.Option(metavar="NAME", help="a variable to plot; again")] = None,
    figure: Annotated[Path | None, typer.Option(help="write the plot to this file (.svg, .pdf, .png)")] = None,
    log: Annotated[bool, typer.Option("--log", help="plot the logarithm")] = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a model at many points; results stream into a folder and an interrupted sweep can be resumed."""
    values = {name: _values(name, text) for name, text in pairs("--over", over).items()}
    settings = {
        option: pairs(option, given)
        for option, given in {"--set": parameters, "--initial": initial, "--input": inputs, "--stop": stops}.items()
    }
    method, design = read_integrator(integrator, tolerance, integrator_step), _design(points)
    choice = read_coordinates(coordinates, translation, rotation)
    if plot and figure is None:
        figure = out.with_suffix(".png")
    if figure is not None and not plot:
        raise CallError(f"--figure {figure} is the file of a plot. Say what to plot: --plot 'last(a1)'.")
    from gyrostat.analysis.sweeps import Simulation
    from gyrostat.model import Model
    from gyrostat.system import formulate

    analysis = Simulation(
        duration,
        step=step,
        outputs=tuple(dict.fromkeys(outputs or ())),
        initial=settings["--initial"],
        inputs=settings["--input"],
        parameters=settings["--set"],
        integrator=method,
        events=_events(settings["--stop"]),
    )
    found = _run(formulate(Model.load(file), choice), values, analysis, design, out, resume, workers, scheduler)
    written = None
    if plot and figure is not None:
        found.plot(*plot, path=figure, log=log)
        written = figure
    if as_json:
        print_json(_plain(found, out, written))
    else:
        typer.echo(found)
        for path in filter(None, (out, written)):
            typer.echo(f"Written: {path}")
    if not found.complete:
        raise typer.Exit(1)


# --- the call ---------------------------------------------------------------------------------------------------------


def _values(name: str, text: str) -> Any:
    """Return values from a text: a range with its count, a list, or a distribution."""
    import numpy as np

    from gyrostat.analysis import sweeps

    found = _DISTRIBUTION.fullmatch(text)
    if found is not None:
        return getattr(sweeps, found[1])(_number(name, found[2]), _number(name, found[3]))
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
    from gyrostat.errors import FormulaError
    from gyrostat.model.formula import Formula

    try:
        formula = Formula.of(text.strip())
        if not formula.names:
            return float(formula.value())
    except (FormulaError, ArithmeticError, ValueError):
        pass
    raise CallError(f"--over {name}: {text.strip()!r} is no number. Write {name}=1:10:50, or with pi and deg.")


def _design(text: str | None) -> Design | None:
    """Return the design that a text such as latin:1000 names."""
    from gyrostat.analysis.sweeps import LatinHypercube, Saltelli, SobolSequence

    if text is None:
        return None
    kinds: dict[str, type[Design]] = {"latin": LatinHypercube, "sobol": SobolSequence, "saltelli": Saltelli}
    kind, _, count = text.partition(":")
    if kind not in kinds or not count.isdecimal():
        raise CallError(f"--points {text!r} cannot be read. Write latin:1000, sobol:1024 or saltelli:512.")
    return kinds[kind](int(count))


def _events(stops: dict[str, str]) -> tuple[Event, ...]:
    from gyrostat.analysis.events import Event, Stop

    return tuple(Event(name, formula, action=Stop()) for name, formula in stops.items())


# --- the run ----------------------------------------------------------------------------------------------------------


def _run(
    system: Any,
    values: dict[str, Any],
    analysis: Any,
    design: Design | None,
    out: Path,
    resume: bool,
    workers: int | None,
    scheduler: str | None,
) -> Sweep:
    """Sweep; warnings of the package become paragraphs."""
    from gyrostat.analysis.sweeps import load_sweep
    from gyrostat.analysis.sweeps import sweep as run
    from gyrostat.analysis.sweeps.folder_store import is_store
    from gyrostat.analysis.sweeps.points import PointStatus
    from gyrostat.program.warning import GyrostatWarning

    if resume and is_store(out):
        before = load_sweep(out)
        there = before.plan.size - before.count(PointStatus.NOT_RUN)
        typer.echo(f"gyrostat: {out} has {there} of {before.plan.size} points; these are not run again.", err=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GyrostatWarning)
        found = run(
            system, values, analysis, points=design, store=out, resume=resume, workers=workers, scheduler=scheduler
        )
    tell_warnings(caught)
    sys.stderr.flush()
    return found


def _plain(found: Sweep, out: Path, figure: Path | None) -> dict[str, Any]:
    """Return what machines want to know."""
    from gyrostat.analysis.sweeps.points import PointStatus

    return {
        "model": found.title,
        "over": {axis.dim: axis.size for axis in found.plan.axes},
        "points": found.plan.size,
        **{one.name.lower(): found.count(one) for one in PointStatus},
        "reused": found.reused,
        "seconds": found.seconds,
        "variables": found.names,
        "failures": [
            {"point": one.number, "values": dict(one.values), "reason": one.reason}
            for one in found.failures[:_SHOWN_FAILURES]
        ],
        "store": str(out),
        "figure": None if figure is None else str(figure),
    }
