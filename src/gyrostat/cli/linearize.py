"""gyrostat linearize: the linear model of small motions, its modes and their sensitivities."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import gyrostat as gs
from gyrostat.cli.common import AsJson, CallError, Force, Guess, ModelPath, Parameters, Texts, pairs, print_json
from gyrostat.cli.coordinates_option import Chosen, Rotation, Translation, read_coordinates

_EQUILIBRIUM, _INITIAL_STATE = "equilibrium", "initial"


def linearize(
    file: ModelPath,
    at: Annotated[
        Texts,
        typer.Option(
            metavar="WHERE",
            help="equilibrium (the default), initial (the model's own values), or values, as a1=0.5; again",
        ),
    ] = None,
    guess: Guess = None,
    parameters: Parameters = None,
    inputs: Annotated[
        list[str] | None, typer.Option("--input", metavar="NAME", help="an input of the linear model; again")
    ] = None,
    outputs: Annotated[
        list[str] | None, typer.Option("--output", metavar="NAME", help="an output of the linear model; again")
    ] = None,
    coordinates: Chosen = None,
    translation: Translation = None,
    rotation: Rotation = None,
    modes: Annotated[bool, typer.Option("--modes", help="print eigenvalues, frequencies and damping ratios")] = False,
    sensitivity: Annotated[
        str | None, typer.Option(metavar="NAMES", help="derivatives of the modes by these parameters, as m2,l2")
    ] = None,
    matlab: Annotated[Path | None, typer.Option(help="write all matrices to this file (.mat)")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Linearize a model about an equilibrium or steady motion; print its matrices, or its modes."""
    choice = read_coordinates(coordinates, translation, rotation)
    changed = _numbers("--set", parameters)
    system = gs.formulate(gs.Model.load(file), choice)
    point = _point(system, at, guess, changed)
    found = gs.linearize(system, point, inputs=inputs or (), outputs=outputs or (), parameters=changed)
    sensitivities = _sensitivities(found, sensitivity)
    if matlab is not None:
        found.save_matlab(matlab, force=force)
    if as_json:
        print_json({"file": str(file), **_plain(found, sensitivities)})
        return
    typer.echo(found)
    if modes or sensitivities:
        typer.echo(found.modes())
    else:
        for name in ("mass", "damping", "stiffness"):
            typer.echo(f"{name}:\n{getattr(found, name).to_pandas()}")
    for one in sensitivities:
        typer.echo(one)
    if matlab is not None:
        typer.echo(f"Written: {matlab}")


def _numbers(option: str, given: Texts) -> dict[str, object]:
    """Return values by name; texts stay formulas."""
    return dict(pairs(option, given))


def _point(
    system: gs.System, at: Texts, guess: Texts, parameters: dict[str, object]
) -> gs.OperatingPoint | dict[str, object]:
    where = at or [_EQUILIBRIUM]
    words = [text for text in where if "=" not in text]
    unknown = [word for word in words if word not in (_EQUILIBRIUM, _INITIAL_STATE)]
    if unknown or (words and len(where) > 1):
        raise CallError(
            f"--at {' '.join(where)!r} cannot be read. Write equilibrium, initial, or values, as --at a1=0.5 --at a2=0."
        )
    if words != [_EQUILIBRIUM]:
        if guess:
            raise CallError("--guess is for --at equilibrium; the operating point is given already. Leave one out.")
        return _numbers("--at", where) if not words else {}
    return gs.equilibrium(system, guess=_numbers("--guess", guess) or None, parameters=parameters)


def _sensitivities(found: gs.LinearModel, names: str | None) -> list[gs.ModeSensitivity]:
    if names is None:
        return []
    wanted = [name.strip() for name in names.split(",")]
    if not all(wanted):
        raise CallError(f"--sensitivity {names!r} cannot be read. Write names with commas between, as m2,l2.")
    chosen = [mode for mode in found.modes() if mode.eigenvalue != 0]
    return [found.sensitivity(mode, wanted) for mode in chosen]


def _plain(found: gs.LinearModel, sensitivities: list[gs.ModeSensitivity]) -> dict[str, Any]:
    """Return the results as plain data for JSON."""
    point = found.point
    plain: dict[str, Any] = {
        "point": {"kind": point.kind.value, "state": point.state, "inputs": dict(point.inputs)},
        "states": list(found.states),
        "inputs": list(found.inputs),
        "outputs": list(found.outputs),
        **{name: getattr(found, name).values.tolist() for name in ("A", "B", "C", "D")},
        **{name: getattr(found, name).values.tolist() for name in ("mass", "damping", "stiffness")},
    }
    plain["modes"] = [
        {
            "eigenvalue": [mode.eigenvalue.real, mode.eigenvalue.imag],
            "frequency": mode.frequency,
            "undamped_frequency": mode.undamped_frequency,
            "damping_ratio": None if mode.eigenvalue == 0 else mode.damping_ratio,
            "kind": mode.kind.value,
            "shape": {str(x.coordinate.values): [x.values.real.item(), x.values.imag.item()] for x in mode.shape},
        }
        for mode in found.modes()
    ]
    if sensitivities:
        plain["sensitivity"] = {
            str(one.mode.number): {
                name: {
                    "eigenvalue": [one.eigenvalue[i].real, one.eigenvalue[i].imag],
                    "frequency": one.frequency[i],
                    "damping_ratio": one.damping_ratio[i],
                }
                for i, name in enumerate(one.parameters)
            }
            for one in sensitivities
        }
    return plain
