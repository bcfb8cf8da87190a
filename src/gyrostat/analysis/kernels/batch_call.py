"""Calls of native functions on many rows from compiled loops, and rows as one."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array


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


@intrinsic  # type: ignore[untyped-decorator]
def flat(typing_context: Any, rows: Any) -> Any:
    """Return the numbers of a contiguous array of rows as one row; `reshape` would call for numba at run time."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given = context.make_array(rows)(context, builder, arguments[0])
        row = context.make_array(signature.return_type)(context, builder)
        size, count = given.itemsize, given.nitems
        populate_array(row, data=given.data, shape=[count], strides=[size], itemsize=size, meminfo=None)
        return row._getvalue()

    return types.Array(rows.dtype, 1, "C")(rows), generate
