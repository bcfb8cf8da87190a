"""Closing of loops: positions that satisfy the constraints, rank and redundancy, independent speeds, diagnosis.

The names below are imported when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from

if TYPE_CHECKING:
    from gyrostat.closing.closing import Closer
    from gyrostat.closing.compliant import Compliant
    from gyrostat.closing.diagnosis import explain_failure
    from gyrostat.closing.embedding import EmbeddedState, Embedding
    from gyrostat.closing.rank import Rank, initial_rank
    from gyrostat.closing.reach import cannot_close, nearest_closed

__all__ = [
    "Closer",
    "Compliant",
    "EmbeddedState",
    "Embedding",
    "Rank",
    "cannot_close",
    "explain_failure",
    "initial_rank",
    "nearest_closed",
]

__getattr__ = names_from(
    __name__,
    {
        "closing": ("Closer",),
        "compliant": ("Compliant",),
        "diagnosis": ("explain_failure",),
        "embedding": ("EmbeddedState", "Embedding"),
        "rank": ("Rank", "initial_rank"),
        "reach": ("cannot_close", "nearest_closed"),
    },
)
