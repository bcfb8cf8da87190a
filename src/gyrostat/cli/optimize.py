"""gyrostat optimize: parameters for required frequencies, damping, responses or positions."""

from __future__ import annotations

from typing import Annotated, Any

import typer

import gyrostat as gs
from gyrostat.cli.common import AsJson, CallError, Guess, ModelPath, Parameters, Texts, pairs, print_json

_QUANTITIES = "frequency:0, damping:1, position:a1, peak:motor:a1:0.5:3, or parameters:m1+m2"


def optimize(
    file: ModelPath,
    vary: Annotated[
        Texts, typer.Option(metavar="NAME=LOW:HIGH", help="a parameter with its bounds; may be given again")
    ] = None,
    minimize: Annotated[Texts, typer.Option(metavar="QUANTITY", help=f"make it small: {_QUANTITIES}; again")] = None,
    maximize: Annotated[Texts, typer.Option(metavar="QUANTITY", help="make it large; may be given again")] = None,
    target: Annotated[Texts, typer.Option(metavar="QUANTITY=VALUE", help="bring it to a value; again")] = None,
    at_least: Annotated[Texts, typer.Option(metavar="QUANTITY=VALUE", help="keep it above; again")] = None,
    at_most: Annotated[Texts, typer.Option(metavar="QUANTITY=VALUE", help="keep it below; again")] = None,
    guess: Guess = None,
    parameters: Parameters = None,
    as_json: AsJson = False,
) -> None:
    """Vary parameters within bounds until frequencies, damping, responses or positions are optimal."""
    bounds = {name: _bounds(name, text) for name, text in pairs("--vary", vary).items()}
    goals = _goals(minimize, maximize, target)
    limits = _limits(at_least, at_most)
    every = [*(goal.quantity for goal in goals), *(limit.quantity for limit in limits)]
    found = gs.optimize(
        gs.Model.load(file),
        bounds,
        goals,
        subject_to=limits,
        guess=dict(pairs("--guess", guess)),
        inputs=tuple(dict.fromkeys(quantity.input for quantity in every if isinstance(quantity, gs.ResponsePeak))),
        parameters=dict(pairs("--set", parameters)),
    )
    if as_json:
        print_json(
            {
                "file": str(file),
                "success": found.success,
                "message": found.message,
                "parameters": found.parameters,
                "at_bounds": found.at_bounds,
                "quantities": {name: {"start": old, "end": new} for name, (old, new) in found.quantities.items()},
                "designs": found.evaluations,
            }
        )
    else:
        typer.echo(found)
    if not found.success:
        raise typer.Exit(1)


def _bounds(name: str, text: str) -> tuple[float, float]:
    low, colon, high = text.partition(":")
    try:
        if not colon:
            raise ValueError
        return float(low), float(high)
    except ValueError:
        raise CallError(f"--vary {name}={text} has no bounds. Write both, as in --vary {name}=0.5:2.") from None


def _goals(minimize: Texts, maximize: Texts, target: Texts) -> list[gs.Goal]:
    goals: list[gs.Goal] = [gs.Minimize(_quantity("--minimize", text)) for text in minimize or ()]
    goals += [gs.Maximize(_quantity("--maximize", text)) for text in maximize or ()]
    goals += [gs.Target(quantity, value) for quantity, value in _valued("--target", target)]
    return goals


def _limits(at_least: Texts, at_most: Texts) -> list[gs.Limit]:
    limits = [gs.Limit(quantity, least=value) for quantity, value in _valued("--at-least", at_least)]
    return limits + [gs.Limit(quantity, most=value) for quantity, value in _valued("--at-most", at_most)]


def _valued(option: str, given: Texts) -> list[tuple[gs.DesignQuantity, float]]:
    found = []
    for text in given or ():
        quantity, _, value = text.rpartition("=")
        try:
            if not quantity:
                raise ValueError
            found.append((_quantity(option, quantity), float(value)))
        except ValueError:
            raise CallError(
                f"{option} {text!r} has no value. Write a quantity and a number, as in {option} frequency:0=1.5."
            ) from None
    return found


def _quantity(option: str, text: str) -> gs.DesignQuantity:
    """Return a quantity from its text, as frequency:0."""
    kind, _, rest = text.strip().partition(":")
    parts: list[Any] = rest.split(":")
    try:
        if kind == "frequency":
            return gs.ModeFrequency(int(rest))
        if kind == "damping":
            return gs.ModeDamping(int(rest))
        if kind == "position" and rest:
            return gs.StaticPosition(rest)
        if kind == "parameters" and rest:
            return gs.ParameterFormula(rest)
        if kind == "peak" and len(parts) == 4:
            return gs.ResponsePeak(parts[0], parts[1], (float(parts[2]), float(parts[3])))
    except ValueError:
        pass
    raise CallError(f"{option} {text!r} is no quantity. Write {_QUANTITIES}.")
