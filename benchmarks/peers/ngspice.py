"""ngspice on a netlist: a process in batch mode, with the time that it reports for its analyses."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from peers.solver import Found, Solver

_TIME = re.compile(r"[Tt]otal analysis time \(seconds\)\s*=\s*([0-9.eE+-]+)")
_OUTPUTS = 200
"""The suggested number of steps; shorter ones are chosen by the tolerance."""


def ngspice_solver(netlist: str, nodes: tuple[str, ...], duration: float, first: float) -> Solver | str:
    """Return the solver, or a reason why there is none; nodes n1, n2, … are 1, 2, … in the netlist."""
    program = shutil.which("ngspice")
    if program is None:
        return "ngspice is not installed (Debian: apt install ngspice)"

    def run(tolerance: float) -> Found:
        voltages = " ".join(f"v({node.removeprefix('n')})" for node in nodes)
        control = (
            f".control\nset wr_singlescale\noption reltol={tolerance} vntol={1e-2 * tolerance} abstol=1e-14\n"
            f"tran {duration / _OUTPUTS} {duration} uic\nwrdata values.txt {voltages}\nrusage all\n.endc\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "circuit.cir").write_text(f"circuit\n{netlist}\n{control}.end\n", encoding="utf-8")
            done = subprocess.run(
                [program, "-b", "circuit.cir"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
            )
            values = Path(folder, "values.txt")
            if not values.exists():
                raise RuntimeError(f"ngspice: {done.stderr.strip() or done.stdout.strip()}"[:200])
            last = np.loadtxt(values, ndmin=2)[-1, 1:]
        reported = _TIME.search(done.stdout + done.stderr)
        return Found(last, float(reported[1]) if reported else None)

    return Solver("ngspice", "trapezoidal rule, transient analysis", "tolerance", run, first, 0.7)
