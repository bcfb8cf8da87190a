"""Arrays in a folder, in the second version of the Zarr format: raw chunks that any tool for it reads.

A chunk is one file, written atomically. See https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html.
"""

from __future__ import annotations

import hashlib
import json
import math
import operator
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import ResultFileError

Values = NDArray[Any]

CHANGE_FACT = "is not what was written"


def write_whole(path: Path, data: bytes) -> str:
    """Write a file atomically; return its digest. The rename is durable once the folder is synchronised."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    return hashlib.sha256(data).hexdigest()


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of processes that were killed while they wrote."""
    for file in folder.rglob(".*.part"):
        file.unlink(missing_ok=True)


def write_json(path: Path, content: Any) -> str:
    """Write a file of JSON; return its digest."""
    return write_whole(path, json.dumps(content, indent=1, ensure_ascii=False).encode())


def read_json(path: Path) -> Any:
    """Return the content of a file of JSON."""
    return json.loads(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class ZarrArray:
    """An array in a folder: chunks of equal shape, padded at the upper ends."""

    folder: Path
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    chunks: tuple[int, ...]
    dims: tuple[str, ...]
    fill: float | None = None
    """The value of missing chunks; None means zeros and empty texts."""
    attributes: dict[str, Any] = field(default_factory=dict)
    digests: dict[str, str | None] | None = None
    """Digests of complete chunks by file name, None where a digest is unknown; other chunks read as missing.

    Without the mapping every chunk must exist.
    """

    def metadata(self) -> dict[str, Any]:
        """Return the content of the file `.zarray`."""
        return {
            "zarr_format": 2,
            "shape": list(self.shape),
            "chunks": list(self.chunks),
            "dtype": self.dtype.str,
            "compressor": None,
            "fill_value": "NaN" if self.fill is not None and math.isnan(self.fill) else self.fill,
            "order": "C",
            "filters": None,
            "dimension_separator": ".",
        }

    def labels(self) -> dict[str, Any]:
        """Return the content of the file `.zattrs`, with the names of the dimensions for xarray."""
        return {"_ARRAY_DIMENSIONS": list(self.dims), **self.attributes}

    def create(self) -> dict[str, str]:
        """Create the folder of an array without chunks; return the digests of its files."""
        self.folder.mkdir(parents=True, exist_ok=True)
        metadata = write_json(self.folder / ".zarray", self.metadata())
        return {".zarray": metadata, ".zattrs": write_json(self.folder / ".zattrs", self.labels())}

    @staticmethod
    def name(place: tuple[int, ...]) -> str:
        """Return the file name of a chunk."""
        return ".".join(map(str, place)) or "0"

    @property
    def chunk_bytes(self) -> int:
        """The size of the file of a chunk."""
        return math.prod(self.chunks) * self.dtype.itemsize

    def write(self, place: tuple[int, ...], values: Values) -> str:
        """Write a chunk; values of smaller shape are padded. Return the digest of the file."""
        data = np.ascontiguousarray(values, dtype=self.dtype)
        if data.shape != self.chunks:
            whole = self._empty()
            whole[tuple(slice(0, size) for size in data.shape)] = data
            data = whole
        return write_whole(self.folder / self.name(place), data.tobytes())

    def chunk(self, place: tuple[int, ...]) -> Values:
        """Return a chunk, filled if it is missing; raise an error if it differs from what was written."""
        name = self.name(place)
        if self.digests is not None and name not in self.digests:
            return self._empty()
        digest = None if self.digests is None else self.digests[name]
        file = self.folder / name
        fact = file_damage(file, self.chunk_bytes, None)
        data = b"" if fact else file.read_bytes()
        if not fact and digest is not None and hashlib.sha256(data).hexdigest() != digest:
            fact = CHANGE_FACT
        if fact:
            raise ResultFileError(
                f"{self.folder.parent} is damaged: variable {self.folder.name!r}: the file {self.folder.name}/{name} "
                f"{fact}. Run the damaged points again with resume=True (--resume), or take another copy of the store."
            )
        return np.frombuffer(data, dtype=self.dtype).reshape(self.chunks)

    def _empty(self) -> Values:
        empty = self._allocated(self.chunks)
        empty[...] = np.zeros((), self.dtype) if self.fill is None else self.fill
        return empty

    def _allocated(self, shape: tuple[int, ...]) -> Values:
        try:
            return np.empty(shape, dtype=self.dtype)
        except (MemoryError, ValueError, OverflowError) as error:
            raise ResultFileError(
                f"{self.folder.parent}: {math.prod(shape)} values of variable {self.folder.name!r} do not fit into "
                "memory. Read a part of them, and verify the store: gyrostat verify."
            ) from error

    def read(self, extent: tuple[slice, ...]) -> Values:
        """Return part of the array; only the chunks concerned are read."""
        found = self._allocated(tuple(one.stop - one.start for one in extent))
        ranges = [range(one.start // c, -(-one.stop // c)) for one, c in zip(extent, self.chunks, strict=True)]
        for place in _product(ranges):
            source, target = [], []
            for i, one, c in zip(place, extent, self.chunks, strict=True):
                low, high = max(one.start, i * c), min(one.stop, (i + 1) * c)
                source.append(slice(low - i * c, high - i * c))
                target.append(slice(low - one.start, high - one.start))
            found[tuple(target)] = self.chunk(place)[tuple(source)]
        return found


def read_array(folder: Path) -> ZarrArray:
    """Return the array of a folder, without its values."""
    metadata, attributes = read_json(folder / ".zarray"), read_json(folder / ".zattrs")
    fill = metadata["fill_value"]
    dtype = np.dtype(metadata["dtype"])
    return ZarrArray(
        folder,
        dtype,
        tuple(map(operator.index, metadata["shape"])),
        tuple(map(operator.index, metadata["chunks"])),
        tuple(attributes.pop("_ARRAY_DIMENSIONS")),
        math.nan if fill == "NaN" else fill,
        attributes,
    )


def file_damage(file: Path, size: int | None, digest: str | None) -> str:
    """Return how a file differs from its known size and digest, or an empty text."""
    try:
        if not file.is_file():
            return "is missing"
        if size is not None and file.stat().st_size != size:
            return f"has {file.stat().st_size} bytes instead of {size}"
        if digest is not None:
            with file.open("rb") as stream:
                return "" if hashlib.file_digest(stream, "sha256").hexdigest() == digest else CHANGE_FACT
    except OSError as error:
        return f"cannot be read ({error.strerror or error})"
    return ""


def _product(ranges: list[range]) -> Iterator[tuple[int, ...]]:
    if not ranges:
        yield ()
        return
    for first in ranges[0]:
        for rest in _product(ranges[1:]):
            yield (first, *rest)
