"""Arguments of kernels as words: those packed once equal those packed in every call."""

from typing import NamedTuple

import numpy as np
import pytest

from gyrostat.analysis.kernels.packing import Packed, Scratch, constant, examples, pack
from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.program.buffer import address


class _Pair(NamedTuple):
    values: Floats
    places: Places


def _packed(*values: object) -> tuple[list[int], str]:
    words: list[int] = []
    kinds: list[str] = []
    pack(values, words, kinds)
    return words, "".join(kinds)


def test_arrays_and_numbers_are_words() -> None:
    array = np.zeros((2, 3))
    words, kinds = _packed(array, 7, True, 1.0, np.zeros(0))
    assert words == [address(array), 2, 3, 7, 1, 0x3FF0000000000000, 0, 0]
    assert kinds == "(d2ibfd1)"


def test_what_is_packed_once_has_the_same_words() -> None:
    plain = _Pair(np.arange(3.0), np.arange(4))
    expected = _packed(plain, 1)
    assert _packed(Packed(plain), 1) == expected
    assert _packed(constant(plain), 1) == expected
    assert examples((Packed(plain), 1)) == (plain, 1)


def test_scratch_memory_is_zero_apart_and_of_the_kinds_of_its_example() -> None:
    scratch = Scratch(_Pair, ((5, 2), "d"), ((3,), "q"))
    (example,) = examples((scratch,))
    assert isinstance(example, _Pair)
    words, kinds = _packed(scratch)
    assert kinds == _packed(example)[1]
    first, rows, columns, second, count = words
    assert (rows, columns, count) == (5, 2, 3)
    assert second - first >= 80
    assert second % 8 == first % 8 == 0
    import ctypes

    assert ctypes.string_at(first, second - first + 24) == bytes(second - first + 24)


def test_arrays_with_gaps_are_refused() -> None:
    with pytest.raises(ValueError, match="contiguous in memory"):
        _packed(np.zeros((4, 4))[:, 1])
