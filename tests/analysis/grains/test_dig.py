"""The example of a bucket in gravel, with fewer and larger grains: it digs, holds its load, and pours it out."""

import pytest

import gyrostat as gs
from examples.bucket_in_gravel import Dig, dig_model, summary


@pytest.mark.filterwarnings("ignore:Grains 'gravel' overlapped")
def test_bucket_takes_up_half_its_volume_and_pours():
    """Drag in the range of specific resistances of draglines in loose ground (Alekseeva et al. 1986): tens of kPa."""
    dig = Dig(
        radius=0.21, stiffness=1e6, length=1.9, width=2.0, height=1.2, depth=0.7, bed=(9.5, 3.4, 2.2), settled=0.4,
        way=6.0,
    )  # fmt: skip
    run = gs.simulate(dig_model(dig), dig.duration, step=0.1)
    found = summary(run, dig)
    assert found["filled"] > 0.5
    assert found["dumped"] < 0.1
    assert 10 < found["specific resistance (kPa)"] < 120
    drag = -run["gravel.bucket.force"].values[:, 0]
    begin, end = dig.dragged
    early, late = (run.time > begin) & (run.time < begin + 1.0), (run.time > end - 2.0) & (run.time < end - 0.5)
    assert drag[late].mean() > 2 * drag[early].mean()  # it grows with the depth and with the load
