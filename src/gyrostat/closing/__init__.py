"""Closing of loops: positions that satisfy the constraints, their rank, redundancy and diagnosis."""
