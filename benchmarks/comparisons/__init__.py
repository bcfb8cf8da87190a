"""What is measured: one file for each kind of comparison."""
