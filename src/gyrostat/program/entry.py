"""The entry points of a module, in LLVM IR: workspace and loops over states."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gyrostat.program.chunk import POINTERS
from gyrostat.program.shape import ValueShape
from gyrostat.program.transposition import gather, scatter

# Up to this many bytes of workspace are on the stack of the calling thread, more come from malloc. Threads may have
# stacks of 512 kB (macOS).
STACK_BYTES = 32 * 1024

ALIGNMENT = 64


# From this many operations on, loops over single states take several of them through each chunk before the next: code
# is then fetched and decoded once for all. Measured on chains: a sixteenth less time where code exceeds the first-level
# cache, a quarter less where it exceeds the second; shorter code gains or loses. In SIMD lanes the workspaces of
# several blocks of states cost what the code saves.
LONG_PROGRAM = 20_000
INTERLEAVED_STATES = 4


@dataclass(frozen=True)
class Sizes:
    """Numbers of doubles: input vector, output vector, workspace."""

    inputs: int
    outputs: int
    slots: int


def body(sizes: Sizes, chunks: int, *, together: int) -> str:
    """Return body(in, out, work, table, rows): each chunk on all rows of doubles, with a workspace for each row.

    With `together` = 1 there is one row.
    """
    if together == 1:
        calls = "\n".join(f"call void @chunk{n}(ptr %in, ptr %out, ptr %work, ptr %table)" for n in range(chunks))
        return f"define internal void @body({POINTERS}, i64 %rows) nounwind {{\n{calls}\nret void\n}}"
    steps = {"in": 8 * sizes.inputs, "out": 8 * sizes.outputs, "work": 8 * sizes.slots}
    loops = "\n".join(_chunk_loop(number, steps) for number in range(chunks))
    return f"define internal void @body({POINTERS}, i64 %rows) nounwind {{\n{loops}\nret void\n}}"


def _chunk_loop(number: int, steps: dict[str, int]) -> str:
    """Return the loop of one chunk over the rows, which follows the loop of the previous chunk."""
    n, before = number, f"done{number - 1}" if number else "0"
    places = "\n".join(f"%{name}{n} = phi ptr [%{name}, %{before}], [%{name}{n}_next, %row{n}]" for name in steps)
    moves = "\n".join(f"%{name}{n}_next = getelementptr i8, ptr %{name}{n}, i64 {step}" for name, step in steps.items())
    return f"""br label %row{n}
row{n}:
%left{n} = phi i64 [%rows, %{before}], [%left{n}_next, %row{n}]
{places}
call void @chunk{n}(ptr %in{n}, ptr %out{n}, ptr %work{n}, ptr %table)
{moves}
%left{n}_next = sub i64 %left{n}, 1
%more{n} = icmp ne i64 %left{n}_next, 0
br i1 %more{n}, label %row{n}, label %done{n}
done{n}:"""


def scalar_entries(sizes: Sizes, *, together: int) -> str:
    """Return gyrostat_evaluate(in, out) and gyrostat_loop(in, out, count), which takes `together` rows at a time."""
    open_one, close_one, declarations_one = _workspace(8 * sizes.slots, sizes.outputs, "1")
    open_many, close_many, declarations = _workspace(8 * sizes.slots * together, sizes.outputs, "%count")
    row_in, row_out = 8 * sizes.inputs, 8 * sizes.outputs
    return f"""
