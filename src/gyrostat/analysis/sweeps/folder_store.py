"""A store in a folder of the Zarr format, written block by block, from which a sweep can be resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.sweeps.blocks import Blocks
from gyrostat.analysis.sweeps.layout import STATUS, Label, Layout
from gyrostat.analysis.sweeps.lock import StoreLock
from gyrostat.analysis.sweeps.plan import Plan
from gyrostat.analysis.sweeps.points import Piece, PointStatus
from gyrostat.analysis.sweeps.store import Store
from gyrostat.analysis.sweeps.zarr_files import ZarrArray, read_array, write_json
from gyrostat.errors import ResultFileError
from gyrostat.lazy import later

if TYPE_CHECKING:
    from gyrostat.analysis.sweeps import stored_array
else:
    (stored_array,) = later("gyrostat.analysis.sweeps", "stored_array")

FORMAT = 1
"""Version of the format."""

_OWN = ".gyrostat"
"""The subfolder for the header, the lock and the reasons for failures."""


@dataclass(eq=False)
class FolderStore(Store):
    """Results in a folder of the Zarr format.

    A block is complete when its chunk of the variable `status` exists, which is written last, after the chunks of all
    other variables and the reasons for failures.
    """

    path: Path
    header: Mapping[str, Any]
    arrays: Mapping[str, ZarrArray]
    lock: StoreLock | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        status = self.arrays[STATUS]
        self.blocks = Blocks(status.shape, status.chunks)

    @staticmethod
    def create(
        path: Path, header: Mapping[str, Any], plan: Plan, layout: Layout, blocks: Blocks, labels: Mapping[str, Label]
    ) -> FolderStore:
        """Create a store; the header is written last, so that a folder without it is incomplete."""
        _require_free(path)
        with _telling(path):
            (path / _OWN / "failures").mkdir(parents=True, exist_ok=True)
            lock = StoreLock(path / _OWN / "lock")
        try:
            if is_store(path):
                raise ResultFileError(f"{path} was made by another sweep just now. Choose another store.")
            with _telling(path):
                arrays = dict(_arrays(path, blocks, layout, plan.dims))
                coordinates = {name: _coordinate(path, name, label) for name, label in labels.items()}
                for array in (*arrays.values(), *coordinates.values()):
                    array.create()
                for name, array in coordinates.items():
                    array.write((0,), labels[name].values)
                _write_group(path, {**arrays, **coordinates}, header)
                write_json(path / _OWN / "header.json", header)
        except BaseException:
            lock.release()
            raise
        return FolderStore(path, header, arrays, lock)

    @staticmethod
    def open(path: Path, *, writing: bool) -> FolderStore:
        """Open an existing store; for writing, its lock is acquired."""
        header = read_header(path)
        lock = StoreLock(path / _OWN / "lock") if writing else None
        try:
            names = [*header["variables"], STATUS]
            arrays = {name: read_array(path / name) for name in names}
        except (OSError, ValueError, KeyError, TypeError) as error:
            if lock is not None:
                lock.release()
            raise ResultFileError(
                f"{path} is damaged: {type(error).__name__}: {error}. Delete it and sweep again."
            ) from error
        return FolderStore(path, header, arrays, lock)

    def done(self) -> set[int]:
        """Return the numbers of the complete blocks."""
        return {block for block in self.blocks if self.arrays[STATUS].has(self.blocks.place(block))}

    def write(self, block: int, piece: Piece) -> None:
        """Write the results of a block atomically."""
        place = self.blocks.place(block)
        shape = tuple(one.stop - one.start for one in self.blocks.extent(block))
        with _telling(self.path):
            for name, values in piece.values.items():
                own = values.shape[1:]
                self.arrays[name].write((*place, *(0 for _ in own)), values.reshape(*shape, *own))
            failures = self.path / _OWN / "failures" / f"{block}.json"
            if piece.reasons:
                write_json(failures, {str(number): reason for number, reason in piece.reasons.items()})
            self.arrays[STATUS].write(place, piece.status.reshape(shape))

    def values(self, name: str) -> Any:
        """Return the values of a variable, read lazily."""
        return stored_array.lazy(self.arrays[name])

    def status(self) -> NDArray[np.int8]:
        """Return the status of all points."""
        array = self.arrays[STATUS]
        return array.read(tuple(slice(0, size) for size in array.shape))

    def reasons(self) -> dict[int, str]:
        """Return the reasons for failures by point."""
        found: dict[int, str] = {}
        done = self.done()
        for file in (self.path / _OWN / "failures").glob("*.json"):
            if file.stem.isdecimal() and int(file.stem) in done:
                found |= {int(number): str(text) for number, text in json.loads(file.read_text("utf-8")).items()}
        return dict(sorted(found.items()))

    def close(self) -> None:
        """Release the lock."""
        if self.lock is not None:
            self.lock.release()


def is_store(path: Path) -> bool:
    """Tell whether a folder is an incomplete store."""
    return (path / _OWN / "header.json").is_file()


def read_header(path: Path) -> dict[str, Any]:
    """Return the header of a store; raise an error for other folders and later versions."""
    try:
        header = json.loads((path / _OWN / "header.json").read_text(encoding="utf-8"))
        version = int(header["format"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResultFileError(f"{path} is not the store of a sweep. Give the folder that store=… named.") from error
    if version > FORMAT:
        raise ResultFileError(
            f"{path} has format {version}; this gyrostat reads {FORMAT}. Install a newer one: "
            "pip install --upgrade gyrostat."
        )
    return dict(header)


def read_labels(path: Path, names: Iterable[str]) -> dict[str, Label]:
    """Return the labels of a store."""
    found = {}
    for name in names:
        array = read_array(path / name)
        found[name] = Label(array.dims[0], array.read((slice(0, array.shape[0]),)), array.attributes)
    return found


def _require_free(path: Path) -> None:
    """Raise an error if a store cannot be created at a path."""
    if path.suffix != ".zarr":
        raise ResultFileError(f"{path} is to hold a sweep: its name must end in .zarr. Choose another name.")
    if path.exists() and not path.is_dir():
        raise ResultFileError(f"{path} is a file, not a folder. Choose another name.")
    if path.is_dir() and any(path.iterdir()) and not (path / _OWN).is_dir():
        raise ResultFileError(f"{path} is there already and is not the store of a sweep. Choose another name.")
    if not path.parent.is_dir():
        raise ResultFileError(f"{path} cannot be written: there is no folder {path.parent}. Make it first.")


def _coordinate(path: Path, name: str, label: Label) -> ZarrArray:
    values = label.values
    dtype = values.dtype.newbyteorder("<") if values.dtype.kind in "fiU" else np.dtype("<f8")
    return ZarrArray(path / name, dtype, values.shape, values.shape, (label.dim,), None, dict(label.attributes))


def _arrays(path: Path, blocks: Blocks, layout: Layout, dims: tuple[str, ...]) -> Any:
    for one in layout.variables:
        yield (
            one.name,
            ZarrArray(
                path / one.name,
                np.dtype("<f8"),
                (*blocks.shape, *one.shape),
                (*blocks.block, *one.shape),
                (*dims, *one.dims),
                np.nan,
                dict(one.attributes),
            ),
        )
    meanings = " ".join(status.name.lower() for status in PointStatus)
    attributes = {"flag_values": [int(status) for status in PointStatus], "flag_meanings": meanings}
    status = ZarrArray(path / STATUS, np.dtype("|i1"), blocks.shape, blocks.block, dims, None, attributes)
    yield STATUS, status


def _write_group(path: Path, arrays: Mapping[str, ZarrArray], header: Mapping[str, Any]) -> None:
    """Write the metadata of the group, and the consolidated metadata of all arrays."""
    group, attributes = {"zarr_format": 2}, {"title": header["title"], "source": header["source"]}
    beside = [name for name in header["labels"] if arrays[name].dims != (name,)]
    if beside:
        attributes["coordinates"] = " ".join(beside)
    write_json(path / ".zgroup", group)
    write_json(path / ".zattrs", attributes)
    everything: dict[str, Any] = {".zgroup": group, ".zattrs": attributes}
    for name, array in arrays.items():
        everything |= {f"{name}/.zarray": array.metadata(), f"{name}/.zattrs": array.labels()}
    write_json(path / ".zmetadata", {"zarr_consolidated_format": 1, "metadata": everything})


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Convert errors of the disk to `ResultFileError`, stating which results are safe."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise ResultFileError(
            f"{path} cannot be written: {reason}. What was written before is whole; make room or mend the disk, then "
            "go on with resume=True (--resume)."
        ) from error
