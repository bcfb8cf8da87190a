"""Sensitivities: exact derivatives of eigenvalues, shapes, responses and equilibria by parameters."""
