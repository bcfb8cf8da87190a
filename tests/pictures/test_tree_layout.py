import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyrostat.pictures.tree_layout import tree_places


@st.composite
def forests(draw: st.DrawFn) -> tuple[list[str], dict[str, str], dict[str, float]]:
    """Forests: each vertex has an earlier one as its parent, or none."""
    n = draw(st.integers(1, 25))
    below = [draw(st.integers(-1, i - 1)) for i in range(n)]
    parent = {str(i): str(k) for i, k in enumerate(below) if k >= 0}
    return [str(i) for i in range(n)], parent, {str(i): float(draw(st.integers(1, 50))) for i in range(n)}


@settings(deadline=None)
@given(forests())
def test_boxes_of_one_level_do_not_overlap_and_branches_do_not_cross(forest):
    order, parent, width = forest
    places = tree_places(order, parent, width)
    levels: dict[int, list[str]] = {}
    for vertex, (_, level) in places.items():
        levels.setdefault(level, []).append(vertex)
    for members in levels.values():
        members.sort(key=lambda vertex: places[vertex][0])
        for left, right in itertools.pairwise(members):
            assert places[right][0] - places[left][0] >= (width[left] + width[right]) / 2 - 1e-9
            if left in parent and right in parent:
                assert places[parent[left]][0] <= places[parent[right]][0], "the branches would cross"


@settings(deadline=None)
@given(forests())
def test_parents_stand_in_the_middle_of_their_children_and_one_level_below(forest):
    order, parent, width = forest
    places = tree_places(order, parent, width)
    for vertex in order:
        children = [child for child in order if parent.get(child) == vertex]
        assert all(places[child][1] == places[vertex][1] + 1 for child in children)
        if children:
            middle = (places[children[0]][0] + places[children[-1]][0]) / 2
            assert places[vertex][0] == pytest.approx(middle)
            assert [places[child][0] for child in children] == sorted(places[child][0] for child in children)


def test_a_short_branch_nestles_beside_a_deep_one():
    """Outlines are compared level by level: the wide deep vertex does not push its parent's sibling away."""
    order = ["root", "deep", "leaf", "wide"]
    places = tree_places(
        order, {"deep": "root", "leaf": "root", "wide": "deep"}, dict.fromkeys(order, 10.0) | {"wide": 99.0}
    )
    assert places["leaf"][0] - places["deep"][0] == pytest.approx(10)


def test_a_long_chain_is_straight():
    order = [str(i) for i in range(20_000)]
    places = tree_places(order, {str(i): str(i - 1) for i in range(1, 20_000)}, dict.fromkeys(order, 10.0))
    assert {x for x, _ in places.values()} == {0.0}
    assert places["19999"][1] == 19_999
