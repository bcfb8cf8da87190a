"""Optimisation of quantities of linear models and equilibria, with exact gradients."""
