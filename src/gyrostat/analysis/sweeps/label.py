"""Labels: the values along a dimension of a sweep's results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Label:
    """The values along a dimension."""

    dim: str
    values: NDArray[Any]
    attributes: Mapping[str, str] = field(default_factory=dict)
