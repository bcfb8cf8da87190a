"""Kernels as native functions: kept in the cache of programs, loaded without numba, careful with their arguments."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

from gyrostat.analysis.kernels.library import polynomial_through

SCRIPT = """
import sys
import gyrostat as gs

model = gs.Model("pendulum", gravity=(0, -9.81, 0))
model.add(gs.Body("bar", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0)}))
model.add(gs.Revolute("a", "ground", "bar.top", initial=0.3))
assert gs.simulate(model, 0.1).status.success
print([name for name in ("numba", "casadi", "llvmlite") if name in sys.modules])
"""


def test_a_second_process_simulates_without_numba():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_bound_arguments_are_the_arrays_themselves():
    nodes, states, found = np.array([0.0, 0.5, 1.0]), np.empty((3, 2)), np.empty((2, 2))
    through = polynomial_through.bind(nodes, states, found)
    for slope, curvature in ((2.0, 3.0), (-1.0, 0.5)):
        states[:] = (slope * nodes + curvature * nodes**2)[:, None]
        through(np.empty(3))
        np.testing.assert_allclose(found, np.array([[slope], [curvature]]) * np.ones(2), atol=1e-14)


def test_arrays_with_gaps_are_refused():
    with pytest.raises(ValueError, match="A kernel needs arrays that are contiguous in memory"):
        polynomial_through(np.zeros(6)[::2], np.zeros((3, 1)), np.zeros((2, 1)), np.zeros(3))


def test_kernels_that_need_numba_are_refused():
    from gyrostat.analysis.kernels.compiled import kernel
    from gyrostat.analysis.kernels.translation import module_of

    @kernel
    def folded(values):
        return int(values.reshape(-1).size)

    with pytest.raises(ValueError, match="calls 'numba_attempt_nocopy_reshape', a function of numba's"):
        module_of(folded, (np.zeros((2, 2)),), "entry")


def test_numba_makes_no_machine_code_of_kernels(monkeypatch):
    from numba.core.codegen import JITCodeLibrary

    from gyrostat.analysis.kernels.compiled import kernel
    from gyrostat.analysis.kernels.translation import module_of

    @kernel
    def half(value):
        return 0.5 * value

    @kernel
    def quarter(value):
        return half(half(value))

    made = []
    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", lambda library: made.append(library.name))
    assert "fmul" in module_of(quarter, (1.0,), "entry")
    assert made == []


def test_rare_parts_of_kernels_are_called_and_others_are_copied():
    import ctypes

    from gyrostat.analysis.kernels.compiled import kernel, rare_kernel
    from gyrostat.analysis.kernels.translation import module_of
    from gyrostat.program.host import host_target
    from gyrostat.program.native import Native, object_code

    @rare_kernel
    def seldom(value):
        return value * value

    @kernel
    def often(value):
        return value + 1.0

    @kernel
    def both(value):
        return seldom(value) + seldom(often(value))

    text = module_of(both, (1.0,), "entry")
    (group,) = re.findall(r"attributes (#\d+) = {[^}]*\bnoinline\b", text)
    marked = [line for line in text.splitlines() if line.startswith("define") and line.endswith(f"{group} {{")]
    assert len(marked) == 1
    assert "seldom" in marked[0]
    native = Native(object_code(text, host_target(), optimisation=3, whole=True), host_target())
    given, found = ctypes.c_double(2.0), ctypes.c_double()
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(native.address("entry"))
    call(ctypes.addressof(given), ctypes.addressof(found))
    assert found.value == 13.0
