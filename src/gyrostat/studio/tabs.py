"""Contents of the tabs beside the view: topology, equations, methods, modes, linear responses, results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from gyrostat.analysis.linear.linear_model import LinearModel
from gyrostat.analysis.linear.linearize import linearize
from gyrostat.analysis.linear.modes import Mode
from gyrostat.analysis.operating.equilibrium import equilibrium
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.errors import GyrostatError, SizeError
from gyrostat.shown.output_labels import OutputLabels
from gyrostat.studio.base import StudioBase, quiet
from gyrostat.studio.messages import StudioMessage
from gyrostat.studio.overrides import Overrides
from gyrostat.system import System
from gyrostat.written.equation_writer import equation_lines

METHODS = ("roberson_schwertassek", "velocity_transformation", "absolute_method", "graph_method")
_LONGEST_LATEX = 60_000
"""The largest number of characters of LaTeX that a browser sets without a long pause."""
_NUMERIC_LENGTH_LIMIT = 12_000
_STATE_LIMIT = 24


@dataclass(frozen=True)
class TabRequest:
    """Source of a tab: the structure, its numbers, the last motion, and choices made in the tab."""

    base: StudioBase
    overrides: Overrides
    trajectory: Trajectory | None
    choices: Mapping[str, Any]

    @property
    def system(self) -> System:
        """The system."""
        return self.base.system


def tab_message(name: str, request: TabRequest) -> StudioMessage:
    """Return the message with the contents of a tab; the reason where it has none."""
    try:
        with quiet():
            return TABS[name](request)
    except GyrostatError as error:
        return StudioMessage("tab", {"tab": name, "failure": str(error)})


# --- topology ---------------------------------------------------------------------------------------------------------


def _topology(request: TabRequest) -> StudioMessage:
    topology = request.system.topology
    return StudioMessage(
        "tab",
        {
            "tab": "topology",
            "drawing": topology.draw(),
            "text": str(topology),
            "summary": str(request.system.summary()),
        },
    )


# --- equations --------------------------------------------------------------------------------------------------------


def _equations(request: TabRequest) -> StudioMessage:
    system = request.system
    shown: dict[str, Any] = {"tab": "equations"}
    lines = _written(request.base)
    if isinstance(lines, str):
        text = request.base.kept("recursive equations", lambda: str(system.equations("recursive")))
        shown |= {"note": f"{lines} Here is the recursive form.", "text": text}
    else:
        shown["lines"] = lines
        if _length(lines) <= _NUMERIC_LENGTH_LIMIT:
            shown["numbers"] = _with_numbers(system.equations(), system, request.overrides)
    return StudioMessage("tab", {**shown, "matrices": _matrices(request)})


def _written(base: StudioBase) -> list[tuple[str, str]] | str:
    """Return both sides of the equations as LaTeX, or why they are not written; derived once for a structure."""

    def derive() -> list[tuple[str, str]] | str:
        try:
            equations = base.system.equations()
            lines = [*equation_lines(equations, equations.write_latex)]
        except SizeError as error:
            return str(error)
        long = _length(lines) > _LONGEST_LATEX
        return "The equations are too long to read when they are written out." if long else lines

    return base.kept("equations", derive)


def _length(lines: list[tuple[str, str]]) -> int:
    return sum(len(left) + len(right) for left, right in lines)


def _with_numbers(equations: Any, system: System, overrides: Overrides) -> list[tuple[str, str]]:
    """Return both sides of the equations with values of parameters in place of their symbols, as LaTeX."""
    values = {
        equations.symbols.sympy[name]: sympy.Float(value, 5)
        for name, value in system.model.values(overrides.parameters).items()
        if name in equations.symbols.sympy
    }

    def write(expression: Any) -> str:
        replaced = expression.xreplace(values) if hasattr(expression, "xreplace") else expression
        return str(equations.write_latex(_rounded(replaced)))

    return [*equation_lines(equations, write)]


def _rounded(expression: Any) -> Any:
    """Return an expression whose numbers have four digits; whole numbers stay."""
    found = sympy.N(expression, 4)
    whole = {number: sympy.Integer(int(number)) for number in found.atoms(sympy.Float) if number == int(number)}
    return found.xreplace(whole)


def _matrices(request: TabRequest) -> list[dict[str, Any]]:
    """Return the mass matrix at the start, in numbers."""
    system, parameters = request.system, dict(request.overrides.parameters)
    if len(system.speed_names) > _STATE_LIMIT or not system.speed_names:
        return []
    q = system.initial_values(parameters)[0] if request.trajectory is None else request.trajectory.states.q[0]
    M = system.mass_matrix(q, parameters=parameters)
    return [{"name": "M", "about": "mass matrix at the start", "labels": list(system.speed_names), "rows": M.tolist()}]


# --- methods ----------------------------------------------------------------------------------------------------------


def _methods(request: TabRequest) -> StudioMessage:
    system = request.system
    method = request.choices.get("method", METHODS[0])
    if method not in METHODS:
        raise GyrostatError(f"There is no method {method!r:.40}.")
    exact = getattr(system, method)
    note = ""
    try:
        lines = _written(request.base)
        if request.choices.get("numbers") or isinstance(lines, str) or _length(lines) > _NUMERIC_LENGTH_LIMIT:
            raise SizeError("Quantities are shown in numbers, at the start of the motion.")
        walk = exact()
        sections = request.base.kept(method, lambda: _sections(walk))
    except SizeError as error:
        q, u = system.initial_values(dict(request.overrides.parameters))
        walk = exact(q, u, parameters=dict(request.overrides.parameters))
        sections, note = _sections(walk), str(error)
    return StudioMessage(
        "tab", {"tab": "methods", "method": method, "title": walk.title, "note": note, "sections": sections}
    )


def _sections(walk: Any) -> list[dict[str, Any]]:
    sections, room = [], _LONGEST_LATEX
    for section in walk.sections:
        quantities = []
        for quantity in section.quantities:
            latex = f"{quantity.latex_name} = {walk._latex_of(quantity.value)}"
            room -= len(latex)
            if room > 0:
                quantities.append({"latex": latex, "text": quantity.text})
        sections.append({"heading": section.heading, "text": section.text, "quantities": quantities})
    return sections


# --- modes and linear responses ---------------------------------------------------------------------------------------


def linear_model(request: TabRequest, outputs: tuple[str, ...] = ()) -> LinearModel:
    """Return the linear model about the equilibrium that is found from the initial values."""
    parameters = dict(request.overrides.parameters)
    guess = {
        name: request.overrides.initial[name] for name in request.overrides.initial if name in _coordinates(request)
    }
    point = equilibrium(request.system, guess=guess or None, parameters=parameters)
    inputs = [name for name in request.choices.get("inputs", ()) if name in input_names(request.system)]
    return linearize(request.system, at=point, inputs=inputs, outputs=outputs)


def _coordinates(request: TabRequest) -> tuple[str, ...]:
    return request.system.coordinate_names


def input_names(system: System) -> tuple[str, ...]:
    """Return the names of the inputs of a system."""
    return tuple(system.model.inputs)


def _modes(request: TabRequest) -> StudioMessage:
    linear = linear_model(request)
    modes = linear.modes()
    point = linear.point
    return StudioMessage(
        "tab",
        {
            "tab": "modes",
            "point": {name: float(value) for name, value in list(point.state.items())[:_STATE_LIMIT]},
            "kind": point.kind.value,
            "modes": [_plain_mode(mode) for mode in modes],
            "stability": str(modes.stability),
        },
    )


def _plain_mode(mode: Mode) -> dict[str, Any]:
    shape = {str(x.coordinate.values): float(abs(x.values.item())) for x in mode.shape}
    largest = max(shape.values(), default=0.0) or 1.0
    return {
        "number": mode.number,
        "eigenvalue": [mode.eigenvalue.real, mode.eigenvalue.imag],
        "frequency": mode.frequency if mode.oscillates else None,
        "damping": None if mode.eigenvalue == 0 else mode.damping_ratio,
        "kind": mode.kind.value,
        "shape": {name: size / largest for name, size in shape.items()},
    }


def _linear(request: TabRequest) -> StudioMessage:
    known = input_names(request.system)
    if not known:
        raise GyrostatError(
            "The model has no inputs, so that there is no response to show. Add an actuator, or an input that a "
            "formula uses."
        )
    chosen = request.choices.get("input")
    source = chosen if chosen in known else known[0]
    outputs = [name for name in request.choices.get("outputs", ()) if name in request.system.signal_table]
    wanted = tuple(outputs or plotted_by_default(request.system)[:4])
    choices = {**request.choices, "inputs": [source]}
    linear = linear_model(TabRequest(request.base, request.overrides, request.trajectory, choices), wanted)
    response = linear.frequency_response()
    step = linear.step_response(source, _step_duration(linear))
    arrays = {"frequency": np.asarray(response.magnitude.coords["frequency"].values, dtype=float)}
    labels, named = OutputLabels(request.system), list(linear.outputs)
    for k, name in enumerate(named):
        arrays[f"magnitude{k}"] = np.asarray(response.magnitude.sel(input=source, output=name).values, dtype=float)
        arrays[f"phase{k}"] = np.unwrap(np.asarray(response.phase.sel(input=source, output=name).values, dtype=float))
        arrays[f"step{k}"] = np.asarray(step[name].values, dtype=float)
    arrays["time"] = np.asarray(step[named[0]].coords["time"].values, dtype=float)
    values = {"tab": "linear", "input": source, "inputs": list(known), "outputs": named}
    units = [request.system.signal_table[name].unit for name in named]
    ratios = [unit for _, _, unit in response.pairs]
    shown = {"labels": [labels.plain(name) for name in named], "units": units, "ratios": ratios}
    return StudioMessage("tab", {**values, **shown}, arrays)


def plotted_by_default(system: System) -> list[str]:
    """Return the outputs that a motion's plots show where none are chosen."""
    return [name for name, measure in system.coordinates.measures.items() if measure != "number"][:6]


