"""The native driver of rolled code, in LLVM IR: one evaluation of a table of instructions.

A context is an array of 64-bit words: see `Context`. Workspaces are kept in the context's pool and taken from it by
atomic exchange, so that threads may evaluate at once; each remembers the parameters that its first part of the table,
which depends on parameters alone, was evaluated with.
"""

from __future__ import annotations

from gyrostat.program.assembler import helper_symbol
from gyrostat.program.rolled.gathering import OUTPUTS, gathering
from gyrostat.program.shape import ValueShape

POOL = 8
"""Workspaces that are kept for the next evaluation."""

HEAD = 8
"""Doubles at the beginning of a workspace; the first word tells whether it was used before, the next
is the address of the outputs."""

WORDS = ("template", "bytes", "inputs", "parameters", "parameter_count", "constant", "main", "end", "outputs")
"""The words of a context before its pool."""


_LIBRARY = """declare noalias ptr @malloc(i64) nounwind
declare void @free(ptr) nounwind
declare ptr @memcpy(ptr, ptr, i64) nounwind"""


def driver() -> str:
    """Return gyrostat_rolled(in, out, context), the same for rows, and gyrostat_release(context)."""
    return "\n".join([_LIBRARY, _take(), _give(), _release(), _rolled(), _rows(), gathering()])


def _word(name: str, kind: str = "i64") -> str:
    """Return the instructions that read a word of the context."""
    return (
        f"%at_{name} = getelementptr i64, ptr %context, i64 {WORDS.index(name)}\n"
        f"%{name} = load {kind}, ptr %at_{name}, align 8"
    )


def _run(label: str, first: str, last: str, before: str, after: str) -> str:
    """Return the loop that calls the functions of rows of the table."""
    return f"""br label %{label}
{label}:
%row_{label} = phi ptr [{first}, %{before}], [%next_{label}, %step_{label}]
%more_{label} = icmp ne ptr %row_{label}, {last}
br i1 %more_{label}, label %step_{label}, label %{after}
step_{label}:
%function_{label} = load ptr, ptr %row_{label}, align 8
%next_{label} = call ptr %function_{label}(ptr %work, ptr %row_{label})
br label %{label}"""


def _take() -> str:
    """Return take(context): a workspace of the pool, or a new one; null where memory is exhausted."""
    return f"""define internal ptr @take(ptr %context) nounwind {{
entry:
%pool = getelementptr i64, ptr %context, i64 {len(WORDS)}
br label %head
head:
%i = phi i64 [0, %entry], [%next, %step]
%more = icmp slt i64 %i, {POOL}
br i1 %more, label %step, label %make
step:
%place = getelementptr i64, ptr %pool, i64 %i
%old = atomicrmw xchg ptr %place, i64 0 acq_rel
%found = icmp ne i64 %old, 0
%next = add i64 %i, 1
br i1 %found, label %take, label %head
take:
%taken = inttoptr i64 %old to ptr
ret ptr %taken
make:
{_word("template", "ptr")}
{_word("bytes")}
%new = call ptr @malloc(i64 %bytes)
%starved = icmp eq ptr %new, null
br i1 %starved, label %none, label %fill
fill:
call ptr @memcpy(ptr %new, ptr %template, i64 %bytes)
ret ptr %new
none:
ret ptr null
}}"""


def _give() -> str:
    """Return give(context, work): the workspace goes back to the pool."""
    return f"""define internal void @give(ptr %context, ptr %work) nounwind {{
entry:
%pool = getelementptr i64, ptr %context, i64 {len(WORDS)}
%value = ptrtoint ptr %work to i64
br label %head
head:
%i = phi i64 [0, %entry], [%next, %step]
%more = icmp slt i64 %i, {POOL}
br i1 %more, label %step, label %full
step:
%place = getelementptr i64, ptr %pool, i64 %i
%pair = cmpxchg ptr %place, i64 0, i64 %value acq_rel monotonic
%given = extractvalue {{i64, i1}} %pair, 1
%next = add i64 %i, 1
br i1 %given, label %done, label %head
full:
call void @free(ptr %work)
ret void
done:
ret void
}}"""


def _release() -> str:
    """Return gyrostat_release(context), which frees the workspaces of the pool."""
    return f"""define void @gyrostat_release(ptr %context) nounwind {{
entry:
%pool = getelementptr i64, ptr %context, i64 {len(WORDS)}
br label %head
head:
%i = phi i64 [0, %entry], [%next, %step]
%more = icmp slt i64 %i, {POOL}
br i1 %more, label %step, label %done
step:
%place = getelementptr i64, ptr %pool, i64 %i
%old = atomicrmw xchg ptr %place, i64 0 acq_rel
%block = inttoptr i64 %old to ptr
call void @free(ptr %block)
%next = add i64 %i, 1
br label %head
done:
ret void
}}"""


def _rolled() -> str:
    """Return gyrostat_rolled(in, out, context): one evaluation; without memory all outputs are NaN."""
    return f"""define void @gyrostat_rolled(ptr noalias %in, ptr %out, ptr %context) nounwind {{
entry:
{_word("inputs")}
{_word("parameters")}
{_word("parameter_count")}
{_word("constant", "ptr")}
{_word("main", "ptr")}
{_word("end", "ptr")}
{_word("outputs")}
%work = call ptr @take(ptr %context)
%starved = icmp eq ptr %work, null
br i1 %starved, label %spoil, label %begin
spoil:
%n_s = phi i64 [0, %entry], [%n_s1, %spoil_step]
%more_s = icmp slt i64 %n_s, %outputs
br i1 %more_s, label %spoil_step, label %leave
spoil_step:
%out_s = getelementptr double, ptr %out, i64 %n_s
store double 0x7FF8000000000000, ptr %out_s, align 8
%n_s1 = add i64 %n_s, 1
br label %spoil
{_fill()}
again:
store i64 1, ptr %work, align 8
{_run("constant_part", "%constant", "%main", "again", "moving")}
moving:
{_run("main_part", "%main", "%end", "moving", "done")}
done:
call void @give(ptr %context, ptr %work)
br label %leave
leave:
ret void
}}"""


