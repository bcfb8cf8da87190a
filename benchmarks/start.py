"""A fresh process that wants a program: prints how long each stage takes. Usage: python start.py seven_joint_arm."""

from __future__ import annotations

import sys
from time import process_time

times = [process_time()]

import gyrostat as gs  # noqa: E402

times.append(process_time())

import models  # noqa: E402

if __name__ == "__main__":
    # What a user's own script would do: the time includes importing the parts of gyrostat that models are made of.
    model = models.BENCHMARKED[sys.argv[1]]()
    times.append(process_time())
    system = gs.formulate(model)
    times.append(process_time())
    system.program("forward_dynamics")
    times.append(process_time())
    cached = "casadi" not in sys.modules
    again = gs.formulate(model)
    times.append(process_time())
    again.program("forward_dynamics")
    times.append(process_time())

    import json

    stages = dict(
        zip(("import", "model", "formulate", "load", "formulate_again", "load_again"), times[1:], strict=True)
    )
    starts = dict(zip(stages, times, strict=False))
    print(json.dumps({"cached": cached, **{name: end - starts[name] for name, end in stages.items()}}))
