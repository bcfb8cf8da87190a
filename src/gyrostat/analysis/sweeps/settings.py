"""Settings of analyses as plain data, by which a sweep is recognised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gyrostat.analysis.simulation.inputs import Table
from gyrostat.analysis.sweeps.functions import fingerprint
from gyrostat.analysis.sweeps.output_summaries import OutputSummary
from gyrostat.analysis.sweeps.run_summaries import RunSummary


def plain_setting(value: Any) -> Any:
    """Return a value that a user gave as plain data, different for different values.

    >>> plain_setting({"a1": 0.5, "table": Table([0, 1], [2, 3])})
    {'a1': 0.5, 'table': [[0.0, 1.0], [2.0, 3.0], 'linear']}
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(name): plain_setting(one) for name, one in value.items()}
    if isinstance(value, (OutputSummary, RunSummary)):
        return repr(value)
    if isinstance(value, Table):
        return [value.times.tolist(), value.values.tolist(), value.interpolation.value]
    if isinstance(value, (tuple, list)):
        return [plain_setting(one) for one in value]
    if callable(value):
        return fingerprint(value)
    return np.asarray(value).tolist() if hasattr(value, "__len__") else str(value)


def plain_settings(record: object) -> dict[str, Any]:
    """Return all settings of a record as plain data."""
    return {name: plain_setting(value) for name, value in vars(record).items()}
