"""A store in a folder of the Zarr format, written block by block, from which a sweep can be resumed."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.sweeps.blocks import Blocks
from gyrostat.analysis.sweeps.inspection import (
    OWN,
    Inspection,
    chunk_files,
    failures_file,
    inspect,
    reading,
    require_folder_name,
    seal_file,
    sealed,
)
from gyrostat.analysis.sweeps.layout import STATUS, Label, Layout
from gyrostat.analysis.sweeps.lock import StoreLock
from gyrostat.analysis.sweeps.plan import Plan
from gyrostat.analysis.sweeps.points import Piece, PointStatus
from gyrostat.analysis.sweeps.store import Store
from gyrostat.analysis.sweeps.zarr_files import ZarrArray, read_json, remove_leftovers, write_json
from gyrostat.errors import ResultFileError
from gyrostat.lazy import later
from gyrostat.model.names import counted
from gyrostat.program.warning import GyrostatWarning
from gyrostat.results.whole_file import sync_folder

if TYPE_CHECKING:
    from gyrostat.analysis.sweeps import stored_array
else:
    (stored_array,) = later("gyrostat.analysis.sweeps", "stored_array")


@dataclass(eq=False)
class FolderStore(Store):
    """Results in a folder of the Zarr format.

    A block is complete when its seal exists, a file with the digests of its other files. It is written last, after the
    chunks of all variables, the reasons for failures and the status. Stores of version 0.1.0 have blocks without seals.
    """

    path: Path
    header: Mapping[str, Any]
    arrays: Mapping[str, ZarrArray]
    """The variables and the status; their `digests` have the complete blocks."""
    seals: dict[int, Mapping[str, str] | None] = field(default_factory=dict, repr=False)
    """Complete blocks with the digests of their files; None for blocks without digests."""
    lock: StoreLock | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        status = self.arrays[STATUS]
        self.blocks = Blocks(status.shape, status.chunks)
        for array in self.arrays.values():
            object.__setattr__(array, "digests", {})
        for block, files in self.seals.items():
            self._note(block, files)

    @staticmethod
    def create(
        path: Path, header: Mapping[str, Any], plan: Plan, layout: Layout, blocks: Blocks, labels: Mapping[str, Label]
    ) -> FolderStore:
        """Create a store; the header is written last, so that a folder without it is incomplete."""
        _require_free(path)
        for name in (*labels, *(one.name for one in layout.variables)):
            require_folder_name(path, name)
        with _telling(path):
            (path / OWN / "failures").mkdir(parents=True, exist_ok=True)
            (path / OWN / "seals").mkdir(exist_ok=True)
            lock = StoreLock(path / OWN / "lock")
        try:
            if is_store(path):
                raise ResultFileError(f"{path} was made by another sweep just now. Choose another store.")
            with _telling(path):
                _remove_incomplete(path)
                arrays = dict(_arrays(path, blocks, layout, plan.dims))
                header = _write_record(path, header, arrays, labels)
        except BaseException:
            lock.release()
            raise
        return FolderStore(path, header, arrays, lock=lock)

    @staticmethod
    def open(path: Path, *, writing: bool) -> FolderStore:
        """Open an existing store and verify all of its files.

        For writing, its lock is acquired, and damaged blocks are removed so that they are run again; for reading,
        damaged blocks are an error.
        """
        lock = None
        if writing:
            with _telling(path):
                lock = StoreLock(path / OWN / "lock")
        try:
            found = inspect(path)
            if writing:
                with _telling(path):
                    _mend(found)
            else:
                found.require_whole()
            _report_unsealed(found)
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        return FolderStore(path, found.header, found.arrays, dict(found.whole), lock)

    def done(self) -> set[int]:
        """Return the numbers of the complete blocks."""
        return set(self.seals)

    def write(self, block: int, piece: Piece) -> None:
        """Write the results of a block atomically: the chunks, then the status, then the seal."""
        place = self.blocks.place(block)
        shape = tuple(one.stop - one.start for one in self.blocks.extent(block))
        files: dict[str, str] = {}
        with _telling(self.path):
            for name, values in piece.values.items():
                array, own = self.arrays[name], values.shape[1:]
                chunk = (*place, *(0 for _ in own))
                files[f"{name}/{array.name(chunk)}"] = array.write(chunk, values.reshape(*shape, *own))
                sync_folder(array.folder)
            failures = failures_file(self.path, block)
            failures.unlink(missing_ok=True)
            if piece.reasons:
                reasons = {str(number): reason for number, reason in piece.reasons.items()}
                files[f"{OWN}/failures/{failures.name}"] = write_json(failures, reasons)
            sync_folder(failures.parent)
            status = self.arrays[STATUS]
            files[f"{STATUS}/{status.name(place)}"] = status.write(place, piece.status.reshape(shape))
            sync_folder(status.folder)
            seal = seal_file(self.path, block)
            seal.parent.mkdir(exist_ok=True)  # version 0.1.0 made none
            write_json(seal, {"block": block, "record": self.header.get("sha256"), "files": files})
            sync_folder(seal.parent)
        self._note(block, files)

    def _note(self, block: int, files: Mapping[str, str] | None) -> None:
        """Enter a complete block with the digests of its files."""
        self.seals[block] = files
        for name, array in chunk_files(self.arrays, self.blocks.place(block)).items():
            assert array.digests is not None, "set for all arrays of the store"
            array.digests[name.rpartition("/")[2]] = None if files is None else files[name]

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
        with reading(self.path):
            for block, files in self.seals.items():
                file = failures_file(self.path, block)
                if file.exists() if files is None else f"{OWN}/failures/{file.name}" in files:
                    found |= {int(number): str(text) for number, text in read_json(file).items()}
        return dict(sorted(found.items()))

    def close(self) -> None:
        """Release the lock."""
        if self.lock is not None:
            self.lock.release()


def is_store(path: Path) -> bool:
    """Tell whether a folder is a store, complete or not."""
    return (path / OWN / "header.json").is_file()


def _require_free(path: Path) -> None:
    """Raise an error if a store cannot be created at a path."""
    if path.suffix != ".zarr":
        raise ResultFileError(f"{path} is to hold a sweep: its name must end in .zarr. Choose another name.")
    if path.exists() and not path.is_dir():
        raise ResultFileError(f"{path} is a file, not a folder. Choose another name.")
    if path.is_dir() and any(path.iterdir()) and not (path / OWN).is_dir():
        raise ResultFileError(f"{path} exists already and is not the store of a sweep. Choose another name.")
    if not path.parent.is_dir():
        raise ResultFileError(f"{path} cannot be written: there is no folder {path.parent}. Make it first.")
    if any((path / STATUS).glob("[0-9]*")):
        raise ResultFileError(
            f"{path} is damaged: it has results, but the file {OWN}/header.json is missing. Take another copy of it, "
            "or delete it and sweep again."
        )


def _remove_incomplete(path: Path) -> None:
    """Remove what the interrupted creation of a store left; it has no results."""
    remove_leftovers(path)
    for metadata in path.glob("*/.zarray"):
        shutil.rmtree(metadata.parent)
    for file in (path / OWN / "seals").glob("*.json"):
        file.unlink()


def _write_record(
    path: Path, header: Mapping[str, Any], arrays: Mapping[str, ZarrArray], labels: Mapping[str, Label]
) -> dict[str, Any]:
    """Write the metadata of all arrays, the labels and the header with their digests; return the header."""
    coordinates = {name: _coordinate(path, name, label) for name, label in labels.items()}
    files: dict[str, str] = {}
    for name, array in (*arrays.items(), *coordinates.items()):
        files |= {f"{name}/{file}": digest for file, digest in array.create().items()}
    for name, array in coordinates.items():
        files[f"{name}/0"] = array.write((0,), labels[name].values)
    files |= _write_group(path, {**arrays, **coordinates}, header)
    for array in (*arrays.values(), *coordinates.values()):
        sync_folder(array.folder)
    sync_folder(path)
    complete = sealed({**header, "files": files})
    write_json(path / OWN / "header.json", complete)
    sync_folder(path / OWN)
    sync_folder(path.parent)
    return complete


def _report_unsealed(found: Inspection) -> None:
    if found.unsealed:
        warnings.warn(
            f"{found.path} has {counted(found.points(found.unsealed), 'point', 'points')} that version 0.1.0 wrote "
            "without digests: damage to them cannot be detected. Sweep again into a new store to have digests.",
            GyrostatWarning,
            stacklevel=4,
        )


def _mend(found: Inspection) -> None:
    """Remove the damaged blocks of a store and the temporary files of killed writers."""
    found.require_record()
    remove_leftovers(found.path)
    if not found.damaged:
        return
    status = found.arrays[STATUS]
    for block in found.damaged:
        seal_file(found.path, block).unlink(missing_ok=True)
        (status.folder / status.name(found.blocks.place(block))).unlink(missing_ok=True)
    sync_folder(status.folder)
    if seal_file(found.path, 0).parent.is_dir():
        sync_folder(seal_file(found.path, 0).parent)
    warnings.warn(
        f"{found.path} is damaged: {found.summary()}. "
        f"{counted(found.points(found.damaged), 'point is', 'points are')} run again.",
        GyrostatWarning,
        stacklevel=4,
    )


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


def _write_group(path: Path, arrays: Mapping[str, ZarrArray], header: Mapping[str, Any]) -> dict[str, str]:
    """Write the metadata of the group, and the consolidated metadata of all arrays; return the digests of the files."""
    group, attributes = {"zarr_format": 2}, {"title": header["title"], "source": header["source"]}
    beside = [name for name in header["labels"] if arrays[name].dims != (name,)]
    if beside:
        attributes["coordinates"] = " ".join(beside)
    everything: dict[str, Any] = {".zgroup": group, ".zattrs": attributes}
    for name, array in arrays.items():
        everything |= {f"{name}/.zarray": array.metadata(), f"{name}/.zattrs": array.labels()}
    consolidated = {"zarr_consolidated_format": 1, "metadata": everything}
    contents = {".zgroup": group, ".zattrs": attributes, ".zmetadata": consolidated}
    return {name: write_json(path / name, content) for name, content in contents.items()}


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Convert errors of the disk to `ResultFileError`, stating which results are safe."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise ResultFileError(
            f"{path} cannot be written: {reason}. Earlier results are complete. Free space or repair the disk, then "
            "continue with resume=True (--resume)."
        ) from error
