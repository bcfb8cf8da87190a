"""Simulation: integration of the equations of motion in time, and the trajectories it yields."""
