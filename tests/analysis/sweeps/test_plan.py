"""Plans of sweeps: axes, samples, blocks, and invalid arguments."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import gyrostat as gs
from gyrostat.analysis.sweeps.blocks import Blocks
from gyrostat.analysis.sweeps.plan import Plan
from gyrostat.analysis.sweeps.targets import TargetKind, Targets
from gyrostat.model.forces import CoordinateLoad, ForceElement

SHAPES = st.lists(st.integers(1, 7), min_size=1, max_size=4).map(tuple)


def test_a_grid_has_every_combination_the_last_name_fastest():
    plan = Plan.of({"m1": [1, 2], "m2": np.array([5.0, 6.0, 7.0])})
    points = plan.points(0, plan.size)
    assert plan.dims == ("m1", "m2")
    assert points.columns["m1"].tolist() == [1, 1, 1, 2, 2, 2]
    assert points.columns["m2"].tolist() == [5, 6, 7, 5, 6, 7]
    assert plan.points(4, 5).at(0) == {"m1": 2.0, "m2": 6.0}


def test_formulas_without_names_are_numbers():
    plan = Plan.of({"a1": ["30*deg", gs.deg(60), "pi/2"]})
    assert np.allclose(plan.axes[0].columns["a1"], np.pi * np.array([1 / 6, 1 / 3, 1 / 2]))


def test_a_list_of_points_is_taken_as_it_is():
    plan = Plan.of([{"m1": 1, "m2": 2}, {"m2": 4, "m1": 3}])
    assert plan.dims == ("point",)
    assert [plan.points(i, i + 1).at(0) for i in range(2)] == [{"m1": 1.0, "m2": 2.0}, {"m1": 3.0, "m2": 4.0}]


def test_distributions_are_sampled_beside_a_grid():
    over = {"m1": gs.uniform(2, 4), "m2": [1, 2, 3], "g": stats.norm(9.81, 0.1)}
    plan = Plan.of(over, gs.LatinHypercube(10, seed=3))
    assert plan.dims == ("m2", "sample")
    assert plan.shape == (3, 10)
    column = plan.axes[1].columns["m1"]
    assert sorted(((column - 2) / 2 * 10).astype(int)) == list(range(10))
    again = Plan.of(over, gs.LatinHypercube(10, seed=3))
    assert (again.axes[1].columns["g"] == plan.axes[1].columns["g"]).all()


def test_designs_have_their_sizes_and_reach_all_parts():
    assert gs.SobolSequence(64).samples(3).shape == (64, 3)
    counts, _ = np.histogram(gs.SobolSequence(64).samples(2)[:, 1], bins=8, range=(0, 1))
    assert (counts == 8).all()
    samples = gs.Saltelli(8).samples(3).reshape(5, 8, 3)
    for i in range(3):
        others = [j for j in range(3) if j != i]
        assert (samples[2 + i][:, i] == samples[1][:, i]).all()
        assert (samples[2 + i][:, others] == samples[0][:, others]).all()


def test_distributions_have_their_quantiles():
    assert gs.normal(3, 2).ppf(0.5) == pytest.approx(3)
    assert gs.loguniform(1, 100).ppf(0.5) == pytest.approx(10)


@given(SHAPES, st.integers(1, 60))
def test_blocks_cover_all_points_once_and_in_order(shape, most):
    blocks = Blocks.of(shape, most)
    numbers = np.arange(np.prod(shape)).reshape(shape)
    seen = []
    for block in blocks:
        start, stop = blocks.range(block)
        assert stop - start <= most
        assert numbers[blocks.extent(block)].ravel().tolist() == list(range(start, stop))
        assert {blocks.owner(point) for point in range(start, stop)} == {block}
        seen += range(start, stop)
    assert seen == list(range(numbers.size))


def test_names_are_parameters_initial_values_and_inputs(pendulum):
    plan = Plan.of({"m1": [1], "a1": [0.1], "a2.rate": [0], "motor": [0, "sin(t)"]})
    targets = Targets.of(pendulum, plan)
    expected = [TargetKind.PARAMETER, TargetKind.INITIAL, TargetKind.INITIAL, TargetKind.INPUT]
    assert list(targets.of_name.values()) == expected


BAD = [
    ({}, None, "The sweep has no names"),
    ("m1", None, "over 'm1'. Give values by name"),
    ({"m1": []}, None, "The values of 'm1' are none"),
    ({"m1": [[1, 2]]}, None, "The values of 'm1' are no row"),
    ({"m1": 3.0}, None, "Give a list of them, or a distribution"),
    ({"m1": "1,2"}, None, "The values of 'm1' are '1,2'"),
    ({"m1": [1, float("nan")]}, None, "A value of 'm1' is nan"),
    ({"m1": [1, None]}, None, "A value of 'm1' is None"),
    ({3: [1, 2]}, None, "is no name of something to sweep"),
    ({"m1": gs.uniform(0, 1)}, None, "Give the design of the samples: points=gs.LatinHypercube"),
    ({"m1": gs.uniform(0, 1)}, 100, "points is 100. Use an object such as"),
    ({"m1": [1]}, gs.LatinHypercube(3), "samples distributions, of which there are none"),
    ({"m1": range(100_000), "m2": range(100_000)}, None, "1e\\+10 points"),
    ([], None, "The list of points is empty"),
    ([{"m1": 1}, {"m2": 1}], None, "Point 1 of the list has values of 'm2', point 0 of 'm1'"),
    ([{"m1": 1}, 3], None, "Point 1 of the list is 3"),
    ([{"m1": 1}], gs.LatinHypercube(3), "A list of points is swept as it is"),
]


@pytest.mark.parametrize(("over", "points", "message"), BAD, ids=[message for _, _, message in BAD])
def test_what_cannot_be_swept_is_refused(over, points, message):
    with pytest.raises(gs.StateError, match=message):
        Plan.of(over, points)


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ({"m3": [1]}, "no parameter, initial value or input 'm3' to sweep in 'double pendulum'. Known: a1"),
        ({"m1": ["sin(t)"]}, "'m1' is swept over 'sin\\(t\\)'. It is a parameter: give numbers"),
        ({"a1": ["t"]}, "It is an initial value: give numbers"),
    ],
)
def test_names_that_mean_nothing_are_refused(pendulum, over, message):
    with pytest.raises(gs.StateError, match=message):
        Targets.of(pendulum, Plan.of(over))


def test_names_of_axes_are_not_swept():
    model = gs.Model("clock", parameters={"time": 1.0})
    model.add(gs.Body("body", gs.point_mass("time")))
    model.add(gs.Prismatic("x", "ground", "body", axis="x"))
    with pytest.raises(gs.StateError, match=r"'time' cannot be swept: an axis of results has that name\. Rename it"):
        Targets.of(gs.formulate(model), Plan.of({"time": [1.0, 2.0]}))


def test_names_of_two_things_are_not_swept():
    """A force from elsewhere may call its input as a coordinate is called."""

    @dataclass(frozen=True)
    class Push(ForceElement):
        @property
        def inputs(self):
            return ("x",)

        def loads(self, motion):
            yield CoordinateLoad("x", motion.input("x"))

    model = gs.Model("slide")
    model.add(gs.Body("body", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "body", axis="x"))
    model.add(Push("push"))
    with pytest.raises(gs.StateError, match=r"'x' is initial value and input of 'slide' at once\. Rename one of them"):
        Targets.of(gs.formulate(model), Plan.of({"x": [1.0, 2.0]}))


def test_distributions_that_give_no_numbers_are_refused():
    class Nowhere:
        def ppf(self, places):
            return np.full(len(places), np.inf)

    with pytest.raises(gs.StateError, match="The distribution of 'm1' gives values that are not finite numbers"):
        Plan.of({"m1": Nowhere()}, gs.LatinHypercube(3))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gs.uniform(2, 1), r"gs.uniform\(2, 1\) is no distribution: low < high must hold"),
        (lambda: gs.normal(0, 0), r"gs.normal\(0, 0\) is no distribution"),
        (lambda: gs.loguniform(0, 1), "0 < low < high must hold"),
        (lambda: gs.LatinHypercube(0), r"LatinHypercube\(count=0\): the count must be a whole number"),
        (lambda: gs.LatinHypercube(3, seed=-1), "the seed must be a whole number, at least 0"),
        (lambda: gs.SobolSequence(100), "Take 64 or 128"),
        (lambda: gs.Saltelli(12), "Take 8 or 16"),
    ],
)
def test_bad_distributions_and_designs_are_refused(make, message):
    with pytest.raises(gs.StateError, match=message):
        make()
