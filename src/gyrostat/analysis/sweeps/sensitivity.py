"""Global sensitivity: Sobol indices of a sweep's variables."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.sweeps.designs import Saltelli
from gyrostat.analysis.sweeps.plan import SAMPLE
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.names import counted
from gyrostat.program.warning import GyrostatWarning

if TYPE_CHECKING:
    import xarray

    from gyrostat.analysis.sweeps.result import Sweep

_SET_COUNT = 16
_RESAMPLES = 200


def sobol_indices(sweep: Sweep, name: str) -> xarray.Dataset:
    """Return first-order and total indices of a variable by each sampled name, with sampling errors by bootstrap."""
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


def _indices(values: Floats, name: str) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the indices of one number from its values, (2 + sampled names, samples)."""
    good = np.asarray(np.isfinite(values).all(axis=0))
    lost = int((~good).sum())
    if good.sum() < _SET_COUNT:
        raise StateError(
            f"{name!r} is a number in only {int(good.sum())} of {len(good)} sets of samples; {_SET_COUNT} are needed. "
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
    first, total = _estimates(kept)
    rng = np.random.default_rng(0)
    drawn = [_estimates(kept[:, rng.integers(0, kept.shape[1], kept.shape[1])]) for _ in range(_RESAMPLES)]
    low, high = np.quantile(np.array(drawn), (0.025, 0.975), axis=0)
    return first, total, *(0.5 * (high - low))


def _estimates(values: Floats) -> tuple[Floats, Floats]:
    """Return first-order and total indices from f(A), f(B) and f(A with a column of B), each (samples,).

    The estimators are those that Saltelli et al. 2010 (Computer Physics Communications 181, 259, table 2) recommend:
    (b) V_i = mean f(B) (f(A_B,i) − f(A)) for the first order, and Jansen's (f) ½ mean (f(A) − f(A_B,i))² for the total.
    """
    centred = values - values[:2].mean()
    a, b, mixed = centred[0], centred[1], centred[2:]
    variance = centred[:2].var()
    return (b * (mixed - a)).mean(axis=1) / variance, 0.5 * ((a - mixed) ** 2).mean(axis=1) / variance