define void @gyrostat_evaluate(ptr noalias %in, ptr noalias %out) nounwind {{
{open_one}
call void @body(ptr %in, ptr %out, ptr %work, ptr @table, i64 1)
{close_one}
ret void
}}
define void @gyrostat_loop(ptr noalias %in, ptr noalias %out, i64 %count) nounwind {{
{open_many}
br label %head
head:
%row = phi i64 [0, %opened], [%next, %step]
%left = sub i64 %count, %row
%more = icmp sgt i64 %left, 0
br i1 %more, label %step, label %done
step:
%in_offset = mul i64 %row, {row_in}
%out_offset = mul i64 %row, {row_out}
%row_in = getelementptr i8, ptr %in, i64 %in_offset
%row_out = getelementptr i8, ptr %out, i64 %out_offset
%few = icmp slt i64 %left, {together}
%rows = select i1 %few, i64 %left, i64 {together}
call void @body(ptr %row_in, ptr %row_out, ptr %work, ptr @table, i64 %rows)
%next = add i64 %row, %rows
br label %head
done:
{close_many}
ret void
}}
{declarations or declarations_one}"""


def batch_entry(sizes: Sizes, shape: ValueShape) -> str:
    """Return gyrostat_batch(in, out, count): W rows are gathered in lanes, evaluated, and scattered.

    Lanes beyond the last row repeat that row: they read and write only what is there, and write what it would.
    """
    width = shape.lanes
    lane_in = 0
    lane_out = 8 * width * sizes.inputs
    lane_work = lane_out + 8 * width * sizes.outputs
    open_work, close_work, declarations = _workspace(lane_work + 8 * width * sizes.slots, sizes.outputs, "%count")
    rows = "\n".join(
        f"%n{i} = add i64 %row, {i}\n%c{i} = icmp slt i64 %n{i}, %count\n"
        f"%i{i} = select i1 %c{i}, i64 %n{i}, i64 %last\n"
        f"%x{i} = mul i64 %i{i}, {8 * sizes.inputs}\n%y{i} = mul i64 %i{i}, {8 * sizes.outputs}\n"
        f"%in{i} = getelementptr i8, ptr %in, i64 %x{i}\n%out{i} = getelementptr i8, ptr %out, i64 %y{i}"
        for i in range(width)
    )
    return f"""
define void @gyrostat_batch(ptr noalias %in, ptr noalias %out, i64 %count) nounwind {{
{open_work}
%lane_in = getelementptr i8, ptr %work, i64 {lane_in}
%lane_out = getelementptr i8, ptr %work, i64 {lane_out}
%lane_work = getelementptr i8, ptr %work, i64 {lane_work}
%last = sub i64 %count, 1
br label %head
head:
%row = phi i64 [0, %opened], [%next_row, %scattered]
%more = icmp slt i64 %row, %count
br i1 %more, label %begin, label %done
begin:
{rows}
{gather(sizes.inputs, shape)}
call void @body(ptr %lane_in, ptr %lane_out, ptr %lane_work, ptr @table, i64 1)
{scatter(sizes.outputs, shape)}
%next_row = add i64 %row, {width}
br label %head
done:
{close_work}
ret void
}}
{declarations}"""


def _workspace(size: int, outputs: int, count: str) -> tuple[str, str, str]:
    """Return the instructions that open and close a workspace of `size` bytes, and the declarations they need.

    It starts on a cache line: SIMD values that straddle two lines cost twice. When memory is exhausted all `count` rows
    of `outputs` doubles become NaN, since native code raises no exceptions.
    """
    if size <= STACK_BYTES:
        return f"%work = alloca i8, i64 {max(size, 8)}, align {ALIGNMENT}\nbr label %opened\nopened:", "", ""
    opening = f"""%block = call ptr @malloc(i64 {size + ALIGNMENT})
%starved = icmp eq ptr %block, null
br i1 %starved, label %spoil, label %opened
spoil:
%amount = mul i64 {count}, {outputs}
call void @spoil(ptr %out, i64 %amount)
ret void
opened:
%whole = ptrtoint ptr %block to i64
%over = add i64 %whole, {ALIGNMENT - 1}
%start = and i64 %over, {-ALIGNMENT}
%work = inttoptr i64 %start to ptr"""
    return opening, "call void @free(ptr %block)", _SPOIL


_SPOIL = f"""declare noalias ptr @malloc(i64) nounwind
declare void @free(ptr) nounwind
define internal void @spoil(ptr %out, i64 %amount) noinline cold nounwind {{
br label %head
head:
%i = phi i64 [0, %0], [%next, %step]
%more = icmp slt i64 %i, %amount
br i1 %more, label %step, label %done
step:
%place = getelementptr double, ptr %out, i64 %i
store double {ValueShape(1).number(math.nan)}, ptr %place, align 8
%next = add i64 %i, 1
br label %head
done:
ret void
}}"""
