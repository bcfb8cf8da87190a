"""Measure the choices of coordinates alone and print their tables: `python benchmarks/coordinates.py --short`."""

from __future__ import annotations

import argparse
import os
import tempfile

from comparisons.coordinates import MECHANISMS, SIDES, compare_coordinates, measure_trusses
from report import choice_table, truss_table


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="few repeats and small trusses")
    parser.add_argument("--only", choices=tuple(MECHANISMS), action="append", help="one mechanism; may be given again")
    given = parser.parse_args()
    rounds = 5 if given.short else 21
    with tempfile.TemporaryDirectory(prefix="gyrostat-bench-") as cache:
        os.environ["GYROSTAT_CACHE_DIR"] = cache
        print(choice_table(compare_coordinates(rounds=rounds, names=given.only or tuple(MECHANISMS))), end="\n\n")
        print(truss_table(measure_trusses(sides=SIDES[:3] if given.short else SIDES, rounds=rounds)))


if __name__ == "__main__":
    main()
