"""Builds the documentation site: pages written by hand beside pages generated from the package itself."""
