"""Exact variations of the equations of motion about a state: reduction, co-moving axes, steadiness and spectrum."""
