"""Translation of one kernel to a function in LLVM IR, for given kinds of arguments."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

from gyrostat.program.translation.bounds import RECORD, Bounds, Places
from gyrostat.program.translation.expressions import ExpressionWriter, Translate
from gyrostat.program.translation.instructions import Instructions
from gyrostat.program.translation.kernel import KernelError, is_rare
from gyrostat.program.translation.kinds import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    Kind,
    TupleKind,
    Value,
    common,
    is_tabled,
    literal,
    types_of,
    untabled,
    value_in_table,
    value_of,
)

INVARIANT = "!invariant.load !0"
"""Marks loads from tables, which do not change while kernels run; modules define !0."""
_WORD = re.compile(r"%t\d+[wp]\d+")
_ANNOTATIONS = {"int": INTEGER, "float": FLOAT, "bool": BOOLEAN}


class Source:
    """The source of a kernel."""

    def __init__(self, function: Callable[..., Any]) -> None:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
        assert isinstance(tree, ast.FunctionDef), "only functions are marked as kernels"
        self.tree = ast.increment_lineno(tree, first - 1)
        self.function = function
        self.file = inspect.getfile(function).replace("\\", "/").rpartition("/")[2]
        self.names = [argument.arg for argument in tree.args.args]
        assigned = Counter(
            node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )
        self.assigned = set(assigned)
        self.assigned_once = {
            node.id
            for statement in tree.body
            if isinstance(statement, ast.Assign)
            for node in ast.walk(statement)
            if isinstance(node, ast.Name) and assigned[node.id] == 1 and node.id not in self.names
        }
        """Variables that one statement of the function's own body assigns, which every later one sees."""

    def arguments(self, kinds: list[Kind]) -> list[Kind]:
        """Return the kinds of the parameters for arguments of given kinds: annotations take precedence."""
        annotations = [_annotation(argument.annotation) for argument in self.tree.args.args]
        if len(kinds) != len(annotations):
            raise KernelError(
                f"{self.file}, line {self.tree.lineno}: the kernel {self.tree.name!r} takes {len(annotations)} "
                f"arguments but was given {len(kinds)}."
            )
        return [kind if wanted is None else wanted for kind, wanted in zip(kinds, annotations, strict=True)]

    @property
    def returned(self) -> str | None:
        """The kind of the result; None without one."""
        return _annotation(self.tree.returns)


@cache
def source_of(function: Callable[..., Any]) -> Source:
    """Return the source of a kernel, which is read once: most kernels are parts of many others."""
    return Source(function)


def _annotation(node: ast.expr | None) -> str | None:
    return _ANNOTATIONS.get(node.id) if isinstance(node, ast.Name) else None


