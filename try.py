import sys
import time

import numpy as np

import gyrostat as gs
from gyrostat.equations.dynamics import forward_dynamics
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.state import State
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.model.evaluator import Evaluator
from gyrostat.program.rolled.engine import RolledEngine
from gyrostat.program.rolled.library import Library
from gyrostat.recipes.kinds import trace_kind
from gyrostat.scalar.recorded import Record, RecordedScalars
from gyrostat.scalar.repeated import recording

sys.path.insert(0, "benchmarks")
import models

clock = time.perf_counter
t0 = clock()
LIB = Library()
LIB.trace = trace_kind
print("library", clock() - t0)


def rolled(system):
    t0 = clock()
    c = system.coordinates
    model = c.topology.model
    row = c.row
    rec = Record(LIB)
    sizes = row.sizes
    ent = {}
    ins = []
    for n, k in sizes.items():
        ent[n] = rec.inputs(k)
        ins += ent[n]
    scal = RecordedScalars(rec)
    values = dict(zip(model.parameters, ent["parameters"]))
    with recording(rec):
        tree = build_mechanism(c, Evaluator(scal, values.__getitem__))
        t1 = clock()
        st = State(
            ent["q"], ent["u"], ent["t"][0], dict(zip(model.inputs, ent["inputs"])), dict(zip(c.state_names, ent["z"]))
        )
        motion = tree.at(st)
        t2 = clock()
        out = coordinate_rates(tree, st) + forward_dynamics(motion)
    t3 = clock()
    a = len(ins)
    start = 0
    for n, k in sizes.items():
        if n == "parameters":
            par = slice(start, start + k)
        start += k
    LIB.complete()
    t4 = clock()
    e = RolledEngine(LIB, rec, ins, par, out)
    t5 = clock()
    return e, dict(
        build=t1 - t0,
        at=t2 - t1,
        dyn=t3 - t2,
        compile=t4 - t3,
        link=t5 - t4,
        total=t5 - t0,
        instr=e.instructions,
        ops=e.operations,
    )


if __name__ == "__main__":
    for name, m in (
        ("arm", models.seven_joint_arm()),
        ("tree30", models.thirty_joint_tree()),
        ("uchain", models.universal_chain(5)),
        ("hinge100", models.hinge_chain(100)),
        ("hinge300", models.hinge_chain(300)),
    ):
        s = gs.formulate(m)
        for k in range(2):
            e, info = rolled(s)
        print(
            name,
            {k: (round(v * 1e3, 2) if isinstance(v, float) else v) for k, v in info.items()},
            "kinds",
            len(LIB._functions),
        )
        p = s.program("rates")
        rng = np.random.default_rng(0)
        x = rng.normal(size=(64, p.input_size))
        x[:, s.row.sizes["t"] + s.row.sizes["q"] + s.row.sizes["u"] + s.row.sizes["z"] :][
            :, : len(s.model.parameters)
        ] = (
            [float(v.value) if hasattr(v, "value") else float(v) for v in s.model.parameters.values()]
            if s.model.parameters
            else 0
        )
        o = p.loop(x)
        o2 = np.zeros_like(o)
        e.loop(x.ctypes.data, o2.ctypes.data, 64)
        print("  err", np.abs(o - o2).max() / np.abs(o).max(), "ops", p.operations)
        best = {}
        for r in range(20):
            for n, f in (
                ("unrolled", lambda: p.loop(x, o)),
                ("rolled", lambda: e.loop(x.ctypes.data, o2.ctypes.data, 64)),
            ):
                a = clock()
                f()
                best[n] = min(best.get(n, 9), (clock() - a) / 64 * 1e6)
        print("  µs", best, best["rolled"] / best["unrolled"])
