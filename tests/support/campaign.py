"""Random campaigns: one case in twenty with fixed seeds in `make test`, every case in `make soak`."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, TypeVar

import pytest

SOAK = os.environ.get("GYROSTAT_SOAK", "") not in ("", "0")
"""Whether campaigns run in full."""
ONE_IN = 20

Cases = TypeVar("Cases", bound=Any)


def chosen(cases: Cases) -> Cases:
    """Return a whole sequence or array in `make soak`, else every twentieth element, counted from the last one."""
    found: Cases = cases if SOAK else cases[::-ONE_IN]
    return found


def examples(full: int) -> int:
    """Return how many examples Hypothesis tries, of the number that `make soak` tries.

    Hypothesis begins with the simplest example, which is often trivial: fewer than five prove nothing.
    """
    if full < 100:
        raise ValueError(f"{full} examples are too few: `make test` runs one in {ONE_IN}. Ask for 100 or more.")
    return full if SOAK else full // ONE_IN


def campaign(
    cases: int | Sequence[Any], name: str = "seed", *, few: Sequence[Any] | None = None, each: int = 1
) -> Callable[[Any], Any]:
    """Return the decorator of a test over random cases, usually seeds.

    cases: number of seeds from 0, or the cases themselves. few: cases of `make test`; without it every twentieth.
    each: number of random models in one case, for the summary of `make soak`.
    """
    full = range(cases) if isinstance(cases, int) else cases
    picked = full if SOAK else chosen(full) if few is None else few

    def decorate(test: Any) -> Any:
        return pytest.mark.campaign(each)(pytest.mark.parametrize(name, picked)(test))

    return decorate


def size_of(item: pytest.Item) -> int:
    """Return the number of random cases in a test; 0 where it has none."""
    mark = item.get_closest_marker("campaign")
    if mark is not None:
        return int(mark.args[0])
    settings = getattr(getattr(item, "obj", None), "_hypothesis_internal_use_settings", None)
    return 0 if settings is None else int(settings.max_examples)


def marked(cases: Iterable[str], random: Container[str]) -> list[Any]:
    """Return cases by name for `parametrize`, with those of random models marked as part of a campaign."""
    return [pytest.param(case, marks=pytest.mark.campaign(1)) if case in random else case for case in cases]


LARGE_EXAMPLES = frozenset(("delta_robot", "stewart_platform"))
"""Examples whose programs take seconds to compile: tests of every program run on them in `make soak` only."""


def examples_by_size(names: Iterable[str]) -> list[Any]:
    """Return names of examples for `parametrize`, sorted; those of large ones only in `make soak`."""
    small = sorted(set(names) - LARGE_EXAMPLES)
    return [*small, *(pytest.param(name, marks=pytest.mark.campaign(1)) for name in sorted(LARGE_EXAMPLES) if SOAK)]