class FunctionWriter:
    """Writes a kernel, repeatedly until the kinds of its variables no longer change."""

    def __init__(self, source: Source, kinds: list[Kind], translate: Translate, places: Places | None = None) -> None:
        self._source, self._arguments, self._translate = source, kinds, translate
        self._bounds = None if places is None else Bounds(places, source.file, source.tree.name, source.returned)
        self._kinds: dict[str, Kind] = {}

    def text(self, name: str) -> str:
        """Return the function with a given name."""
        while True:
            known = dict(self._kinds)
            body = self._written()
            if known == self._kinds:
                break
        given = ", ".join([*self._parameters, *([RECORD] if self._bounds else [])])
        attributes = "nounwind noinline" if is_rare(self._source.function) else "nounwind"
        return f"define internal {self._source.returned or 'void'} @{name}({given}) {attributes} {{\n{body}\n}}\n"

    def _written(self) -> str:
        source = self._source
        self._instructions = Instructions()
        self._expressions = ExpressionWriter(
            self._instructions, _meanings(source.function), self._translate, source.file, self._bounds
        )
        self._loops: list[tuple[str, str]] = []
        self._parameters: list[str] = []
        tables: list[_Table] = []
        for i, (name, kind) in enumerate(zip(source.names, self._arguments, strict=True)):
            if is_tabled(kind):
                tables.append(_Table(f"%t{i}", kind))
                self._parameters.append(f"ptr {tables[-1].name}")
                value = tables[-1].value
            else:
                names = [f"%a{i}.{k}" for k in range(len(types_of(kind)))]
                self._parameters += (f"{each} {one}" for each, one in zip(types_of(kind), names, strict=True))
                value = value_of(kind, names)
            if name in source.assigned:
                self._keep(source.tree, name, value)
            else:
                self._expressions.constants[name] = value
        self._block(source.tree.body)
        if self._instructions.is_open:
            self._return(None)
        body = self._instructions.text
        used = set(_WORD.findall(body))
        first = [line for table in tables for line in table.loads(used)]
        return "\n".join(["begin:", *first, body])

    # --- statements --------------------------------------------------------------------------------------------------

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        expressions, instructions = self._expressions, self._instructions
        match node:
            case ast.Assign():
                value = expressions.value(node.value)
                for target in node.targets:
                    self._assign(target, value)
            case ast.AugAssign():
                self._augment(node)
            case ast.If():
                self._if(node)
            case ast.While():
                self._while(node)
            case ast.For():
                self._for(node)
            case ast.Return():
                self._return(node.value)
            case ast.Break() | ast.Continue():
                instructions.branch(self._loops[-1][isinstance(node, ast.Continue)])
            case ast.Expr(value=ast.Call() as called):
                expressions.called(called)
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case _:
                raise expressions.fault(node, f"{type(node).__name__} is not a supported statement.")

    def _assign(self, target: ast.expr, value: Value) -> None:
        expressions = self._expressions
        if isinstance(target, ast.Name):
            self._keep(target, target.id, value)
        elif (
            isinstance(target, ast.Tuple) and isinstance(value.kind, TupleKind) and len(target.elts) == len(value.parts)
        ):
            for each, part in zip(target.elts, value.parts, strict=True):
                self._assign(each, part)
        elif isinstance(target, ast.Subscript) and isinstance(value.kind, str):
            array, indices, piece = expressions.place(target)
            if piece is not None or len(indices) != len(array.shape):
                raise expressions.fault(target, "arrays can only be assigned element by element.")
            self._instructions.store(value, array, indices)
        else:
            raise expressions.fault(target, f"{ast.unparse(target)!r:.60} cannot be assigned this value.")

    def _keep(self, node: ast.AST, name: str, value: Value) -> None:
        """Store the value of a variable, whose kind is the common kind of all its values."""
        if name in self._source.assigned_once and not isinstance(value.kind, str):
            self._expressions.constants[name] = value
            return
        known, given = self._kinds.get(name), untabled(value.kind)
        kind = given if known is None else common(known, given)
        if kind is None:
            raise self._expressions.fault(node, f"{name!r} has values of incompatible kinds.")
        self._kinds[name] = kind
        slots = self._expressions.variables
        if name not in slots or slots[name].kind != kind:
            slots[name] = self._instructions.allocate(kind)
        self._instructions.assign(self._instructions.converted(value, kind), slots[name])

    def _augment(self, node: ast.AugAssign) -> None:
        expressions = self._expressions
        if isinstance(node.target, ast.Subscript):
            array, indices, _ = expressions.place(node.target)
            before = self._instructions.load(array, indices)
            after = expressions.operation(node, node.op, before, expressions.number(node.value))
            self._instructions.store(after, array, indices)
            return
        if not isinstance(node.target, ast.Name):
            raise expressions.fault(node, f"{ast.unparse(node.target)!r:.60} cannot be assigned this value.")
        before = expressions.value(ast.copy_location(ast.Name(node.target.id, ast.Load()), node))
        self._keep(node, node.target.id, expressions.operation(node, node.op, before, expressions.number(node.value)))

    def _if(self, node: ast.If) -> None:
        instructions = self._instructions
        yes, no, end = instructions.new_label(), instructions.new_label(), instructions.new_label()
        instructions.branch_if(self._expressions.condition(node.test), yes, no)
        for label, block in ((yes, node.body), (no, node.orelse)):
            instructions.begin(label)
            self._block(block)
            if instructions.is_open:
                instructions.branch(end)
        instructions.begin(end)

    def _while(self, node: ast.While) -> None:
        instructions = self._instructions
        again, body, end = instructions.new_label(), instructions.new_label(), instructions.new_label()
        instructions.begin(again)
        instructions.branch_if(self._expressions.condition(node.test), body, end)
        self._loop(node, body, end, further=again)
        if instructions.is_open:
            instructions.branch_back(again)
        instructions.begin(end)

    def _for(self, node: ast.For) -> None:
        instructions, expressions = self._instructions, self._expressions
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=given) if 1 <= len(given) <= 3:
                pass
            case _:
                raise expressions.fault(node, "a loop must be over range(…).")
        step = _step(given[2]) if len(given) == 3 else 1
        if not step:
            raise expressions.fault(node, "the step of a range must be a nonzero integer literal.")
        bounds = [instructions.converted(expressions.number(each), INTEGER) for each in given[:2]]
        first, last = (literal(0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
        counter = instructions.allocate(INTEGER)
        instructions.assign(first, counter)
        again, body, further, end = (instructions.new_label() for _ in range(4))
        instructions.begin(again)
        count = instructions.value_in(counter)
        instructions.branch_if(instructions.compared("<" if step > 0 else ">", count, last), body, end)
        self._loop(node, body, end, further=further, count=count)
        instructions.begin(further)
        instructions.assign(instructions.number(INTEGER, f"add nsw i64 {count.operand}, {step}"), counter)
        if first.is_literal and last.is_literal:  # such as over the components of a vector
            instructions.branch(again)
        else:
            instructions.branch_back(again)
        instructions.begin(end)

    def _loop(
        self, node: ast.For | ast.While, body: str, end: str, *, further: str, count: Value | None = None
    ) -> None:
        """Write the body of a loop; `break` branches to `end`, `continue` to `further`."""
        if node.orelse:
            raise self._expressions.fault(node, "a loop may not have an else clause.")
        self._instructions.begin(body)
        if isinstance(node, ast.For) and count is not None:
            self._assign(node.target, count)
        self._loops.append((end, further))
        self._block(node.body)
        self._loops.pop()

    def _return(self, node: ast.expr | None) -> None:
        kind = self._source.returned
        if kind is None and node is not None:
            raise self._expressions.fault(
                node, "a kernel that returns a number must be annotated with int, float or bool."
            )
        if kind is None:
            self._instructions.terminate("ret void")
        elif node is None:  # unreachable, or the annotation is wrong
            self._instructions.terminate(f"ret {kind} {'0x0000000000000000' if kind == FLOAT else 0}")
        else:
            value = self._instructions.converted(self._expressions.number(node), kind)
            self._instructions.terminate(f"ret {kind} {value.operand}")


class _Table:
    """An argument that is the address of a table of words; those that are used are loaded at the beginning."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name, self._types = name, types_of(kind)
        self.value = value_in_table(kind, lambda k: f"{name}w{k}", lambda k: f"{name}p{k}")

    def loads(self, used: set[str]) -> list[str]:
        """Return the instructions that load words, and form addresses of parts."""
        lines = []
        for k, kind in enumerate(self._types):
            word, address = f"{self.name}w{k}", f"{self.name}p{k}"
            if word not in used and address not in used:
                continue
            lines.append(f"  {address} = getelementptr inbounds i64, ptr {self.name}, i64 {k}")
            if word in used and kind == BOOLEAN:
                lines += (f"  {word}i = load i64, ptr {address}, {INVARIANT}", f"  {word} = trunc i64 {word}i to i1")
            elif word in used:
                lines.append(f"  {word} = load {kind}, ptr {address}, {INVARIANT}")
        return lines


def _step(node: ast.expr) -> int:
    """Return the value of an integer literal, else 0."""
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
    return 0


def _meanings(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the builtins, globals and closure variables that a function uses, by name."""
    closed = inspect.getclosurevars(function)
    return {**closed.builtins, **closed.globals, **closed.nonlocals}
