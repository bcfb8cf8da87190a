"""Outputs of rolled code as rows of the table, in LLVM IR: they copy doubles of the workspace to their places.

The address of the outputs is the second word of the workspace, where the driver writes it before each evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence

OUTPUTS = 1
"""The word of a workspace that has the address of the outputs."""


def gather_row(function: int, first: int, addresses: Sequence[int]) -> list[int]:
    """Return the row that writes doubles one after the other, from an output on."""
    return [function, 8 * first, len(addresses), *addresses]


def column_row(function: int, first: int, rows: int, width: int, addresses: Sequence[int]) -> list[int]:
    """Return the row that writes as many columns of a matrix as lanes are used, from an output on.

    `addresses` are those of the lanes of each of the matrix's rows.
    """
    return [function, 8 * first, 8 * rows, width, len(addresses), *addresses]


def gathering() -> str:
    """Return gyrostat_gather(work, row) and gyrostat_columns(work, row)."""
    return f"{_GATHER}\n{_COLUMNS}"


def _word(name: str, place: int) -> str:
    return (
        f"%at_{name} = getelementptr i64, ptr %row, i64 {place}\n%{name} = load i64, ptr %at_{name}, align 8, "
        "!invariant.load !1"
    )


_BEGIN = f"""%at_out = getelementptr i64, ptr %work, i64 {OUTPUTS}
%out = load ptr, ptr %at_out, align 8
{_word("first", 1)}
%begin = getelementptr i8, ptr %out, i64 %first"""

_GATHER = f"""define ptr @gyrostat_gather(ptr %work, ptr %row) nounwind {{
entry:
{_BEGIN}
{_word("count", 2)}
%places = getelementptr i64, ptr %row, i64 3
br label %head
head:
%n = phi i64 [0, %entry], [%n1, %step]
%more = icmp slt i64 %n, %count
br i1 %more, label %step, label %done
step:
%at = getelementptr i64, ptr %places, i64 %n
%place = load i64, ptr %at, align 8
%source = getelementptr i8, ptr %work, i64 %place
%value = load double, ptr %source, align 8
%target = getelementptr double, ptr %begin, i64 %n
store double %value, ptr %target, align 8
%n1 = add i64 %n, 1
br label %head
done:
%next = getelementptr i64, ptr %places, i64 %count
ret ptr %next
}}"""

_COLUMNS = f"""define ptr @gyrostat_columns(ptr %work, ptr %row) nounwind {{
entry:
{_BEGIN}
{_word("stride", 2)}
{_word("width", 3)}
{_word("count", 4)}
%places = getelementptr i64, ptr %row, i64 5
br label %head
head:
%lane = phi i64 [0, %entry], [%lane1, %after]
%more_lanes = icmp slt i64 %lane, %width
br i1 %more_lanes, label %column, label %done
column:
%shift = mul i64 %lane, %stride
%top = getelementptr i8, ptr %begin, i64 %shift
%lanes = getelementptr double, ptr %work, i64 %lane
br label %inner
inner:
%n = phi i64 [0, %column], [%n1, %step]
%more = icmp slt i64 %n, %count
br i1 %more, label %step, label %after
step:
%at = getelementptr i64, ptr %places, i64 %n
%place = load i64, ptr %at, align 8
%source = getelementptr i8, ptr %lanes, i64 %place
%value = load double, ptr %source, align 8
%target = getelementptr double, ptr %top, i64 %n
store double %value, ptr %target, align 8
%n1 = add i64 %n, 1
br label %inner
after:
%lane1 = add i64 %lane, 1
br label %head
done:
%next = getelementptr i64, ptr %places, i64 %count
ret ptr %next
}}"""
