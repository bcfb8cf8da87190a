"""The layout of a sweep's results: which variables every point gives, and how their own axes are labelled."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import StateError

Values = NDArray[Any]

STATUS = "status"
REASON = "reason"
"""Names that the package itself gives to variables."""


@dataclass(frozen=True)
class Variable:
    """What one variable is at every point: a number, or an array with axes of its own."""

    name: str
    dims: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()
    unit: str = ""
    description: str = ""

    @property
    def size(self) -> int:
        """How many numbers a point gives."""
        return math.prod(self.shape)

    @property
    def attributes(self) -> dict[str, str]:
        """Unit and description, as xarray has them."""
        given = {"units": self.unit, "long_name": self.description}
        return {key: text for key, text in given.items() if text}


@dataclass(frozen=True, eq=False)
class Layout:
    """The variables of a sweep, and the labels of their own axes by dimension."""

    variables: tuple[Variable, ...]
    labels: Mapping[str, Values] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many numbers a point gives in all."""
        return sum(variable.size for variable in self.variables)

    def demand_free_of(self, taken: tuple[str, ...]) -> None:
        """Raise an error where a variable or an axis of it has a name that means something else in the dataset."""
        names = [variable.name for variable in self.variables]
        for name in names:
            if name in (*taken, STATUS, REASON):
                raise StateError(
                    f"The output {name!r} has the name of something else in the results of the sweep. Give it another: "
                    f"outputs={{'other name': {name!r}}}."
                )
            if names.count(name) > 1:
                raise StateError(f"Two outputs are called {name!r}. Give each a name: outputs={{name: output, …}}.")
        clash = next((dim for dim in self.labels if dim in taken), None)
        if clash is not None:
            raise StateError(
                f"What is swept is called {clash!r}, as an axis of the results is. Rename it in the model."
            )

    def nothing(self, count: int) -> dict[str, Values]:
        """Return the variables of so many points, all of them not-a-number."""
        return {one.name: np.full((count, *one.shape), np.nan) for one in self.variables}
