"""Linear models for other programs: SciPy, python-control, MATLAB."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.errors import StateError
from gyrostat.results.whole_file import whole_file

if TYPE_CHECKING:
    from gyrostat.analysis.linear.linear_model import LinearModel
    from gyrostat.analysis.linear.state_space import StateSpace


def _require_proper(linear: LinearModel) -> None:
    if not linear.form.proper:
        driven = [one.name for one in linear.channels.items if one.driver and not one.by_acceleration]
        raise StateError(
            f"Outputs need rates of the inputs {', '.join(map(repr, driven))}, which a state-space form does not have. "
            f"Use accelerations of the drivers as inputs: {', '.join(repr(name + '.acc') for name in driven)}."
        )


def to_scipy(linear: LinearModel) -> Any:
    """Return a scipy.signal.StateSpace."""
    _require_proper(linear)
    return scipy_form(linear.form)


def scipy_form(form: StateSpace, period: float | None = None) -> Any:
    """Return a scipy.signal.StateSpace of matrices; with a period (s), in discrete time."""
    from scipy.signal import StateSpace

    return StateSpace(form.A, form.B, form.C, form.D, **({} if period is None else {"dt": period}))


def to_control(linear: LinearModel) -> Any:
    """Return a control.StateSpace."""
    _require_proper(linear)
    return control_form(linear.form)


def control_form(form: StateSpace, period: float | None = None) -> Any:
    """Return a control.StateSpace of matrices; with a period (s), in discrete time.

    Dots in names become underscores, as that package requires.
    """
    try:
        import control  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise StateError(
            "to_control() makes an object of the package 'control', which is not installed. Install it: "
            "pip install gyrostat[control]"
        ) from error
    names = {
        what: [name.replace(".", "_") for name in given]
        for what, given in (("states", form.states), ("inputs", form.inputs), ("outputs", form.outputs))
    }
    time = {} if period is None else {"dt": period}
    return control.ss(form.A, form.B, form.C, form.D, **names, **time)


def save_matlab(linear: LinearModel, path: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Write A, B, C, D, M, C_damping, K and names to a .mat file, which MATLAB and Octave read."""
    from scipy.io import savemat

    if Path(path).suffix != ".mat":
        raise StateError(f"{path}: the file is one of MATLAB; choose a name that ends in .mat.")
    form, second = linear.form, linear.second_order
    content = {
        **{name: getattr(form, name) for name in ("A", "B", "C", "D")},
        "mass": second.mass,
        "damping": second.damping,
        "stiffness": second.stiffness,
        "descriptor_E": linear.descriptor.E,
        "descriptor_A": linear.descriptor.A,
        **{what: np.array(getattr(form, what), dtype=object) for what in ("states", "inputs", "outputs")},
        "model": linear.system.model.name,
    }
    with whole_file(path, force=force) as temporary:
        savemat(str(temporary), content, appendmat=False)
    return Path(path)
