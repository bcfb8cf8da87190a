import cProfile
import os
import pstats
import sys
import tempfile

os.environ["GYROSTAT_CACHE_DIR"] = tempfile.mkdtemp()
sys.path.insert(0, "benchmarks")
import models

import gyrostat as gs

gs.formulate(models.hinge_chain(12)).ready_program("rates")
s = gs.formulate(models.thirty_joint_tree())
pr = cProfile.Profile()
pr.enable()
s.ready_program("rates")
pr.disable()
pstats.Stats(pr).sort_stats("tottime").print_stats(18)
from gyrostat.recipes.rolled import _library

print(len(_library()._functions))
import collections

print(collections.Counter(f.__name__ for f, _ in _library()._functions))
