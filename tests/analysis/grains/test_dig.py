"""The example of a bucket in gravel, with fewer and larger grains: it digs, holds its load, and pours it out."""

import numpy as np
import pytest

import gyrostat as gs
from examples.bucket_in_gravel import Cut, Dig, dig_model, earthmoving_factor, earthmoving_force, summary


def test_factor_of_the_earthmoving_equation_is_that_of_passive_earth_pressure():
    """Rankine's coefficient for a smooth vertical wall, and the tabulated one of Coulomb for 30° and 20° (Das 2011)."""
    friction, wall = np.radians(30), np.pi / 2
    assert 2 * earthmoving_factor(friction, wall, 0.0) == pytest.approx(3.0, rel=1e-6)
    assert 2 * earthmoving_factor(friction, wall, np.radians(20)) == pytest.approx(6.105, rel=1e-3)


def test_force_grows_with_the_square_of_the_depth_and_with_the_heap():
    friction = np.radians(32)
    one, deep, heaped = (
        earthmoving_force(Cut(*cut), friction) for cut in ((1, 2, 0, 1300), (2, 2, 0, 1300), (1, 2, 0.5, 1300))
    )
    assert deep == pytest.approx(4 * one)
    assert heaped == pytest.approx(2 * one)  # a surcharge of half the depth doubles the mean pressure


@pytest.mark.filterwarnings("ignore:Grains 'gravel' overlapped")
def test_bucket_takes_up_half_its_volume_and_pours():
    """Drag is above that of a wide blade (Reece 1964, McKyes 1985): soil shears at the sides of the bucket as well."""
    dig = Dig(
        radius=0.21, stiffness=1e6, length=1.9, width=2.0, height=1.2, depth=0.7, bed=(9.5, 3.4, 2.2), settled=0.4,
        way=6.0,
    )  # fmt: skip
    run = gs.simulate(dig_model(dig), dig.duration, step=0.1)
    found = summary(run, dig)
    assert found["filled"] > 0.5
    assert found["dumped"] < 0.1
    assert found["least by Reece (kN)"] < found["drag force (kN)"] < 2 * found["most by Reece (kN)"]
    drag = -run["gravel.bucket.force"].values[:, 0]
    begin, end = dig.dragged
    early, late = (run.time > begin) & (run.time < begin + 1.0), (run.time > end - 2.0) & (run.time < end - 0.5)
    assert drag[late].mean() > 2 * drag[early].mean()  # it grows with the depth and with the load
