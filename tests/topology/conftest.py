import pytest

from gyrostat.graph.linear_graph import LinearGraph


@pytest.fixture
def figure_2() -> LinearGraph:
    """The system graph of document 000, figure 2 (vertex pairs read off eq 6)."""
    ends = ["01", "12", "25", "34", "32", "54"]
    return LinearGraph([(str(number), *pair) for number, pair in enumerate(ends, start=1)], "0", "012345")


@pytest.fixture
def triangle() -> LinearGraph:
    return LinearGraph([("a", "0", "1"), ("b", "1", "2"), ("c", "2", "0")], "0")