def _step_duration(linear: LinearModel) -> float:
    """Return some periods of the slowest mode that moves."""
    rates = [abs(mode.eigenvalue) for mode in linear.modes() if abs(mode.eigenvalue) > 1e-6]
    return float(np.clip(4 * 2 * np.pi / min(rates), 1e-3, 200.0)) if rates else 10.0


# --- results ----------------------------------------------------------------------------------------------------------


def _results(request: TabRequest) -> StudioMessage:
    trajectory = request.trajectory
    if trajectory is None:
        raise GyrostatError("There is no motion yet.")
    status = trajectory.status
    names = tuple(trajectory.system.coordinates.place_of)[:_STATE_LIMIT]
    values = np.column_stack(trajectory.states)
    labels, rows = OutputLabels(trajectory.system), []
    for name, column in zip(names, values.T, strict=False):
        numbers = (column[0], column[-1], column.min(), column.max())
        rows.append({"name": name, "label": labels.plain(name), "values": [float(x) for x in numbers]})
    arrays = {"time": np.asarray(trajectory.time, dtype=float)}
    energy = trajectory.energy()
    energies = [str(name) for name in energy.data_vars]
    for each in energies:
        arrays[f"energy_{each}"] = np.asarray(energy[each].values, dtype=float)
    return StudioMessage(
        "tab",
        {
            "tab": "results",
            "text": str(status),
            "success": status.success,
            "notes": list(status.notes),
            "rows": rows,
            "energies": energies,
            "integrator": type(trajectory.integrator).__name__,
            "counts": {"steps": status.steps, "evaluations": status.evaluations, "seconds": status.seconds},
            "events": [{"name": one.event, "time": one.time} for one in trajectory.events[:200]],
        },
        arrays,
    )


TABS: dict[str, Callable[[TabRequest], StudioMessage]] = {
    "topology": _topology,
    "equations": _equations,
    "methods": _methods,
    "modes": _modes,
    "linear": _linear,
    "results": _results,
}
