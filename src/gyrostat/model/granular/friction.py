"""Friction between grains: sliding with memory, and resistance to rolling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Dimensioned


@dataclass(frozen=True)
class GranularFriction(Dimensioned):
    """Sliding friction and rolling resistance of grains, both with memory, so that heaps come to rest.

    Sliding (Cundall and Strack 1979): a tangential spring of `stiffness_ratio` times the normal stiffness, whose force
    is at most μN; below that limit a damper acts beside it. Rolling (Ai et al. 2011, model C): a spring of the
    stiffness 2.25 k μ_r² R² (Jiang, Yu and Harris 2005), whose moment is at most μ_r R N with the reduced radius R,
    and a damper below that limit.
    """

    positive: ClassVar[tuple[str, ...]] = ("stiffness_ratio",)
    not_negative: ClassVar[tuple[str, ...]] = ("mu", "rolling", "damping", "rolling_damping")
    mu: Quantity = value(QuantityKind(), doc="coefficient of sliding friction μ")
    rolling: Quantity = value(QuantityKind(), 0, doc="coefficient of rolling resistance μ_r")
    stiffness_ratio: Quantity = value(
        QuantityKind(), 2 / 7, doc="tangential by normal stiffness, force by depth", keyword=True
    )
    damping: Quantity = value(QuantityKind(), 0.2, doc="damping ratio of the tangential spring", keyword=True)
    rolling_damping: Quantity = value(QuantityKind(), 0.3, doc="damping ratio of the rolling spring", keyword=True)
