"""Names of components, points and parameters: syntax, reserved words, suggestions for misspelt names."""

from __future__ import annotations

import difflib
import heapq
import keyword
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile

from gyrostat.model.formula import CONSTANTS, TIME
from gyrostat.scalar import ARITY

GROUND = "ground"
"""The inertial body, present in every model."""

WORLD = "world"
"""Keyword for the axes of the ground in force components; no body may have this name."""

SEEN_FROM = ".seen_from."
"""The part of a name that separates the two places of a relative motion: "load.seen_from.boom"."""

FORMULA_WORDS = frozenset((TIME, *CONSTANTS, *ARITY))
"""Reserved names of formulas."""

LONGEST_NAME = 100
"""The largest number of characters in a name."""

LONGEST_PATH = 1000
"""The largest number of characters in a name with dots."""

LIST_LIMIT = 12
"""The largest number of names in a list in a message."""


def fault_of(name: object) -> tuple[str, str] | None:
    """Return (fact, remedy) if this is not a valid name, else None."""
    if not isinstance(name, str):
        return f"the name {_shown(name)} is not text.", "Use letters, digits and underscores."
    if not name:
        return "the name is empty.", "Use letters, digits and underscores."
    if len(name) > LONGEST_NAME:
        return f"the name has {len(name)} characters.", f"Use at most {LONGEST_NAME}."
    if not _is_identifier(name):
        if "." in name and all(_is_name(part) for part in name.split(".")):
            return (
                f"{_shown(name)} cannot be a name: dots stand between the names of an owner and of its part.",
                f"Use letters, digits and underscores, for example {suggestion(name)!r}.",
            )
        return (
            f"{_shown(name)} cannot be a name.",
            f"Use letters, digits and underscores, beginning with a letter, for example {suggestion(name)!r}.",
        )
    if keyword.iskeyword(name):
        return f"{name!r} is a word of the formula language.", f"Call it {name + '_'!r}, for example."
    return None


def path_fault(path: object) -> tuple[str, str] | None:
    """Return (fact, remedy) if a part of a name with dots is not a valid name, else None."""
    if not isinstance(path, str) or "." not in path:
        return fault_of(path)
    if len(path) > LONGEST_PATH:
        return f"the name has {len(path)} characters.", f"Use at most {LONGEST_PATH}."
    return next((fault for part in path.split(".") if (fault := fault_of(part))), None)


def prefixes(name: str) -> Iterator[str]:
    """Yield the name and the names before each of its dots, the longest first.

    >>> list(prefixes("left.axle.hub"))
    ['left.axle.hub', 'left.axle', 'left']
    """
    while name:
        yield name
        name = name.rpartition(".")[0]


def reserved_fault(name: str, words: Iterable[str]) -> tuple[str, str] | None:
    """Return (fact, remedy) if the name is one of the reserved words, else None."""
    if name in words:
        return f"{name!r} is a reserved word.", f"Call it {name + '_1'!r}, for example."
    return None


def output_fault(name: str, suffixes: Iterable[str]) -> tuple[str, str] | None:
    """Return (fact, remedy) if a name within a component equals the name of one of its outputs."""
    if name in suffixes:
        return f"{name!r} is the name of an output of the same component.", f"Call it {name + '_1'!r}, for example."
    return None


def suggestion(name: str) -> str:
    """Return a valid name similar to this one."""
    plain = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", name)[:LONGEST_NAME]).strip("_")
    offers = (plain, f"_{plain}"[:LONGEST_NAME], f"{plain}_"[:LONGEST_NAME])
    return next((offer for offer in offers if _is_name(offer)), "name")


def _is_identifier(name: str) -> bool:
    """Return whether this is a Python identifier in normalised (NFKC) form."""
    return name.isidentifier() and (name.isascii() or unicodedata.normalize("NFKC", name) == name)


def _is_name(name: str) -> bool:
    return _is_identifier(name) and name != "_" and not keyword.iskeyword(name)


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun: 1 body, 2 bodies."""
    return f"{number} {one if number == 1 else many}"


def first_few(names: Sequence[str]) -> str:
    """Return names separated by commas; a long list is truncated.

    >>> first_few(["a1", "a2"])
    'a1, a2'
    """
    return ", ".join(names[:LIST_LIMIT]) + (", …" if len(names) > LIST_LIMIT else "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a remedy: names that begin with this one and a dot, the closest ones, or all if they are few.

    Its run time is bounded, since a faulty file may cause 100 000 calls or contain a name of several megabytes.
    """
    names = list(islice(known, _KNOWN_LIMIT))
    if len(names) == _KNOWN_LIMIT:
        return f"Known: {', '.join(names[:LIST_LIMIT])} and many more."
    inner = [each for each in names if each.startswith(f"{name}.")] if name else []
    if inner:
        return f"Did you mean one of {first_few(inner)}?" if len(inner) > 1 else f"Did you mean {inner[0]!r}?"
    close = difflib.get_close_matches(name, _similar(name, names), n=3, cutoff=0.6) if len(name) <= LONGEST_NAME else []
    if close:
        return f"Did you mean {' or '.join(repr(n) for n in close)}?"
    if not names:
        return "There are none."
    if outer := [each for each in names if each.endswith(f".{name}")]:
        return f"Did you mean {' or '.join(repr(each) for each in outer[:3])}?"
    shown = ", ".join(heapq.nsmallest(LIST_LIMIT, names)) + (
        f", … ({len(names)} in all)" if len(names) > LIST_LIMIT else ""
    )
    return f"Known: {shown}."


def _similar(name: str, names: list[str]) -> list[str]:
    """Return the candidates for comparison: of many names, a few with similar ends and length."""
    if len(names) <= _COMPARISON_LIMIT:
        return names
    first, last, near = name[:1], name[-1:], range(len(name) - 1, len(name) + 2)
    alike = [n for n in names if n[:1] == first and n[-1:] == last and len(n) in near]
    if not alike:
        alike = [n for n in names if (n[:1] == first or n[-1:] == last) and len(n) in near]
    return heapq.nsmallest(_COMPARISON_LIMIT, alike[:_RANKING_LIMIT], key=lambda n: (-_shared(n, name), n))


def _shared(a: str, b: str) -> int:
    """Return the total length of the common prefix and suffix of two names."""
    before = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    behind = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a[::-1], b[::-1], strict=False)))
    return before + behind


_KNOWN_LIMIT = 5000
_COMPARISON_LIMIT = 16
_RANKING_LIMIT = 64


def _shown(name: object) -> str:
    text = ascii(name)
    return text if len(text) <= 60 else text[:57] + "..."
