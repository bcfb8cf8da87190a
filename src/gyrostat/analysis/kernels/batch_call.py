"""Calls of native functions on many rows from compiled loops."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


@intrinsic  # type: ignore[untyped-decorator]
def call_on_rows(typing_context: Any, function: Any, inputs: Any, outputs: Any, rows: Any) -> Any:
    """Call `void f(const double *in, double *out, int64_t rows)`; all addresses are integers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte_pointer, integer = ir.IntType(8).as_pointer(), ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [byte_pointer, byte_pointer, integer])
        target = builder.inttoptr(arguments[0], kind.as_pointer())
        addresses = [builder.inttoptr(argument, byte_pointer) for argument in arguments[1:3]]
        builder.call(target, [*addresses, arguments[3]])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64, types.int64), generate
