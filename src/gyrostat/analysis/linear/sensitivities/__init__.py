"""Sensitivities: how eigenvalues, shapes, responses and equilibria change with parameters, exactly."""
