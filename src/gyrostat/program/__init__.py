"""Expression graphs to native code: programs, their batches, their cache, their derivatives.

>>> import casadi, gyrostat.program as gp
>>> x = casadi.SX.sym("x")
>>> program = gp.compile_program(casadi.Function("f", [x], [x * x], ["x"], ["y"]), cache=False)
>>> program.evaluate({"x": 3.0})
{'y': array([9.])}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from

if TYPE_CHECKING:
    from gyrostat.program.buffer import Buffer
    from gyrostat.program.cache import cache_directory
    from gyrostat.program.columns import (
        column_groups,
        directional_program,
        jacobian_by_columns,
        values_and_jacobian_by_columns,
    )
    from gyrostat.program.compile import Module, compile_program, generate, load_or_compile
    from gyrostat.program.derivatives import directional, jacobian
    from gyrostat.program.host import host_target
    from gyrostat.program.port import Port
    from gyrostat.program.program import Program
    from gyrostat.program.target import Target, make_target
    from gyrostat.program.warning import GyrostatWarning

__all__ = [
    "Buffer",
    "GyrostatWarning",
    "Module",
    "Port",
    "Program",
    "Target",
    "cache_directory",
    "column_groups",
    "compile_program",
    "directional",
    "directional_program",
    "generate",
    "host_target",
    "jacobian",
    "jacobian_by_columns",
    "load_or_compile",
    "make_target",
    "values_and_jacobian_by_columns",
]

__getattr__ = names_from(
    __name__,
    {
        "buffer": ("Buffer",),
        "cache": ("cache_directory",),
        "columns": ("column_groups", "directional_program", "jacobian_by_columns", "values_and_jacobian_by_columns"),
        "compile": ("Module", "compile_program", "generate", "load_or_compile"),
        "derivatives": ("directional", "jacobian"),
        "host": ("host_target",),
        "port": ("Port",),
        "program": ("Program",),
        "target": ("Target", "make_target"),
        "warning": ("GyrostatWarning",),
    },
)
