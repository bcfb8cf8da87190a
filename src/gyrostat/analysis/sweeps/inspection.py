"""The contents of a store, verified: digests of its files, and the blocks that are complete or damaged."""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gyrostat.analysis.sweeps.blocks import Blocks
from gyrostat.analysis.sweeps.layout import STATUS, Label
from gyrostat.analysis.sweeps.zarr_files import ZarrArray, file_damage, read_array, read_json
from gyrostat.errors import ResultFileError
from gyrostat.model.names import counted

FORMAT = 1
"""Version of the format."""

OWN = ".gyrostat"
"""The subfolder for the header, the lock, the seals of blocks and the reasons for failures."""

GROUP_FILES = (".zgroup", ".zattrs", ".zmetadata")

_ERRORS = (
    *(ArithmeticError, AttributeError, LookupError, MemoryError, OSError),
    *(RecursionError, SyntaxError, TypeError, ValueError),
)
"""Errors that readers of JSON and of array metadata raise on arbitrary input."""


@dataclass(frozen=True)
class DamagedFile:
    """A file of a store that differs from what was written."""

    file: str
    """The path in the store."""
    fact: str
    block: int | None = None
    """The block that the file belongs to; None for coordinates and metadata."""
    first: int = 0
    last: int = 0
    """The points of the block."""

    @property
    def variable(self) -> str | None:
        """The variable or coordinate that the file belongs to."""
        folder = self.file.rpartition("/")[0]
        return None if not folder or folder.startswith(OWN) else folder

    def __str__(self) -> str:
        points = f"point {self.first}" if self.first == self.last else f"points {self.first} to {self.last}"
        where = [] if self.block is None else [f"block {self.block} ({points})"]
        kind = "coordinate or variable" if self.block is None else "variable"
        where += [] if self.variable is None else [f"{kind} {self.variable!r}"]
        return f"{', '.join(where)}: the file {self.file} {self.fact}".removeprefix(": ")


@dataclass(frozen=True, eq=False)
class Inspection:
    """A store with its complete blocks and all faults."""

    path: Path
    header: Mapping[str, Any]
    arrays: Mapping[str, ZarrArray]
    """The variables and the status."""
    blocks: Blocks
    whole: Mapping[int, Mapping[str, str] | None]
    """Complete blocks with the digests of their files; None for blocks without digests, of version 0.1.0."""
    faults: tuple[DamagedFile, ...]

    @property
    def size(self) -> int:
        """The number of points of the sweep."""
        return math.prod(self.blocks.shape)

    @property
    def damaged(self) -> tuple[int, ...]:
        """The damaged blocks."""
        return tuple(sorted({fault.block for fault in self.faults if fault.block is not None}))

    @property
    def unsealed(self) -> tuple[int, ...]:
        """The complete blocks without digests."""
        return tuple(block for block, files in self.whole.items() if files is None)

    def points(self, blocks: Iterable[int]) -> int:
        """Return the number of points of blocks."""
        return sum(stop - start for start, stop in map(self.blocks.range, blocks))

    def summary(self) -> str:
        """Return the first fault and the number of others."""
        more = len(self.faults) - 1
        return f"{self.faults[0]}" + (f" (and {counted(more, 'other fault', 'other faults')})" if more else "")

    def require_record(self) -> None:
        """Raise an error if coordinates or metadata are damaged."""
        if any(fault.block is None for fault in self.faults):
            raise ResultFileError(
                f"{self.path} is damaged: {self.summary()}. Take another copy of it, or delete it and sweep again."
            )

    def require_whole(self) -> None:
        """Raise an error if anything is damaged."""
        self.require_record()
        if self.faults:
            raise ResultFileError(
                f"{self.path} is damaged: {self.summary()}. Run the damaged points again with resume=True (--resume), "
                "or take another copy of it."
            )


class DamageError(ValueError):
    """A contradiction within a store; `reading` converts it to `ResultFileError`."""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Convert errors of damaged files to `ResultFileError`."""
    try:
        yield
    except _ERRORS as error:
        fact = str(error) if isinstance(error, DamageError) else f"{type(error).__name__}: {error}"
        raise ResultFileError(f"{path} is damaged: {fact}. Delete it and sweep again.") from error


# --- the record -------------------------------------------------------------------------------------------------------


def sealed(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return a header with its own digest."""
    content = {key: value for key, value in header.items() if key != "sha256"}
    text = json.dumps(content, sort_keys=True)
    return {**content, "sha256": hashlib.sha256(text.encode()).hexdigest()}


