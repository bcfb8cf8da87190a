"""Comparison of formulations: the same accelerations by every method."""
