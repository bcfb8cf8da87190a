"""NetCDF files with a seal: a digest of every byte, so that damage is detected.

The files are NetCDF-3 (64-bit offsets). The seal is the first attribute of the file; it is the SHA-256 of the file with
zeros in the seal's place.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import ResultFileError

_SEAL = b"gyrostat_sha256"
_BLANK_SEAL = b"0" * 64
_HEADER = 1 << 16
_BLOCK = 1 << 20
_VARIABLE_BYTE_LIMIT = 2**31 - 4
"""Of one variable."""
_FORGERY_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, TypeError)
"""Errors of the reader that only contents with a forged seal lead to."""


@dataclass(frozen=True, eq=False)
class FileVariable:
    """An array of a file with the names of its dimensions, and attributes such as units; no dimension has length 0."""

    dims: tuple[str, ...]
    values: NDArray[Any]
    """Floats, 32-bit integers, or single characters."""
    attributes: Mapping[str, str] = field(default_factory=dict)


def labels(dimension: str, names: tuple[str, ...]) -> FileVariable:
    """Return the variable that names the entries of a dimension."""
    longest = max(len(name) for name in names)
    characters = np.array([list(name.ljust(longest)) for name in names], dtype="S1")
    return FileVariable((dimension, f"text{longest}"), characters, {"_Encoding": "utf-8"})


def write_sealed(path: Path, variables: Mapping[str, FileVariable], attributes: Mapping[str, str]) -> None:
    """Write variables and attributes; names are ASCII, attributes any text that is not empty."""
    from scipy.io import netcdf_file

    for name, variable in variables.items():
        if variable.values.nbytes > _VARIABLE_BYTE_LIMIT:
            raise ResultFileError(
                f"{name!r} has {variable.values.size} numbers, more than a variable of a NetCDF file can hold. "
                "Simulate in parts, or with outputs farther apart."
            )
    with path.open("wb") as stream, netcdf_file(stream, "w", version=2) as file:
        setattr(file, _SEAL.decode(), _BLANK_SEAL)
        for key, text in attributes.items():
            setattr(file, key, text.encode())
        for name, variable in variables.items():
            for dimension, length in zip(variable.dims, variable.values.shape, strict=True):
                if dimension not in file.dimensions:
                    file.createDimension(dimension, length)
            made = file.createVariable(name, _type_of(variable.values), variable.dims)
            made[:] = variable.values
            for key, text in variable.attributes.items():
                setattr(made, key, text.encode())
    with path.open("rb+") as written:
        place = _place_of_seal(written.read(_HEADER))
        assert place is not None, "the seal is the first attribute"
        seal = _digest(written, place)
        written.seek(place)
        written.write(seal)


def read_sealed(path: str | os.PathLike[str]) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Return variables and attributes of a whole file; a damaged file, or one without a seal, is refused."""
    from scipy.io import netcdf_file

    name = os.fspath(path)
    try:
        if not Path(path).is_file():
            reason = "this is not a file" if Path(path).exists() else "there is no such file"
            raise ResultFileError(f"{name} cannot be read: {reason}. Check the path.")
        with open(path, "rb") as stream:
            header = stream.read(_HEADER)
            place = _place_of_seal(header)
            if place is None:
                raise ResultFileError(
                    f"{name} is not a result of gyrostat. Results are files that were written by trajectory.save(…)."
                )
            if header[place : place + len(_BLANK_SEAL)] != _digest(stream, place):
                raise ResultFileError(
                    f"{name} is damaged: its contents are not those that were written. Take another copy of it, or "
                    "simulate again."
                )
            stream.seek(0)
            with netcdf_file(stream, "r", mmap=False) as file:
                arrays = {key: _native(variable.data) for key, variable in file.variables.items()}
                texts = {k: v.decode() for k, v in vars(file)["_attributes"].items() if isinstance(v, bytes)}
    except (OSError, ValueError, *_FORGERY_ERRORS) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise ResultFileError(f"{name} cannot be read: {reason}. Check the path and its permissions.") from None
    return arrays, texts


def _type_of(values: NDArray[Any]) -> str:
    return "f" if values.dtype == np.float32 else {"f": "d", "i": "i", "S": "c"}[values.dtype.kind]


def _native(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(values.dtype.newbyteorder("="))


def _place_of_seal(header: bytes) -> int | None:
    """Return where the seal's 64 characters begin: behind its name (padded to 16), its type and its length."""
    place = header.find(_SEAL)
    if not header.startswith(b"CDF") or place < 0 or place + 24 + len(_BLANK_SEAL) > len(header):
        return None
    return place + 24


def _digest(stream: BinaryIO, place: int) -> bytes:
    """Return the seal of a file, in hexadecimal digits."""
    whole = hashlib.sha256()
    for block in _blocks(stream, place):
        whole.update(block)
    return whole.hexdigest().encode()


def _blocks(stream: BinaryIO, place: int) -> Iterator[bytes]:
    stream.seek(0)
    yield stream.read(place)
    yield _BLANK_SEAL
    stream.seek(place + len(_BLANK_SEAL))
    while block := stream.read(_BLOCK):
        yield block
