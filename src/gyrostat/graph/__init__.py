"""Linear graphs and spanning trees, free of mechanics: mechanisms and networks are formulated on them."""

from gyrostat.graph.linear_graph import Edge, LinearGraph
from gyrostat.graph.spanning_tree import DirectedEdge, SpanningTree

__all__ = ["DirectedEdge", "Edge", "LinearGraph", "SpanningTree"]
