"""Options for the integrator: its name, its tolerance or its step."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated

import typer

from gyrostat.cli.common import CallError
from gyrostat.lazy import later

if TYPE_CHECKING:
    from gyrostat.analysis import integrators
    from gyrostat.model import names
else:
    (integrators,) = later("gyrostat.analysis", "integrators")
    (names,) = later("gyrostat.model", "names")

Method = Annotated[str, typer.Option(help="dop853, rkf45, rk4, rk2, euler, rodas4, rodas5p, cvode, …")]
Tolerance = Annotated[float | None, typer.Option(help="relative error of a step; the absolute one is a tenth of it")]
OwnStep = Annotated[float | None, typer.Option(help="the integrator's own step, in seconds")]


def read_integrator(name: str, tolerance: float | None, step: float | None) -> integrators.Integrator:
    """Return the integrator with this name (upper or lower case) and these settings."""
    offered = [getattr(integrators, one) for one in integrators.__all__]
    methods: dict[str, type[integrators.Integrator]] = {
        one.__name__.lower(): one
        for one in offered
        if isinstance(one, type) and issubclass(one, integrators.Integrator) and one is not integrators.Integrator
    }
    chosen = methods.get(name.lower())
    if chosen is None:
        raise CallError(f"There is no integrator {name!r}. {names.did_you_mean(name.lower(), list(methods))}")
    known = {field.name: field for field in fields(chosen)}  # type: ignore[arg-type]
    settings: dict[str, float] = {}
    if tolerance is not None:
        if "rtol" not in known:
            raise CallError(f"--tolerance means nothing to {name}, whose step is fixed. Use --integrator-step.")
        settings |= {"rtol": tolerance, "atol": tolerance / 10}
    if step is not None:
        if "step" not in known:
            raise CallError(f"--integrator-step means nothing to {name}, which chooses its steps. Use --tolerance.")
        settings["step"] = step
    elif "step" in known and known["step"].default is MISSING:
        raise CallError(f"The integrator {name} has a fixed step. Give it: --integrator-step 1e-3.")
    return chosen(**settings)
