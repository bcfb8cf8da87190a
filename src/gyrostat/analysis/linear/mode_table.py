"""Tables of modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.variations.stability import Verdict
from gyrostat.results.html_table import html_table

if TYPE_CHECKING:
    import pandas

    from gyrostat.analysis.linear.modes import Mode, Modes

_HEAD = ("mode", "real part", "imaginary part", "damped (Hz)", "undamped (Hz)", "damping", "time const. (s)", "shape")
_ROW_LIMIT = 60


def mode_frame(modes: Modes) -> pandas.DataFrame:
    """Return the numbers of all modes by column."""
    import pandas

    return pandas.DataFrame(
        {
            "real": [mode.eigenvalue.real for mode in modes],
            "imaginary": [mode.eigenvalue.imag for mode in modes],
            "frequency": [mode.frequency for mode in modes],
            "undamped_frequency": [mode.undamped_frequency for mode in modes],
            "damping_ratio": [mode.damping_ratio for mode in modes],
            "time_constant": [mode.time_constant for mode in modes],
            "kind": [mode.kind.value for mode in modes],
            "multiplicity": [mode.multiplicity for mode in modes],
            "defective": [mode.defective for mode in modes],
        },
        index=pandas.Index([mode.number for mode in modes], name="mode"),
    )


def modes_text(modes: Modes) -> str:
    """Return the table as text."""
    rows = [_cells(mode) for mode in modes[:_ROW_LIMIT]]
    widths = [max(len(row[i]) for row in (_HEAD, *rows)) for i in range(len(_HEAD))]
    lines = [_line(row, widths) for row in (_HEAD, *rows)]
    if len(modes) > _ROW_LIMIT:
        lines.append(f"… {len(modes) - _ROW_LIMIT} more")
    system = modes.linear.system
    return "\n".join([f"Modes of {system.model.name!r}; {modes.stability}", *lines])


def modes_html(modes: Modes) -> str:
    """Return the table for notebooks."""
    caption = f"Modes of {modes.linear.system.model.name!r}; {modes.stability}"
    return html_table(caption, _HEAD, [_cells(mode) for mode in modes])


def mode_text(mode: Mode) -> str:
    """Return one mode as text: its numbers, then magnitude and phase of all coordinates."""
    cells = dict(zip(_HEAD, _cells(mode), strict=True))
    head = f"Mode {mode.number} of {mode.linear.system.model.name!r}, {mode.kind.value}: eigenvalue "
    head += cells["real part"] + (f" ± {mode.eigenvalue.imag:.6g}i" if mode.eigenvalue.imag else "")
    if mode.oscillates:
        head += f" 1/s, {mode.frequency:.6g} Hz, damping ratio {cells['damping']}"
    remark = cells["shape"].partition(" (")[2]
    lines = [f"  ({remark}"] if remark else []
    names = [str(name) for name in mode.shape.coords["coordinate"].values]
    width = max(len(name) for name in names)
    for name, size, angle in zip(names, mode.magnitude.values, mode.phase.values, strict=True):
        lines.append(f"  {name:{width}}  {size:8.4f}  {round(float(np.degrees(angle)), 2) + 0.0:8.2f}°")
    return "\n".join([head, *lines])


def _cells(mode: Mode) -> tuple[str, ...]:
    value = mode.eigenvalue
    dashes = "--"
    return (
        str(mode.number),
        f"{0.0 if mode.verdict is Verdict.NEUTRAL else value.real:.6g}",
        f"{value.imag:.6g}",
        f"{mode.frequency:.6g}" if mode.oscillates else dashes,
        f"{mode.undamped_frequency:.6g}" if mode.oscillates else dashes,
        f"{_rounded(mode):.4g}" if mode.oscillates else dashes,
        f"{mode.time_constant:.4g}" if value.real and mode.verdict is not Verdict.NEUTRAL else dashes,
        _shape(mode),
    )


def _rounded(mode: Mode) -> float:
    return 0.0 if mode.verdict is Verdict.NEUTRAL else mode.damping_ratio


def _shape(mode: Mode) -> str:
    """Return the largest parts of a shape in words, and remarks on the mode."""
    sizes = mode.magnitude.values
    names = [str(name) for name in mode.shape.coords["coordinate"].values]
    order = [int(i) for i in np.argsort(-sizes)[:3] if sizes[i] > 0.05 * sizes.max(initial=0.0)]
    text = ", ".join(f"{names[i]} {sizes[i]:.3g}{_side(mode.motion[i])}" for i in order) or _still(mode)
    remarks = [mode.kind.value] if mode.eigenvalue == 0 else []
    if mode.multiplicity > 1 and mode.eigenvalue != 0:
        remarks.append(f"{mode.multiplicity}-fold{', defective' if mode.defective else ''}")
    return f"{text} ({', '.join(remarks)})" if remarks else text


def _still(mode: Mode) -> str:
    """Return which states of components change in a mode in which no position does."""
    names, sizes, known = mode.linear.states, np.abs(mode.right), mode.linear.system.state_names
    own = [int(i) for i in np.argsort(-sizes)[:3] if names[i] in known and sizes[i] > 0.05 * sizes.max()]
    return ", ".join(f"{names[i]} {sizes[i]:.3g}{_side(mode.right[i])}" for i in own) or "no position moves"


def _side(value: complex) -> str:
    """Return a phase as text: empty, opposite, or degrees."""
    degrees = float(np.degrees(np.angle(value)))
    if abs(degrees) < 1.0:
        return ""
    return " opposite" if abs(abs(degrees) - 180.0) < 1.0 else f" at {degrees:.0f}°"


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join([*(c.rjust(w) for c, w in zip(cells[:-1], widths[:-1], strict=True)), cells[-1]]).rstrip()
