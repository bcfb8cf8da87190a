"""Loops compiled once and kept on disk; they call native programs by address and know no mechanics.

A program is `void f(const double *in, double *out)` whose input is x = (t, y, parameters, inputs), y being the state.
"""
