"""gyrostat scales: approximate analytical solutions of a model by multiple scales."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import gyrostat as gs
from gyrostat.cli.common import AsJson, CallError, ModelPath, Parameters, Texts, pairs, print_json, write_text

if TYPE_CHECKING:
    from gyrostat.analysis.scales import ErrorCertificate


def scales(
    file: ModelPath,
    order: Annotated[int, typer.Option(help="how many slow time scales are kept")] = 1,
    resonances: Annotated[
        Texts,
        typer.Option("--resonance", metavar="RELATION", help="as 'Omega ≈ 2*omega_theta'; without: found; again"),
    ] = None,
    at: Annotated[
        Texts, typer.Option(metavar="NAME=VALUE", help="a coordinate of the equilibrium, a number or formula; again")
    ] = None,
    parameters: Parameters = None,
    inputs: Annotated[
        Texts, typer.Option("--input", metavar="NAME=FORMULA", help="an input, as motor=F*cos(Omega*t); again")
    ] = None,
    small: Annotated[
        Texts, typer.Option(metavar="NAME=POWER", help="a small parameter and its power of ε; may be given again")
    ] = None,
    numbers: Annotated[bool, typer.Option("--numbers", help="coefficients in numbers, for large models")] = False,
    latex: Annotated[Path | None, typer.Option(help="write the modulation equations to this .tex file")] = None,
    certificate: Annotated[
        bool, typer.Option("--certificate", help="compare with simulations for smaller and smaller ε")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print slow amplitudes and phases of a model's oscillations, and the assumptions of the approximation."""
    found = gs.multiple_scales(
        gs.formulate(gs.Model.load(file)),
        order,
        resonances,
        at=pairs("--at", at) or None,
        parameters=pairs("--set", parameters),
        inputs=pairs("--input", inputs),
        ordering=_ordering(small),
        floating=True if numbers else None,
    )
    certified = found.certificate() if certificate else None
    if latex is not None:
        write_text(latex, found.latex() + "\n")
    if as_json:
        print_json({"file": str(file), **_plain(found), **({} if certified is None else _plain_certificate(certified))})
    else:
        typer.echo(found if certified is None else f"{found}\n{certified}")
        if latex is not None:
            typer.echo(f"Written: {latex}")
    if certified is not None and not certified.holds:
        raise typer.Exit(1)


def _ordering(small: Texts) -> gs.Ordering:
    powers = pairs("--small", small)
    for name, power in powers.items():
        if not power.isdecimal():
            raise CallError(
                f"--small {name}={power} gives no power of ε. Write a whole number, as in --small {name}=1."
            )
    return gs.Ordering(parameters={name: int(power) for name, power in powers.items()})


def _plain(found: gs.MultipleScales) -> dict[str, Any]:
    """Return the results as plain data for JSON."""
    mechanism = found.mechanism
    chosen = mechanism.ordering
    return {
        "order": found.order,
        "equilibrium": {name: str(value) for name, value in mechanism.point.centre.items()},
        "ordering": {
            "amplitude": str(chosen.amplitude),
            "parameters": dict(chosen.powers),
            "reasons": list(chosen.reasons),
        },
        "definitions": dict(mechanism.definitions),
        "oscillators": str(found.problem).splitlines(),
        "resonances": [str(resonance) for resonance in found.resonances],
        "modulation": {str(symbol): str(rate) for symbol, rate in found.polar_form.rates.items()},
        "phases": {str(symbol): str(meaning) for symbol, meaning in found.polar_form.meanings.items()},
        "solution": {name: str(mechanism.solution(found, name)) for name in mechanism.names},
        "notes": [*mechanism.notes, *found.notes],
        "statement": found.statement,
    }


def _plain_certificate(certified: ErrorCertificate) -> dict[str, Any]:
    return {
        "certificate": {
            "eps": list(certified.small),
            "errors": list(certified.errors),
            "power": certified.slope,
            "holds": certified.holds,
        }
    }
