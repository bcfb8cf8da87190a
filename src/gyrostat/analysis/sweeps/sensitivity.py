"""Sensitivity: Sobol's indices of a sweep's variables."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.sweeps.designs import Saltelli
from gyrostat.analysis.sweeps.plan import SAMPLE
from gyrostat.errors import StateError
from gyrostat.model.names import counted
from gyrostat.program.warning import GyrostatWarning

if TYPE_CHECKING:
    import xarray

    from gyrostat.analysis.sweeps.result import Sweep

_FEWEST = 16


def sobol_indices(sweep: Sweep, name: str) -> xarray.Dataset:
    """Return first and total indices of a variable by each sampled name, with the errors of sampling.

    The estimators are those of Saltelli et al. 2010 (Computer Physics Communications 181, 259) for the first and of
    Jansen 1999 for the total index, as SciPy has them; errors come from its bootstrap.
    """
    import xarray

    design = sweep.plan.design
    if not isinstance(design, Saltelli):
        raise StateError(
            "Sobol's indices need a sweep whose samples are made for them. Sweep with points=gs.Saltelli(1024)."
        )
    array = sweep[name].transpose(SAMPLE, ...)
    names = list(sweep.plan.axes[-1].columns)
    rest = array.isel({SAMPLE: 0}, drop=True)
    columns = array.values.reshape(array.sizes[SAMPLE], -1).T
    found = [_indices(one.reshape(len(names) + 2, design.count), name) for one in columns]
    shape = (len(names), *rest.shape)
    variables: dict[str, Any] = {}
    for i, (label, words) in enumerate(_VARIABLES.items()):
        values = np.stack([one[i] for one in found], axis=-1).reshape(shape)
        variables[label] = (("name", *rest.dims), values, {"units": "1", "long_name": f"{words} of {name}"})
    return xarray.Dataset(variables, coords={"name": names, **rest.coords}, attrs={"variable": name})


_VARIABLES = {
    "first": "first Sobol index",
    "total": "total Sobol index",
    "first_error": "half the 95 % interval of the first Sobol index",
    "total_error": "half the 95 % interval of the total Sobol index",
}


def _indices(values: Any, name: str) -> tuple[Any, Any, Any, Any]:
    """Return the indices of one number from its values, (2 + sampled names, samples)."""
    from scipy import stats

    good = np.isfinite(values).all(axis=0)
    lost = int((~good).sum())
    if good.sum() < _FEWEST:
        raise StateError(
            f"{name!r} is a number in only {int(good.sum())} of {len(good)} sets of samples; {_FEWEST} are needed. "
            "See sweep.failures."
        )
    if lost:
        warnings.warn(
            f"{counted(lost, 'set', 'sets')} of {len(good)} samples of {name!r} are left out: a point of theirs "
            "failed.",
            GyrostatWarning,
            stacklevel=4,
        )
    kept = values[:, good]
    if np.ptp(kept) == 0.0:
        nothing = np.zeros(len(kept) - 2)
        return nothing, nothing, nothing, nothing
    a, b, mixed = kept[0], kept[1], kept[2:]
    found = stats.sobol_indices(
        func={"f_A": a[None, :], "f_B": b[None, :], "f_AB": mixed[:, None, :]}, n=len(a), random_state=0
    )
    interval = found.bootstrap(confidence_level=0.95, n_resamples=200)
    errors = [
        0.5 * np.ravel(one.confidence_interval.high - one.confidence_interval.low)
        for one in (interval.first_order, interval.total_order)
    ]
    return np.ravel(found.first_order), np.ravel(found.total_order), errors[0], errors[1]
