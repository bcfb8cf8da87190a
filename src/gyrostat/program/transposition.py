"""Between rows of states and SIMD lanes, in LLVM IR: loops that transpose W rows, W columns at a time.

Rows are at %in0, %in1, … and %out0, %out1, …; in lanes, at %lane_in and %lane_out, column c is a vector of W doubles
at place c.
"""

from __future__ import annotations

from gyrostat.program.shape import ValueShape


def gather(size: int, shape: ValueShape) -> str:
    """Return the loop that reads `size` columns of the rows into lanes; it follows the block `begin`."""
    width, real = shape.lanes, shape.real
    whole = size >= width
    part = real if whole else "double"
    lines = []
    for i in range(width):
        lines.append(f"%gp{i} = getelementptr double, ptr %in{i}, i64 %g")
        lines.append(f"%gv{i} = load {part}, ptr %gp{i}, align 8")
    if whole:
        columns = _transpose(lines, "gt", [f"%gv{i}" for i in range(width)], shape)
    else:
        for i in range(width):
            lines.append(f"%gl{i} = insertelement {real} {f'%gl{i - 1}' if i else 'undef'}, double %gv{i}, i32 {i}")
        columns = [f"%gl{width - 1}"]
    for i, column in enumerate(columns):
        lines += _place(f"%gq{i}", "%lane_in", "%g", i, width)
        lines.append(f"store {real} {column}, ptr %gq{i}, align {8 * width}")
    return _loop("g", ("begin", "gather", "gathered"), size, len(columns), lines)


def scatter(size: int, shape: ValueShape) -> str:
    """Return the loop that writes `size` columns from lanes to the rows; it follows the block `gathered`."""
    width, real = shape.lanes, shape.real
    whole = size >= width
    part = real if whole else "double"
    lines = []
    step = width if whole else 1
    for i in range(step):
        lines += _place(f"%sq{i}", "%lane_out", "%s", i, width)
        lines.append(f"%sl{i} = load {real}, ptr %sq{i}, align {8 * width}")
    if whole:
        rows = _transpose(lines, "st", [f"%sl{i}" for i in range(width)], shape)
    else:
        rows = [f"%sv{i}" for i in range(width)]
        lines += [f"{row} = extractelement {real} %sl0, i32 {i}" for i, row in enumerate(rows)]
    for i, row in enumerate(rows):
        lines.append(f"%sp{i} = getelementptr double, ptr %out{i}, i64 %s")
        lines.append(f"store {part} {row}, ptr %sp{i}, align 8")
    return _loop("s", ("gathered", "scatter", "scattered"), size, step, lines)


def _place(name: str, lanes: str, column: str, offset: int, width: int) -> list[str]:
    """Return the instructions that form the address of a column in lanes."""
    return [
        f"{name}_bytes = mul i64 {column}, {8 * width}",
        f"{name}_first = getelementptr i8, ptr {lanes}, i64 {name}_bytes",
        f"{name} = getelementptr i8, ptr {name}_first, i64 {8 * width * offset}",
    ]


def _loop(letter: str, blocks: tuple[str, str, str], size: int, step: int, lines: list[str]) -> str:
    """Return a loop over the columns %<letter> = 0, step, …, between the blocks before and after it.

    Where `step` does not divide `size`, the last iteration takes the last `step` columns, some of them again.
    """
    before, block, after = blocks
    body = "\n".join(lines)
    return f"""br label %{block}_head
{block}_head:
%{letter}_count = phi i64 [0, %{before}], [%{letter}_next, %{block}]
%{letter}_more = icmp slt i64 %{letter}_count, {size}
br i1 %{letter}_more, label %{block}, label %{after}
{block}:
%{letter}_fits = icmp slt i64 %{letter}_count, {size - step}
%{letter} = select i1 %{letter}_fits, i64 %{letter}_count, i64 {size - step}
{body}
%{letter}_next = add i64 %{letter}_count, {step}
br label %{block}_head
{after}:"""


def _transpose(lines: list[str], prefix: str, rows: list[str], shape: ValueShape) -> list[str]:
    """Append the shuffles that transpose W vectors of W doubles, and return the names of the results.

    For s = 1, 2, 4, … the vectors i and i + s exchange entries: in every square of 2s by 2s, the quarters beside the
    diagonal change places.
    """
    width, real = shape.lanes, shape.real
    names, s = list(rows), 1
    while s < width:
        upper = [width + j - s if j & s else j for j in range(width)]
        lower = [width + j if j & s else j + s for j in range(width)]
        for i in range(width):
            if i & s:
                continue
            pair = f"{real} {names[i]}, {real} {names[i + s]}"
            for row, mask in ((i, upper), (i + s, lower)):
                names[row] = f"%{prefix}{s}_{row}"
                places = ", ".join(f"i32 {j}" for j in mask)
                lines.append(f"{names[row]} = shufflevector {pair}, <{width} x i32> <{places}>")
        s *= 2
    return names
