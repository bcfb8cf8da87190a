"""An expression graph in static single assignment form, independent of CasADi's objects.

Values are numbered: 0 … input_size − 1 are the entries of the input vector, input_size + k is the result of
instruction k, and −1 − c is constant number c.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import ProgramError
from gyrostat.program.operation import BINARY_OPERATIONS, CODES, COPIES, NAMES, SLOW_OPERATIONS
from gyrostat.program.port import Floats, Integers, Port, total_size
from gyrostat.scalar.tracing import in_turn

FORMATION_OUTPUT = "formed_in_order"
"""Name of a first output that only lists values in the order in which they are to be formed."""


@dataclass(frozen=True, eq=False)
class Graph:
    """Instructions `codes[k]` on values `left[k]`, `right[k]` (equal to `left[k]` when the operation has one operand).

    `results` holds the value number of each entry of the output vector, shape (output_size,).
    """

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    codes: NDArray[np.uint8]
    left: Integers
    right: Integers
    constants: Floats
    results: Integers
    in_order: bool = False
    """Whether the order of the instructions was prescribed rather than CasADi's."""

    @property
    def input_size(self) -> int:
        """Length of the input vector."""
        return total_size(self.inputs)

    def operation_counts(self) -> dict[str, int]:
        """Return how often each operation occurs, by name."""
        return {NAMES[code]: count for code, count in sorted(Counter(self.codes.tolist()).items())}

    def digest(self) -> str:
        """Return a hash of the graph's instructions, constants, results and ports."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    def to_bytes(self) -> bytes:
        """Return the graph as compressed bytes: a JSON head, then the arrays."""
        head = {
            "name": self.name,
            "inputs": [port.as_json() for port in self.inputs],
            "outputs": [port.as_json() for port in self.outputs],
            "lengths": [len(self.codes), len(self.constants), len(self.results)],
        }
        text = json.dumps(head).encode()
        arrays = (self.left, self.right, self.results)
        body = self.codes.tobytes() + b"".join(a.astype("<i4").tobytes() for a in arrays)
        return zlib.compress(struct.pack("<Q", len(text)) + text + body + self.constants.astype("<f8").tobytes(), 1)

    @staticmethod
    def from_bytes(data: bytes) -> Graph:
        """Return the graph that `to_bytes` described."""
        raw = zlib.decompress(data)
        (length,) = struct.unpack_from("<Q", raw)
        head: dict[str, Any] = json.loads(raw[8 : 8 + length])
        operations, constants, results = head["lengths"]
        place = 8 + length

        def take(kind: str, count: int) -> NDArray[Any]:
            nonlocal place
            array = np.frombuffer(raw, kind, count, place)
            place += array.nbytes
            return array.astype(array.dtype.newbyteorder("="), copy=False)

        codes, left, right = take("u1", operations), take("<i4", operations), take("<i4", operations)
        targets = take("<i4", results)
        inputs, outputs = (tuple(Port.from_json(port) for port in head[side]) for side in ("inputs", "outputs"))
        return Graph(head["name"], inputs, outputs, codes, left, right, take("<f8", constants), targets)


def read_graph(function: Any) -> Graph:
    """Return the graph of a CasADi Function made of SX.

    Raises ProgramError when the function is of another kind, has free symbols, or has an operation without native form.
    """
    import casadi

    if not isinstance(function, casadi.Function):
        raise ProgramError(f"A program is compiled from a casadi.Function, not from {type(function).__name__}.")
    name = function.name()
    if not function.is_a("SXFunction"):
        raise ProgramError(
            f"Function {name!r} is a {function.class_name()}; only functions made of SX can be compiled. "
            "Build it from SX symbols, or call expand() on it."
        )
    if function.has_free():
        free = ", ".join(str(symbol) for symbol in function.free_sx())
        raise ProgramError(f"Function {name!r} depends on symbols that are not inputs: {free}. Add them to its inputs.")
    inputs = tuple(_port(function.name_in(i), function.sparsity_in(i)) for i in range(function.n_in()))
    outputs = tuple(_port(function.name_out(i), function.sparsity_out(i)) for i in range(function.n_out()))
    if not outputs or outputs[0].name != FORMATION_OUTPUT:
        return _read_instructions(function, inputs, outputs)
    graph = _read_instructions(function, inputs, outputs, marks=outputs[0].size)
    return _without_order(graph) or read_graph(plain_function(function))


# Share of instructions with a prescribed order below which that order is ignored, as in derivatives: the other
# instructions would all come last.
_ORDERED_SHARE = 0.8


def _without_order(graph: Graph) -> Graph | None:
    """Return the graph without the output of the order and its operands; None if most instructions have no order."""
    base, count = graph.input_size, len(graph.codes)
    formed, results = np.split(graph.results, [graph.outputs[0].size])
    needed = bytearray(base + count)
    for value in results[results >= 0].tolist():
        needed[value] = True
    pairs = list(zip(graph.left.tolist(), graph.right.tolist(), strict=True))
    for k in range(count - 1, -1, -1):
        if needed[base + k]:
            for value in pairs[k]:
                if value >= 0:
                    needed[value] = True
    kept = np.flatnonzero(np.frombuffer(needed, np.uint8)[base:])
    if len(np.intersect1d(formed, base + kept)) < _ORDERED_SHARE * len(kept):
        return None
    number = np.arange(base + count + 1, dtype=np.int32)
    number[base + kept] = np.arange(base, base + len(kept))

    def renumbered(values: Integers) -> Integers:
        return np.where(values < 0, values, number[np.maximum(values, 0)])

    return replace(
        graph,
        outputs=graph.outputs[1:],
        codes=graph.codes[kept],
        left=renumbered(graph.left[kept]),
        right=renumbered(graph.right[kept]),
        results=renumbered(results),
        in_order=True,
    )


@in_turn
def plain_function(function: Any) -> Any:
    """Return a function without the output of the order."""
    import casadi

    if function.n_out() == 0 or function.name_out(0) != FORMATION_OUTPUT:
        return function
    symbols = function.sx_in()
    outputs = function.call(symbols, True, False)[1:]
    return casadi.Function(function.name(), symbols, outputs, function.name_in(), function.name_out()[1:])


def _port(name: str, sparsity: Any) -> Port:
    rows, columns, size = sparsity.size1(), sparsity.size2(), sparsity.nnz()
    if sparsity.is_dense():
        return Port(name, size, rows, columns)
    pattern = (np.array(sparsity.row(), dtype=np.int32), np.array(sparsity.get_col(), dtype=np.int32))
    return Port(name, size, rows, columns, pattern)


def _operation_names() -> dict[int, str]:
    """Return CasADi's operation numbers with their names; the numbers differ between CasADi's versions."""
    import casadi

    return {getattr(casadi, key): key[3:].lower() for key in dir(casadi) if key.startswith("OP_")}


class _Opcodes(NamedTuple):
    """CasADi's numbers of operations, by how they are read."""

    native: dict[int, int]
    """Our code of each elementary operation."""
    copies: set[int]
    binary: set[int]
    long: set[int]
    """Those that take many times the time of a product."""
    read: int
    write: int
    constant: int


