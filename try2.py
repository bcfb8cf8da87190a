import sys
import time

sys.path.insert(0, "benchmarks")
import models
import numpy as np

import gyrostat as gs

cl = time.process_time
for name, f in (
    ("hinge10", lambda: models.hinge_chain(10)),
    ("arm", models.seven_joint_arm),
    ("tree30", models.thirty_joint_tree),
    ("hinge100", lambda: models.hinge_chain(100)),
    ("uchain100", lambda: models.universal_chain(50)),
):
    for k in range(3):
        t = [cl()]
        m = f()
        t.append(cl())
        s = gs.formulate(m)
        t.append(cl())
        p = s.ready_program("rates")
        t.append(cl())
        e = s.ready_program("energy")
        t.append(cl())
        r = gs.simulate(s, times=[0, 1.0])
        t.append(cl())
        print(
            name,
            [round(1e3 * (b - a), 2) for a, b in zip(t, t[1:])],
            p.operations,
            r.status.outcome,
            type(p._engine).__name__,
        )
    u = s.program("rates")
    x = np.random.default_rng(0).normal(size=(64, p.input_size))
    o = u.loop(x)
    o2 = p.loop(x)
    print("  err", np.abs(o - o2).max() / np.abs(o).max(), np.abs(s.program("energy").loop(x) - e.loop(x)).max())
    best = {}
    for r in range(30):
        for n, pp in (("unrolled", u), ("rolled", p)):
            a = time.perf_counter()
            pp.loop(x, o)
            best[n] = min(best.get(n, 9e9), (time.perf_counter() - a) / 64 * 1e6)
    print("  µs", best, best["rolled"] / best["unrolled"])
