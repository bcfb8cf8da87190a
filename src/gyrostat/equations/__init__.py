"""Equations of motion over abstract scalars: recursions on trees, mass-matrix form, energies."""