@cache
def _opcodes() -> _Opcodes:
    names = _operation_names()
    by_name = {name: number for number, name in names.items()}
    return _Opcodes(
        {number: CODES[name] for number, name in names.items() if name in CODES},
        {number for number, name in names.items() if name in COPIES},
        {number for number, name in names.items() if name in BINARY_OPERATIONS},
        {number for number, name in names.items() if name in SLOW_OPERATIONS},
        by_name["input"],
        by_name["output"],
        by_name["const"],
    )


@dataclass
class _Values:
    """The values that instructions form, numbered behind the inputs, and which of them are equal."""

    inputs: int
    long: set[int]
    """Operations that are done once for equal values."""
    codes: bytearray = field(default_factory=bytearray)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    known: dict[tuple[int, int, int], int] = field(default_factory=dict)
    same: dict[int, int] = field(default_factory=dict)
    """Values that equal an earlier one."""

    @property
    def last(self) -> int:
        """The number of the value formed last."""
        return self.inputs + len(self.left) - 1

    def formed(self, kind: int, code: int, first: int, second: int) -> int:
        """Return the number of an operation's value: a new one, or that of an equal one of a long operation."""
        key = kind, self.same.get(first, first), self.same.get(second, second)
        known = self.known.get(key)
        if known is not None and kind in self.long:
            return known
        self.codes.append(code)
        self.left.append(first)
        self.right.append(second)
        if known is None:
            self.known[key] = self.last
        else:
            self.same[self.last] = known
        return self.last


def _read_instructions(function: Any, inputs: tuple[Port, ...], outputs: tuple[Port, ...], marks: int = 0) -> Graph:
    """Walk CasADi's instruction list, whose operands are reusable registers, and number every value once.

    Quotients, sines and other long operations on equal values are one instruction, however often formulas form them:
    rates of constraints, which CasADi differentiates, come with sines of their own. Sums and products are repeated,
    since values that are kept for long take more time than that.

    CasADi writes outputs in order, each when it is formed. The first `marks` entries are read as the value formed last,
    whatever it is: they only define the order.

    Each accessor call costs about 1 µs; the serialised form holds the same list as one block of bytes, but its layout
    is private to each CasADi version.
    """
    kinds = list(map(function.instruction_id, range(function.n_instructions())))
    sources, targets = function.instruction_input, function.instruction_output
    input_start = np.cumsum([0, *(port.size for port in inputs)]).tolist()
    output_start = np.cumsum([0, *(port.size for port in outputs)]).tolist()
    native, copies, binary, long, read, write, constant = _opcodes()
    values = _Values(input_start[-1], long)

    registers = [0] * function.sz_w()
    constants: dict[bytes, int] = {}
    results = [0] * output_start[-1]
    marked = 0
    for k, kind in enumerate(kinds):
        if kind in native:
            operands = sources(k)
            first, second = registers[operands[0]], registers[operands[1 if kind in binary else 0]]
            registers[targets(k)[0]] = values.formed(kind, native[kind], first, second)
        elif kind == read:
            port, entry = sources(k)
            registers[targets(k)[0]] = input_start[port] + entry
        elif kind == write:
            if marked < marks:
                results[marked] = values.last
                marked += 1
                continue
            port, entry = targets(k)
            results[output_start[port] + entry] = registers[sources(k)[0]]
        elif kind == constant:
            bits = struct.pack("<d", function.instruction_constant(k))
            registers[targets(k)[0]] = -1 - constants.setdefault(bits, len(constants))
        elif kind in copies:
            registers[targets(k)[0]] = registers[sources(k)[0]]
        else:
            operation = _operation_names().get(kind, str(kind))
            raise ProgramError(
                f"Function {function.name()!r} contains the operation {operation!r}, which has no "
                "native form. Programs are made of elementary operations on scalars; inline calls of other functions."
            )
    return Graph(
        function.name(),
        inputs,
        outputs,
        np.frombuffer(bytes(values.codes), np.uint8),
        np.array(values.left, np.int32),
        np.array(values.right, np.int32),
        np.frombuffer(b"".join(constants), "<f8").astype(np.float64),
        np.array(results, np.int32),
    )
