"""Kinematics of trees over abstract scalars: poses, velocities, velocity transformation."""
