import numpy as np
import pytest

from gyrostat.pictures.edge_routing import Canvas, EdgeCurve, Rectangle, bowed_curve

LEFT, MIDDLE, RIGHT = (Rectangle(x, 0, 40, 30) for x in (0, 150, 300))


def test_a_free_way_is_straight():
    points = Canvas([LEFT, RIGHT]).route(LEFT, RIGHT).points()
    assert points[:, 1] == pytest.approx(0)
    assert points[[0, -1], 0] == pytest.approx([20, 280], abs=3)


def test_a_curve_bends_around_a_box_in_its_way():
    curve = Canvas([LEFT, MIDDLE, RIGHT]).route(LEFT, RIGHT)
    assert not MIDDLE.contains(curve.points(1000)).any()


def test_a_second_curve_keeps_away_from_the_first():
    canvas = Canvas([LEFT, RIGHT])
    first, second = (canvas.route(LEFT, RIGHT).points()[30] for _ in range(2))
    assert np.hypot(*(first - second)) > 20


def test_a_curve_keeps_away_from_names():
    name = Rectangle(150, 0, 60, 16)
    canvas = Canvas([LEFT, RIGHT], labels=[name])
    assert not name.contains(canvas.route(LEFT, RIGHT).points(1000)).any()


def test_names_keep_away_from_boxes_names_and_lines():
    canvas = Canvas([LEFT, RIGHT])
    curve = canvas.route(LEFT, RIGHT)
    first, second = (canvas.place_label(curve, 30, 16) for _ in range(2))
    assert (first.x, first.y) == pytest.approx((150, 0), abs=4)
    assert not first.overlaps(second)
    crossing = Canvas([LEFT, RIGHT])
    crossing.add_line(EdgeCurve(np.linspace((150, -100), (150, 100), 4)))
    line = crossing.route(LEFT, RIGHT)
    assert abs(crossing.place_label(line, 20, 16).x - 150) > 10


def test_a_positive_bow_lies_to_the_left_of_the_way():
    """On a page y points down, so left of a way to the right is up: negative y."""
    curve = bowed_curve(LEFT, RIGHT, 60)
    assert curve is not None
    assert curve.points()[30, 1] == pytest.approx(-45, abs=1)
    assert curve.reversed().points()[0] == pytest.approx(curve.points()[-1])


def test_boxes_that_touch_are_joined_by_a_straight_line():
    near = Rectangle(10, 0, 40, 30)
    assert bowed_curve(LEFT, near, 0) is None
    assert len(Canvas([LEFT, LEFT]).route(LEFT, LEFT).points()) == 60


def test_a_name_hides_neither_a_short_edge_nor_its_arrow():
    near = Rectangle(LEFT.x + LEFT.width + 30, LEFT.y, LEFT.width, LEFT.height)
    canvas = Canvas([LEFT, near])
    assert np.ptp(Canvas([LEFT, near]).route(LEFT, near).points()[:, 1]) == 0
    curve = canvas.route(LEFT, near, 26)
    points = curve.points()
    assert np.hypot(*np.diff(points, axis=0).T).sum() > 26 + 20
    assert not canvas.place_label(curve, 26, 16).contains(points[-4:]).any()
