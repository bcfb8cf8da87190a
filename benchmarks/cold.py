"""A fresh process that simulates a double pendulum for 10 s: prints how long each stage takes, and when it was done."""

from __future__ import annotations

from time import perf_counter, time

times = [perf_counter()]

import gyrostat as gs  # noqa: E402

times.append(perf_counter())

if __name__ == "__main__":
    # What a user's own script would do. Stages are asked for one by one; `simulate` alone would make the same ones.
    model = gs.Model("double pendulum", gravity=(0, -9.81, 0))
    for i in (1, 2):
        inboard = "ground" if i == 1 else "bar1.tip"
        model.add(gs.Body(f"bar{i}", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0), "tip": (0, -0.5, 0)}))
        model.add(gs.Revolute(f"a{i}", inboard, f"bar{i}.top", initial=0.8 if i == 1 else -0.5))
    times.append(perf_counter())
    system = gs.formulate(model)
    times.append(perf_counter())
    system.program("rates")
    times.append(perf_counter())
    simulate = gs.simulate
    times.append(perf_counter())
    run = simulate(system, 10.0)
    times.append(perf_counter())
    done = time()
    again = simulate(system, 10.0)

    import json

    stages = dict(
        zip(("import", "model", "formulate", "program", "import_simulate", "simulate"), times[1:], strict=True)
    )
    starts = dict(zip(stages, times, strict=False))
    spent = {name: end - starts[name] for name, end in stages.items()}
    spent["integration"] = again.status.seconds
    spent["kernels"] = run.status.seconds - again.status.seconds
    spent["around"] = spent.pop("simulate") - run.status.seconds
    print(json.dumps({"done": done, **spent}))
