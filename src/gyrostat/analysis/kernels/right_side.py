"""Evaluation of native programs at a time and state."""

from __future__ import annotations

from gyrostat.analysis.kernels.contact_loads import set_contact_loads, set_contact_margins
from gyrostat.analysis.kernels.input_tables import set_table_inputs
from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.problem import Equations, Floats
from gyrostat.analysis.kernels.sliding import slide
from gyrostat.coordinates.row import FIRST, TIME
from gyrostat.program.translation import call, kernel


@kernel
def set_row(x: Floats, t: float, y: Floats) -> None:
    """Write time and state into a row x."""
    x[TIME] = t
    copy(y, x[FIRST:])


@kernel
def set_state(equations: Equations, t: float, within: float, y: Floats) -> None:
    """Write time, state and the inputs that belong to them into x; `within` is a time inside the present step."""
    copy(y, equations.state)
    set_inputs(equations, t, within)


@kernel
def set_time(equations: Equations, t: float) -> None:
    """Write the time into x."""
    equations.x[TIME] = t


@kernel
def set_inputs(equations: Equations, t: float, within: float) -> None:
    """Write the time, the inputs that belong to it and to the state in x, and the loads of pairs in contact."""
    set_given_inputs(equations, t, within)
    equations.pairs.kernels.apply(equations)


@kernel
def set_given_inputs(equations: Equations, t: float, within: float) -> None:
    """Write the time, and the inputs that tables and functions give at it and at the state in x."""
    x, tables = equations.x, equations.tables
    set_time(equations, t)
    if equations.switching.on_inputs:
        equations.switching.within[0] = within
    if tables.places.size > 0:
        set_table_inputs(tables, x, t, within)
    if equations.native.inputs != 0:
        call(equations.native.inputs, x.ctypes.data)
    if equations.contacts.modes.size > 0 and equations.contacts.closed[0] > 0:
        set_contact_loads(equations)


@kernel
def set_modes(equations: Equations) -> None:
    """Set the modes of sliding functions at the time and state in x; other modes are held."""
    if equations.switching.sizes[0] > 0:
        slide(equations)


@kernel
def evaluate_row(equations: Equations, rates: Floats) -> None:
    """Write ẏ at the time, state and modes in x into rates."""
    ropes = equations.ropes
    ropes.kernels.rates(equations.native.rates, ropes.tables, equations.x, equations.state, rates)


@kernel
def evaluate(equations: Equations, t: float, within: float, y: Floats, rates: Floats) -> None:
    """Write ẏ at a time and state into rates."""
    set_state(equations, t, within, y)
    set_modes(equations)
    evaluate_row(equations, rates)


@kernel
def evaluate_here(equations: Equations, t: float, within: float, rates: Floats) -> None:
    """Write ẏ at a time and the state that is in x into rates."""
    set_inputs(equations, t, within)
    set_modes(equations)
    evaluate_row(equations, rates)


@kernel
def evaluate_events(equations: Equations, t: float, within: float, y: Floats, found: Floats) -> None:
    """Write the values of all event functions, and then their rates with modes held, into found."""
    set_state(equations, t, within, y)
    set_modes(equations)
    if equations.contacts.modes.size > 0:
        set_contact_margins(equations)
    call(equations.native.events, equations.x.ctypes.data, found.ctypes.data)
