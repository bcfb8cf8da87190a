"""The values of one point of a sweep, by what they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class PointValues:
    """What a sweep sets at one point: parameters, initial values and inputs, by name. What is not swept is missing."""

    parameters: Mapping[str, float] = field(default_factory=dict)
    initial: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
