"""Lazy arrays of a store for xarray, read in parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from xarray.backends import BackendArray
from xarray.core import indexing

from gyrostat.analysis.sweeps.zarr_files import ZarrArray


class StoredArray(BackendArray):
    """An array of a store as a back end of xarray."""

    def __init__(self, array: ZarrArray) -> None:
        self._array = array
        self.shape, self.dtype = array.shape, array.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        """Return the selection of integers and slices."""
        extent, inside = [], []
        for one, size in zip(key, self.shape, strict=True):
            if isinstance(one, slice):
                places = range(*one.indices(size))
                low, high = (min(places), max(places) + 1) if places else (0, 0)
                extent.append(slice(low, high))
                inside.append(np.array(places, dtype=np.intp) - low)
            else:
                place = int(one) % size
                extent.append(slice(place, place + 1))
                inside.append(np.zeros(1, dtype=np.intp))
        found = self._array.read(tuple(extent))[np.ix_(*inside)] if inside else self._array.read(())
        dropped = tuple(i for i, one in enumerate(key) if not isinstance(one, slice))
        return found.squeeze(axis=dropped) if dropped else found


def lazy(array: ZarrArray) -> Any:
    """Return lazily read data of an xarray variable."""
    return indexing.LazilyIndexedArray(StoredArray(array))
