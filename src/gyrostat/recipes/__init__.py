"""Recipes of programs: what each native program of a system computes, formed on the traced engine."""
