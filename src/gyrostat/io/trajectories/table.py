"""Trajectories as tables: CSV and Parquet."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.errors import GyrostatError
from gyrostat.results.whole_file import require_writable, whole_file


def export_table(trajectory: Trajectory, path: str | os.PathLike[str], *outputs: str, force: bool = False) -> Path:
    """Write outputs over time to a .csv or .parquet file, and return its path.

    Without `outputs` the columns are all coordinates, speeds, states and inputs; vectors have a column for each
    component. Parquet needs pyarrow, the extra `parquet`. With `force`, an existing file is replaced.
    """
    target = require_writable(path, force=force)
    suffix = target.suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise GyrostatError(f"{target.name}: a table is written to a file that ends in .csv or .parquet.")
    if suffix == ".parquet" and find_spec("pyarrow") is None:
        raise GyrostatError("Parquet is written by pyarrow, which is not installed. pip install 'gyrostat[parquet]'")
    table = trajectory.to_pandas(*outputs)
    with whole_file(target, force=force) as part:
        if suffix == ".csv":
            table.to_csv(part)
        else:
            table.to_parquet(part, engine="pyarrow")
    return target