def read_header(path: Path) -> dict[str, Any]:
    """Return the header of a store; raise an error for other folders, later versions and damaged headers."""
    try:
        header = read_json(path / OWN / "header.json")
        version = int(header["format"])
    except _ERRORS as error:
        raise ResultFileError(f"{path} is not the store of a sweep. Give the folder that store=… named.") from error
    if version > FORMAT:
        raise ResultFileError(
            f"{path} has format {version}; this gyrostat reads {FORMAT}. Install a newer one: "
            "pip install --upgrade gyrostat."
        )
    with reading(path):
        digest = header.get("sha256")
        if (digest is not None or "files" in header) and sealed(header)["sha256"] != digest:
            raise DamageError(f"the file {OWN}/header.json is not what was written")
        return dict(header)


def _is_sealed(header: Mapping[str, Any]) -> bool:
    """Tell whether all blocks have digests; those of version 0.1.0 have none."""
    return "sha256" in header


def read_labels(path: Path, names: Iterable[str]) -> dict[str, Label]:
    """Return the labels of a store."""
    found = {}
    for name in names:
        array = _label(path, name)
        values = array.read((slice(0, array.shape[0]),))
        if values.dtype.kind == "U" and values.view("<u4").max(initial=0) > sys.maxunicode:
            raise DamageError(f"coordinate {name!r}: the file {name}/0 is no text")
        found[name] = Label(array.dims[0], values, array.attributes)
    return found


def require_folder_name(path: Path, name: object) -> None:
    """Raise an error if a variable or coordinate cannot be a folder of a store."""
    if not isinstance(name, str) or not name or name.startswith(".") or re.search(r"[/\\\0]", name):
        raise ResultFileError(
            f"{path} cannot hold a variable called {name!r:.60}, which is no name of a folder. Give it another name, "
            "without slashes and without a dot at the beginning."
        )


def _label(path: Path, name: str) -> ZarrArray:
    """Return the array of a label, whose only chunk has the size that its shape requires."""
    require_folder_name(path, name)
    array = read_array(path / name)
    if len(array.shape) != 1 or array.chunks != array.shape or len(array.dims) != 1 or array.dtype.kind not in "fiU":
        raise DamageError(f"the coordinate {name!r} is no row of numbers or texts")
    if fact := file_damage(path / name / "0", array.chunk_bytes, None):
        raise DamageError(f"coordinate {name!r}: the file {name}/0 {fact}")
    return array


def _variables(path: Path, header: Mapping[str, Any]) -> dict[str, ZarrArray]:
    """Return the arrays of variables and status; raise an error if their shapes disagree with the header."""
    for name in header["variables"]:
        require_folder_name(path, name)
    arrays = {name: read_array(path / name) for name in (*header["variables"], STATUS)}
    status, labels = arrays[STATUS], {name: _label(path, name) for name in header["labels"]}
    sizes = [{labels[name].shape[0] for name in axis["names"]} for axis in header["axes"]]
    if [set(status.shape[i : i + 1]) for i in range(len(status.shape))] != sizes:
        raise DamageError(f"{STATUS!r} has the shape {status.shape}, unlike the coordinates")
    if Blocks.of(status.shape, math.prod(status.chunks)).block != status.chunks or status.dtype != np.int8:
        raise DamageError(f"{STATUS!r} has chunks of the shape {status.chunks}")
    for name, one in header["variables"].items():
        own, array = tuple(one["shape"]), arrays[name]
        expected = (*status.shape, *own), (*status.chunks, *own), np.dtype("<f8"), name
        if (array.shape, array.chunks, array.dtype, one["name"]) != expected:
            raise DamageError(f"variable {name!r} has the shape {array.shape}, unlike the header")
    return arrays


# --- inspection -------------------------------------------------------------------------------------------------------


