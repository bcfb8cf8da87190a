"""Topology: linear graphs, spanning trees, and the graph of a mechanism."""

from gyrostat.graph.linear_graph import Edge, LinearGraph
from gyrostat.graph.spanning_tree import SpanningTree
from gyrostat.topology.element_graph import ElementGraph, ElementKind, element_graph
from gyrostat.topology.mobility import Mobility
from gyrostat.topology.topology import Topology
from gyrostat.topology.trees import Trees

__all__ = [
    "Edge",
    "ElementGraph",
    "ElementKind",
    "LinearGraph",
    "Mobility",
    "SpanningTree",
    "Topology",
    "Trees",
    "element_graph",
]
