"""Measure the sections of the report and write docs/benchmarks.md: `make bench`.

Each section runs in a process of its own, so that a peer that crashes or hangs costs one section and not the report,
which is written after each. `--only ropes beams` measures these again and takes the others from the report;
`--short` makes few repeats on small models and prints the text only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import perf_counter

from machine import describe_commit, describe_machine, describe_versions
from peers import installed_peers
from sections import SECTIONS

ROOT = Path(__file__).parent.parent
REPORT = ROOT / "docs" / "benchmarks.md"
LONGEST = 1200.0
"""Seconds after which a section is ended."""

_TEXT = """\
# Benchmarks

Written by `make bench`. Ratios are gyrostat's time divided by the peer's: smaller is better for gyrostat. Times of one
evaluation are given as information; they depend on the machine, the ratios much less.

* Machine: each section ends with the machine that it was measured on and its load at the start (below 1 is quiet).
* Versions: {versions}.
* Measured: all candidates for a model run alternately, in rounds of at least 4 ms each; times are medians over rounds,
  ratios medians of the ratios within a round. Everything runs on one thread unless stated, linear algebra too. Before
  timing, the accelerations (and derivatives) of both sides are compared; *difference* is the largest, relative to the
  largest entry of the same state.
* Models: `benchmarks/models.py`, with the same numbers for every package and random states, speeds and loads.

{sections}
"""


@dataclass(frozen=True)
class Measured:
    """The text of a section, and whether its measurement came to its end."""

    text: str
    complete: bool


def main() -> None:
    """Measure the sections asked for and write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="few repeats and small models, printed only")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=SECTIONS, metavar="SECTION", help="some of them")
    parser.add_argument("--write", nargs=2, metavar=("SECTION", "FILE"), help="measure one into a file")
    options = parser.parse_args()
    if options.write:
        name, file = options.write
        Path(file).write_text(import_module(f"sections.{name}").section(short=options.short), encoding="utf-8")
        return
    began, failed = perf_counter(), []
    texts = {} if options.short else _kept()
    with tempfile.TemporaryDirectory(prefix="gyrostat-bench-") as cache:
        for name in SECTIONS:
            if name in options.only:
                print(f"{name} …", end=" ", flush=True)
                started = perf_counter()
                found = _measure(name, short=options.short, cache=cache)
                print(f"{perf_counter() - started:.0f} s{'' if found.complete else ', not completed'}", flush=True)
                texts[name] = found.text
                if not found.complete:
                    failed.append(name)
                if not options.short:
                    REPORT.write_text(_report(texts), encoding="utf-8")
    if options.short:
        print(_report(texts))
    print(f"Measured in {perf_counter() - began:.0f} s.")
    if failed:
        sys.exit(f"Not completed: {', '.join(failed)}.")


def _kept() -> dict[str, str]:
    """Return the sections of the present report by name."""
    names = {import_module(f"sections.{name}").TITLE: name for name in SECTIONS}
    parts = REPORT.read_text(encoding="utf-8").split("\n## ")[1:] if REPORT.exists() else []
    found = {names.get(part.partition("\n")[0]): f"## {part.strip()}" for part in parts}
    return {name: text for name, text in found.items() if name is not None}


def _measure(name: str, *, short: bool, cache: str) -> Measured:
    """Measure a section in a process of its own."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    file = Path(cache) / f"{name}.md"
    command = [sys.executable, __file__, "--write", name, str(file), *(["--short"] if short else [])]
    environment = {**os.environ, "GYROSTAT_CACHE_DIR": cache, "OPENBLAS_NUM_THREADS": "1"}
    title = f"## {import_module(f'sections.{name}').TITLE}"
    try:
        subprocess.run(command, stdout=sys.stderr, env=environment, timeout=LONGEST, check=True)
    except subprocess.TimeoutExpired:
        return Measured(f"{title}\n\nNot completed: ended after {LONGEST:.0f} s.", complete=False)
    except subprocess.CalledProcessError as failure:
        return Measured(f"{title}\n\nNot completed: the process ended with {failure.returncode}.", complete=False)
    when = f"*Measured at {describe_commit()}, load {load:.1f}, on {describe_machine()}.*"
    return Measured(f"{title}\n\n{file.read_text(encoding='utf-8').strip()}\n\n{when}", complete=True)


def _report(texts: dict[str, str]) -> str:
    peers, _ = installed_peers()
    return _TEXT.format(
        versions=describe_versions([peer.distribution for peer in peers]),
        sections="\n\n".join(texts[name] for name in SECTIONS if name in texts),
    )


if __name__ == "__main__":
    main()
