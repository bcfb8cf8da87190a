import math

from gyrostat.program.operation import NAMES
from gyrostat.scalar.recorded import CONSTANT, Recorded
from try_ import *


# python interpreter of a record
def interpret(rec, ins, xs):
    mem = {}
    for i, x in zip(ins, xs):
        mem[i.block] = [x]
    for kind, operands, block in rec.instructions:

        def get(b, o):
            if b.maker == CONSTANT:
                return b.values[o]
            return mem[b][o]

        g = kind.graph
        vals = []
        for base, off in kind.places:
            b, o = operands[base]
            vals.append(get(b, o + off))
        for c, l, r in zip(g.codes, g.left, g.right):
            n = NAMES[c]
            a = vals[l] if l >= 0 else g.constants[-1 - l]
            b_ = vals[r] if r >= 0 else g.constants[-1 - r]
            vals.append(
                {
                    "add": lambda: a + b_,
                    "sub": lambda: a - b_,
                    "mul": lambda: a * b_,
                    "div": lambda: a / b_,
                    "neg": lambda: -a,
                    "sq": lambda: a * a,
                    "inv": lambda: 1 / a,
                    "sin": lambda: math.sin(a),
                    "cos": lambda: math.cos(a),
                    "twice": lambda: 2 * a,
                }[n]()
            )
        mem[block] = [vals[v] if v >= 0 else g.constants[-1 - v] for v in g.results]
    return mem


import try_

s = gs.formulate(models.hinge_chain(2))
orig = try_.RolledEngine


def spy(lib, rec, ins, par, out):
    spy.a = (rec, ins, out)
    return orig(lib, rec, ins, par, out)


try_.RolledEngine = spy
e, info = rolled(s)
rec, ins, out = spy.a
x = np.random.default_rng(0).normal(size=len(ins))
mem = interpret(rec, ins, x)
print([mem[o.block][o.offset] for o in out])
o2 = np.zeros(len(out))
e.evaluate(x.ctypes.data, o2.ctypes.data)
print(o2, s.program("rates").loop(x[None]))
calls = []
oc = Record.call


def call(self, f, args):
    r = oc(self, f, args)
    calls.append((f, args, r))
    return r


Record.call = call
e, info = rolled(s)
rec, ins, out = spy.a
mem = interpret(rec, ins, x)
import dataclasses


def num(v):
    if isinstance(v, Recorded):
        return float(v.block.values[v.offset] if v.block.maker == CONSTANT else mem[v.block][v.offset])
    if type(v) is tuple:
        return tuple(map(num, v))
    if isinstance(v, tuple):
        return type(v)(*map(num, v))
    if dataclasses.is_dataclass(v):
        return type(v)(*[num(getattr(v, f.name)) for f in dataclasses.fields(v) if f.init])
    return v


def flat(v):
    if type(v) in (int, float, np.float64):
        return [float(v)]
    if isinstance(v, tuple):
        return [y for z in v for y in flat(z)]
    if dataclasses.is_dataclass(v):
        return [y for f in dataclasses.fields(v) if f.init for y in flat(getattr(v, f.name))]
    return []


for f, args, r in calls:
    want = flat(f(*num(args)))
    got = flat(num(r))
    print(f.__name__, len(want), len(got), max(abs(a - b) for a, b in zip(want, got)))
    if f.__name__ == "_with_child":
        print(num(args))
        print(want)
        print(got)
