"""Optimisation of mechanisms on what their linear models and equilibria say, with exact gradients."""
