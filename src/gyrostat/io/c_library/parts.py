"""Long C functions in parts: the time of compilers grows faster than the length of a function.

The straight code of a mechanism of 43 links has 7600 assignments. In one function, gcc -O2 spends most of its time on
registers; in parts of 250 it takes a quarter of it, and the code is as fast. Values that several parts use are passed
in an array of the function, so that it needs no memory of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_PART = 250
"""The number of assignments in a part."""
ARRAY = "shared"
"""The array of values that several parts use."""
MACRO = """\
/* Parts of long functions are compiled one by one. */
#if defined(__GNUC__)
#define PART static __attribute__((noinline))
#else
#define PART static
#endif
"""
"""The definition that sources with parts begin with."""
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Assignment:
    """A value of straight code: its variable, or the entry of an array, and its formula."""

    target: str
    text: str

    @property
    def is_variable(self) -> bool:
        """Whether the value is that of a variable, which later assignments may use."""
        return self.target.isidentifier()

    @property
    def line(self) -> str:
        """The line in C."""
        return f"    {'const double ' if self.is_variable else ''}{self.target} = {self.text};"


def are_long(assignments: Sequence[Assignment]) -> bool:
    """Return whether assignments are better compiled in parts."""
    return len(assignments) > 2 * LONGEST_PART


def in_parts(assignments: Sequence[Assignment]) -> tuple[list[list[Assignment]], int]:
    """Return assignments in parts, and the number of values that several parts use: these are entries of `ARRAY`."""
    parts = [assignments[first : first + LONGEST_PART] for first in range(0, len(assignments), LONGEST_PART)]
    home = {one.target: k for k, part in enumerate(parts) for one in part if one.is_variable}
    places: dict[str, int] = {}
    for k, part in enumerate(parts):
        for name in (name for one in part for name in _NAME.findall(one.text)):
            if home.get(name, k) != k:
                places.setdefault(name, len(places))

    def written(found: re.Match[str]) -> str:
        return f"{ARRAY}[{places[found[0]]}]" if found[0] in places else found[0]

    def shared(one: Assignment) -> Assignment:
        target = _NAME.sub(written, one.target) if one.is_variable else one.target
        return Assignment(target, _NAME.sub(written, one.text))

    return [[shared(one) for one in part] for part in parts], len(places)
