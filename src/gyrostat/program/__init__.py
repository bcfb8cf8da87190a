"""Expression graphs to native code: programs, their batches, their cache, their derivatives.

>>> import casadi, gyrostat.program as gp
>>> x = casadi.SX.sym("x")
>>> program = gp.compile_program(casadi.Function("f", [x], [x * x], ["x"], ["y"]), cache=False)
>>> program.evaluate({"x": 3.0})
{'y': array([9.])}
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gyrostat.program.buffer import Buffer
    from gyrostat.program.cache import cache_directory
    from gyrostat.program.columns import directional_program, jacobian_by_columns
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
    "compile_program",
    "directional",
    "directional_program",
    "generate",
    "host_target",
    "jacobian",
    "jacobian_by_columns",
    "load_or_compile",
    "make_target",
]

_HOMES = {
    "Buffer": "buffer",
    "cache_directory": "cache",
    **dict.fromkeys(("directional_program", "jacobian_by_columns"), "columns"),
    **dict.fromkeys(("Module", "compile_program", "generate", "load_or_compile"), "compile"),
    **dict.fromkeys(("directional", "jacobian"), "derivatives"),
    "host_target": "host",
    "Port": "port",
    "Program": "program",
    **dict.fromkeys(("Target", "make_target"), "target"),
    "GyrostatWarning": "warning",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its module when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