def inspect(path: Path) -> Inspection:
    """Read all files of a store and compare them with their digests."""
    header = read_header(path)
    with reading(path):
        arrays = _variables(path, header)
        blocks = Blocks(arrays[STATUS].shape, arrays[STATUS].chunks)
        faults = list(_record_faults(path, header))
        whole: dict[int, Mapping[str, str] | None] = {}
        for block in sorted(_written(path, header, blocks)):
            wrong, files = _block(path, header, arrays, blocks, block)
            if wrong:
                first, stop = blocks.range(block)
                faults += [DamagedFile(file, fact, block, first, stop - 1) for file, fact in wrong]
            else:
                whole[block] = files
        return Inspection(path, header, arrays, blocks, whole, tuple(faults))


def seal_file(path: Path, block: int) -> Path:
    """Return the file with the digests of a block."""
    return path / OWN / "seals" / f"{block}.json"


def failures_file(path: Path, block: int) -> Path:
    """Return the file with the reasons for failures of a block."""
    return path / OWN / "failures" / f"{block}.json"


def chunk_files(arrays: Mapping[str, ZarrArray], place: tuple[int, ...]) -> dict[str, ZarrArray]:
    """Return the arrays of a block by the path of their chunk in the store."""
    found = {}
    for name, array in arrays.items():
        own = len(array.shape) - len(place)
        found[f"{name}/{array.name((*place, *(0 for _ in range(own))))}"] = array
    return found


def _record_faults(path: Path, header: Mapping[str, Any]) -> Iterator[DamagedFile]:
    """Yield faults of coordinates and metadata; version 0.1.0 wrote no digests of them."""
    if not _is_sealed(header):
        return
    arrays = [f"{name}/{file}" for name in (*header["variables"], STATUS) for file in (".zarray", ".zattrs")]
    labels = [f"{name}/{file}" for name in header["labels"] for file in (".zarray", ".zattrs", "0")]
    for name in (*GROUP_FILES, *arrays, *labels):
        if fact := file_damage(path / name, None, header["files"][name]):
            yield DamagedFile(name, fact)


def _written(path: Path, header: Mapping[str, Any], blocks: Blocks) -> set[int]:
    """Return the blocks that have a seal; in stores without digests also those that have a status."""
    names = (file.stem for file in (path / OWN / "seals").glob("*.json"))
    found = {int(name) for name in names if name.isdecimal() and str(int(name)) == name}
    if not _is_sealed(header):
        places = {blocks.place(block) for block in found if block < len(blocks)}
        for file in (path / STATUS).iterdir():
            if re.fullmatch(r"[0-9]+(\.[0-9]+)*", file.name):
                places.add(tuple(map(int, file.name.split("."))))
        inside = [p for p in places if len(p) == len(blocks.counts) and all(map(int.__lt__, p, blocks.counts))]
        found |= {int(np.ravel_multi_index(place, blocks.counts)) for place in inside}
    return {block for block in found if block < len(blocks)}


def _block(
    path: Path, header: Mapping[str, Any], arrays: Mapping[str, ZarrArray], blocks: Blocks, block: int
) -> tuple[list[tuple[str, str]], Mapping[str, str] | None]:
    """Return the damaged files of a block with the facts, and the digests of its files."""
    chunks = chunk_files(arrays, blocks.place(block))
    seal, failures = seal_file(path, block), failures_file(path, block)
    if not seal.exists() and not _is_sealed(header):
        facts = [(name, file_damage(path / name, array.chunk_bytes, None)) for name, array in chunks.items()]
        if failures.exists():
            facts.append((f"{OWN}/failures/{failures.name}", _failures_damage(failures)))
        return [one for one in facts if one[1]], None
    name, reasons = f"{OWN}/seals/{seal.name}", f"{OWN}/failures/{failures.name}"
    try:
        content = read_json(seal)
        files = {str(file): str(digest) for file, digest in content["files"].items()}
        own = content["block"] == block and content["record"] == header.get("sha256")
    except _ERRORS:
        return [(name, "cannot be read")], None
    if not own or set(files) - {reasons} != set(chunks):
        return [(name, "belongs to other results")], None
    sizes = {file: array.chunk_bytes for file, array in chunks.items()}
    facts = [(file, file_damage(path / file, sizes.get(file), digest)) for file, digest in files.items()]
    return [one for one in facts if one[1]], files


def _failures_damage(file: Path) -> str:
    try:
        content = read_json(file)
        return "" if all(key.isdecimal() for key in content) else "is not what was written"
    except _ERRORS:
        return "cannot be read"
