"""Expressions of kernels as LLVM instructions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, TypeAlias

from gyrostat.program.translation.arithmetic import Arithmetic
from gyrostat.program.translation.bounds import RECORD, Bounds
from gyrostat.program.translation.instructions import Instructions
from gyrostat.program.translation.kernel import KernelError, call, call_kernel, flat, is_kernel
from gyrostat.program.translation.kinds import (
    BOOLEAN,
    INTEGER,
    ArrayKind,
    KernelKind,
    Kind,
    Number,
    TupleKind,
    Value,
    common,
    is_tabled,
    literal,
    untabled,
)

Translate: TypeAlias = Callable[[Callable[..., Any], list[Kind]], tuple[str, list[Kind], Number | None]]
"""Returns the name of a kernel's translation, the kinds of its arguments, and that of its result, None without one."""


class ExpressionWriter:
    """Writes the instructions that evaluate expressions."""

    def __init__(
        self,
        instructions: Instructions,
        names: Mapping[str, Any],
        translate: Translate,
        file: str,
        bounds: Bounds | None = None,
    ) -> None:
        self.instructions = instructions
        self.variables: dict[str, Value] = {}
        """Stack slots of variables."""
        self.constants: dict[str, Value] = {}
        """Arguments that are never assigned, and arrays and tuples that are assigned once."""
        self._names = names
        self._translate = translate
        self._file = file
        self._bounds = bounds

    def fault(self, node: ast.AST, fact: str) -> KernelError:
        """Return an error with the line that cannot be translated."""
        line = getattr(node, "lineno", 0)
        return KernelError(f"{self._file}, line {line}: {fact} Kernels use a subset of Python: see `kernel`.")

    def value(self, node: ast.expr) -> Value:
        """Return the value of an expression."""
        match node:
            case ast.Constant(value=(bool() | int() | float()) as number):
                return literal(number)
            case ast.Name():
                return self._named(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.BinOp():
                return self.operation(node, node.op, self.number(node.left), self.number(node.right))
            case ast.UnaryOp():
                return self._unary(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.BoolOp():
                return self._logic(node)
            case ast.IfExp():
                return self._choice(node)
            case ast.Call():
                found = self.called(node)
                if found is None:
                    raise self.fault(node, "a call that returns nothing has no value.")
                return found
            case ast.Tuple():
                parts = tuple(self.value(part) for part in node.elts)
                return Value(TupleKind(tuple(part.kind for part in parts)), parts=parts)
        raise self.fault(node, f"{ast.unparse(node)!r:.60} is not a supported expression.")

    def number(self, node: ast.expr) -> Value:
        """Return the value of an expression that must be a number."""
        found = self.value(node)
        if not isinstance(found.kind, str):
            raise self.fault(node, f"{ast.unparse(node)!r:.60} is not a number.")
        return found

    def condition(self, node: ast.expr) -> Value:
        """Return an expression as a boolean."""
        return self.instructions.converted(self.number(node), BOOLEAN)

    # --- names -------------------------------------------------------------------------------------------------------

    def _named(self, node: ast.Name) -> Value:
        if node.id in self.variables:
            return self.instructions.value_in(self.variables[node.id])
        if node.id in self.constants:
            return self.constants[node.id]
        meant = self.meaning(node)
        if is_kernel(meant):
            return Value(KernelKind(meant))
        if not isinstance(meant, bool | int | float):
            raise self.fault(node, f"{node.id!r} is neither a variable nor a number.")
        return literal(meant)

    def meaning(self, node: ast.expr) -> Any:
        """Return the object of a global name, or of an attribute of an imported module; None for other expressions."""
        if isinstance(node, ast.Name) and node.id not in self.variables and node.id not in self.constants:
            return self._names.get(node.id)
        if isinstance(node, ast.Attribute):
            module = self.meaning(node.value)
            return getattr(module, node.attr, None) if isinstance(module, ModuleType) else None
        return None

    def _attribute(self, node: ast.Attribute) -> Value:
        meant = self.meaning(node)
        if isinstance(meant, int | float):
            return literal(meant)
        if node.attr == "data" and isinstance(node.value, ast.Attribute) and node.value.attr == "ctypes":
            array = self._array(node.value.value)
            return self.instructions.number(INTEGER, f"ptrtoint ptr {array.operand} to i64")
        owner = self.value(node.value)
        if isinstance(owner.kind, TupleKind) and node.attr in owner.kind.names:
            return owner.parts[owner.kind.names.index(node.attr)]
        if isinstance(owner.kind, ArrayKind) and node.attr == "shape":
            lengths = tuple(Value(INTEGER, length) for length in owner.shape)
            return Value(TupleKind((INTEGER,) * len(lengths)), parts=lengths)
        if isinstance(owner.kind, ArrayKind) and node.attr == "size":
            return self._size(owner)
        raise self.fault(node, f"{ast.unparse(node)!r:.60} is not supported.")

    def _size(self, array: Value) -> Value:
        total = Value(INTEGER, array.shape[0])
        for length in array.shape[1:]:
            total = self.instructions.number(INTEGER, f"mul nsw i64 {total.operand}, {length}")
        return total

    def _array(self, node: ast.expr) -> Value:
        found = self.value(node)
        if not isinstance(found.kind, ArrayKind):
            raise self.fault(node, f"{ast.unparse(node)!r:.60} is not an array.")
        return found

    # --- elements ----------------------------------------------------------------------------------------------------

    def place(self, node: ast.Subscript) -> tuple[Value, list[Value], ast.Slice | None]:
        """Return an array, leading indices, and the slice that follows them, if there is one."""
        return self._place(node, self._array(node.value))

    def _place(self, node: ast.Subscript, array: Value) -> tuple[Value, list[Value], ast.Slice | None]:
        assert isinstance(array.kind, ArrayKind), "it has been looked at"
        given = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        part = given.pop() if isinstance(given[-1], ast.Slice) else None
        if len(given) + (part is not None) > array.kind.rank:
            raise self.fault(node, f"{ast.unparse(node)!r:.60} has more indices than axes.")
        if any(isinstance(each, ast.Slice) for each in given):
            raise self.fault(node, "only the last index may be a slice: the result must be contiguous.")
        if any(isinstance(each, ast.UnaryOp) for each in given):
            raise self.fault(
                node, f"{ast.unparse(node)!r:.60} has a negative index, which does not count from the end."
            )
        indices = [self.number(each) for each in given]
        if self._bounds is not None:
            indices = [
                self._bounds.check_index(self.instructions, node, axis, index, array.shape[axis])
                for axis, index in enumerate(indices)
            ]
        return array, indices, part if isinstance(part, ast.Slice) else None

    def _subscript(self, node: ast.Subscript) -> Value:
        owner = self.value(node.value)
        if isinstance(owner.kind, TupleKind) and isinstance(node.slice, ast.Constant):
            place = node.slice.value
            if isinstance(place, int) and 0 <= place < len(owner.parts):
                return owner.parts[place]
        if not isinstance(owner.kind, ArrayKind):
            raise self.fault(
                node, f"{ast.unparse(node)!r:.60} is neither an element of an array nor an item of a tuple."
            )
        array, indices, part = self._place(node, owner)
        assert isinstance(array.kind, ArrayKind), "it has been looked at"
        if part is None and len(indices) == array.kind.rank:
            return self.instructions.load(array, indices)
        kind = ArrayKind(array.kind.element, array.kind.number, array.kind.rank - len(indices))
        row = Value(
            kind,
            self.instructions.element(array, indices).operand if indices else array.operand,
            array.shape[len(indices) :],
        )
        return row if part is None else self._sliced(node, row, part, len(indices))

    def _sliced(self, node: ast.Subscript, array: Value, part: ast.Slice, axis: int) -> Value:
        """Return a slice of the first axis, which is axis `axis` of the whole array."""
        instructions = self.instructions
        if part.step is not None:
            raise self.fault(part, "a slice may not have a step.")
        start = Value(INTEGER, "0") if part.lower is None else instructions.converted(self.number(part.lower), INTEGER)
        stop = (
            Value(INTEGER, array.shape[0])
            if part.upper is None
            else instructions.converted(self.number(part.upper), INTEGER)
        )
        if self._bounds is not None:
            self._bounds.check_slice(instructions, node, axis, (start.operand, stop.operand), array.shape[0])
        length = instructions.number(INTEGER, f"sub nsw i64 {stop.operand}, {start.operand}")
        return Value(array.kind, instructions.element(array, [start]).operand, (length.operand, *array.shape[1:]))

    # --- operators ---------------------------------------------------------------------------------------------------

    def operation(self, node: ast.AST, sign: ast.operator, a: Value, b: Value) -> Value:
        """Return the result of an operator on two numbers."""
        found = Arithmetic(self.instructions).operation(sign, a, b)
        if found is None:
            raise self.fault(node, f"the operator {type(sign).__name__} is not supported for these numbers.")
        return found

    def _unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return self.instructions.number(BOOLEAN, f"xor i1 {self.condition(node.operand).operand}, true")
        if not isinstance(node.op, ast.USub):
            raise self.fault(node, f"the operator {type(node.op).__name__} is not supported.")
        if isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, int | float):
            return literal(-node.operand.value)
        return Arithmetic(self.instructions).negative(self.number(node.operand))

    def _comparison(self, node: ast.Compare) -> Value:
        left, right = self.number(node.left), self.number(node.comparators[0])
        found = Arithmetic(self.instructions).comparison(node.ops[0], left, right)
        if found is None or len(node.ops) != 1:
            raise self.fault(node, f"{ast.unparse(node)!r:.60} is not one comparison of two numbers.")
        return found

    # --- choices -----------------------------------------------------------------------------------------------------

    def _logic(self, node: ast.BoolOp) -> Value:
        """Return `and` or `or` of conditions, evaluated from the left only as far as needed."""
        instructions, end = self.instructions, self.instructions.new_label()
        slots = instructions.allocate(BOOLEAN)
        for condition in node.values[:-1]:
            instructions.assign(found := self.condition(condition), slots)
            further = instructions.new_label()
            yes, no = (further, end) if isinstance(node.op, ast.And) else (end, further)
            instructions.branch_if(found, yes, no)
            instructions.begin(further)
        instructions.assign(self.condition(node.values[-1]), slots)
        instructions.begin(end)
        return instructions.value_in(slots)

    def _choice(self, node: ast.IfExp) -> Value:
        instructions = self.instructions
        kinds = [untabled(self.kind(part)) for part in (node.body, node.orelse)]
        kind = common(*kinds)
        if kind is None:
            raise self.fault(node, f"{ast.unparse(node)!r:.60} has values of incompatible kinds.")
        slots = instructions.allocate(kind)
        yes, no, end = instructions.new_label(), instructions.new_label(), instructions.new_label()
        instructions.branch_if(self.condition(node.test), yes, no)
        for label, part in ((yes, node.body), (no, node.orelse)):
            instructions.begin(label)
            instructions.assign(instructions.converted(self.value(part), kind), slots)
            instructions.branch(end)
        instructions.begin(end)
        return instructions.value_in(slots)

    def kind(self, node: ast.expr) -> Kind:
        """Return the kind of an expression without writing its instructions."""
        kept, self.instructions = self.instructions, Instructions()
        try:
            return self.value(node).kind
        finally:
            self.instructions = kept

    # --- calls -------------------------------------------------------------------------------------------------------

    def called(self, node: ast.Call) -> Value | None:
        """Return the value of a call, None without one."""
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self.fault(node, "arguments must be positional.")
        function = self._function(node.func)
        if function in (call, call_kernel):
            self._native(node, checked=function is call_kernel and self._bounds is not None)
            return None
        arguments = [self.value(argument) for argument in node.args]
        if is_kernel(function):
            return self._kernel(function, arguments)
        if function is flat and isinstance(arguments[0].kind, ArrayKind):
            row = ArrayKind(arguments[0].kind.element, arguments[0].kind.number, 1)
            return Value(row, arguments[0].operand, (self._size(arguments[0]).operand,))
        if isinstance(function, type) and hasattr(function, "_fields"):
            kind = TupleKind(tuple(argument.kind for argument in arguments), function._fields)
            return Value(kind, parts=tuple(arguments))
        numbers = all(isinstance(argument.kind, str) for argument in arguments)
        found = Arithmetic(self.instructions).function(function, arguments) if numbers else None
        if found is None:
            raise self.fault(node, f"{ast.unparse(node)!r:.60} is not a call of a supported function.")
        return found

    def _function(self, node: ast.expr) -> Any:
        """Return the function that a call names: one of the module, or a kernel among the arguments."""
        meant = self.meaning(node)
        if meant is None and isinstance(node, ast.Name | ast.Attribute):
            kind = self.kind(node)
            return kind.function if isinstance(kind, KernelKind) else None
        return meant

    def _native(self, node: ast.Call, *, checked: bool) -> None:
        instructions = self.instructions
        address, *words = (instructions.converted(self.number(argument), INTEGER).operand for argument in node.args)
        function = instructions.number("ptr", f"inttoptr i64 {address} to ptr")
        operands = [f"i64 {word}" for word in words] + ([RECORD] if checked else [])
        instructions.write(f"call void {function.operand}({', '.join(operands)})")
        if checked and self._bounds is not None:
            self._bounds.after_call(instructions)

    def _kernel(self, function: Callable[..., Any], arguments: list[Value]) -> Value | None:
        instructions = self.instructions
        name, wanted, returned = self._translate(function, [argument.kind for argument in arguments])
        operands: list[str] = []
        for argument, each in zip(arguments, wanted, strict=True):
            given = instructions.converted(argument, each)
            if is_tabled(each):
                operands.append(f"ptr {given.table}")
            else:
                operands += (f"{kind} {operand}" for kind, operand in given.operands)
        if self._bounds is not None:
            operands.append(RECORD)
        found = None
        if returned is None:
            instructions.write(f"call void @{name}({', '.join(operands)})")
        else:
            found = instructions.number(returned, f"call {returned} @{name}({', '.join(operands)})")
        if self._bounds is not None:
            self._bounds.after_call(instructions)
        return found
