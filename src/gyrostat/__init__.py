"""Multibody dynamics: a mechanism described once gives its equations, simulation, linear models and pictures."""