def _fill() -> str:
    """Return the part that copies the inputs into the workspace, and finds whether parameters have changed."""
    return f"""begin:
%used = load i64, ptr %work, align 8
%fresh = icmp eq i64 %used, 0
%out_at = getelementptr i64, ptr %work, i64 {OUTPUTS}
store ptr %out, ptr %out_at, align 8
%row_in = getelementptr i64, ptr %work, i64 {HEAD}
%par_old = getelementptr i64, ptr %row_in, i64 %parameters
%par_new = getelementptr i64, ptr %in, i64 %parameters
br label %compare
compare:
%k = phi i64 [0, %begin], [%k1, %compare_step]
%changed = phi i1 [%fresh, %begin], [%differs, %compare_step]
%more_k = icmp slt i64 %k, %parameter_count
br i1 %more_k, label %compare_step, label %copy
compare_step:
%old_at = getelementptr i64, ptr %par_old, i64 %k
%new_at = getelementptr i64, ptr %par_new, i64 %k
%old_word = load i64, ptr %old_at, align 8
%new_word = load i64, ptr %new_at, align 8
%other = icmp ne i64 %old_word, %new_word
%differs = or i1 %changed, %other
%k1 = add i64 %k, 1
br label %compare
copy:
%in_bytes = mul i64 %inputs, 8
call ptr @memcpy(ptr %row_in, ptr %in, i64 %in_bytes)
br i1 %changed, label %again, label %moving"""


def _rows() -> str:
    """Return gyrostat_rows(in, out, count, context): evaluations of rows one after the other."""
    return f"""define void @gyrostat_rows(ptr noalias %in, ptr noalias %out, i64 %count, ptr %context) nounwind {{
entry:
{_word("inputs")}
{_word("outputs")}
br label %head
head:
%i = phi i64 [0, %entry], [%next, %step]
%more = icmp slt i64 %i, %count
br i1 %more, label %step, label %done
step:
%a = mul i64 %i, %inputs
%b = mul i64 %i, %outputs
%row_in = getelementptr double, ptr %in, i64 %a
%row_out = getelementptr double, ptr %out, i64 %b
call void @gyrostat_rolled(ptr %row_in, ptr %row_out, ptr %context)
%next = add i64 %i, 1
br label %head
done:
ret void
}}"""


ENTRIES = 64
"""Pairs of entry points in one load of the driver: a program takes one of them and gives it its context."""


def entries() -> str:
    """Return gyrostat_evaluate<n>(in, out), gyrostat_loop<n>(in, out, count), and gyrostat_contexts() of them all."""
    functions = "\n".join(_entry(number) for number in range(ENTRIES))
    return f"""
@contexts = internal global [{ENTRIES} x ptr] zeroinitializer, align 8
define ptr @gyrostat_contexts() nounwind {{
ret ptr @contexts
}}
{functions}"""


def _entry(number: int) -> str:
    context = f"%place = getelementptr ptr, ptr @contexts, i64 {number}\n%context = load ptr, ptr %place, align 8"
    return f"""
define void @gyrostat_evaluate{number}(ptr noalias %in, ptr noalias %out) nounwind {{
{context}
tail call void @gyrostat_rolled(ptr %in, ptr %out, ptr %context)
ret void
}}
define void @gyrostat_loop{number}(ptr noalias %in, ptr noalias %out, i64 %count) nounwind {{
{context}
tail call void @gyrostat_rows(ptr %in, ptr %out, i64 %count, ptr %context)
ret void
}}"""


def sines(shape: ValueShape) -> str:
    """Return gyrostat_sines(work, row): sines and cosines of several values at once, in SIMD lanes.

    The row has the addresses of the values, then those of the sine and the cosine of each.
    """
    lanes, real = shape.lanes, shape.real
    lines: list[str] = []
    packed = "undef"

    def at(label: str, word: int) -> str:
        lines.append(
            f"%w{label} = getelementptr i64, ptr %row, i64 {word}\n%o{label} = load i64, ptr %w{label}, align 8"
        )
        lines.append(f"%a{label} = getelementptr i8, ptr %work, i64 %o{label}")
        return f"%a{label}"

    for n in range(lanes):
        lines.append(f"%x{n} = load double, ptr {at(f'x{n}', 1 + n)}, align 8")
        lines.append(f"%p{n} = insertelement {real} {packed}, double %x{n}, i32 {n}")
        packed = f"%p{n}"
    lines.append(f"%pair = call {{{real}, {real}}} {helper_symbol('sincos', shape)}({real} {packed})")
    for k, name in enumerate(("s", "c")):
        lines.append(f"%{name} = extractvalue {{{real}, {real}}} %pair, {k}")
        for n in range(lanes):
            place = at(f"{name}{n}", 1 + lanes + 2 * n + k)
            lines.append(
                f"%{name}{n} = extractelement {real} %{name}, i32 {n}\nstore double %{name}{n}, ptr {place}, align 8"
            )
    lines.append(f"%next = getelementptr i64, ptr %row, i64 {1 + 3 * lanes}\nret ptr %next")
    body = "\n".join(lines)
    return f"define ptr @gyrostat_sines(ptr noalias nocapture %work, ptr %row) nounwind {{\n{body}\n}}"
