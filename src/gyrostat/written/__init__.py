"""Written equations: exact equations of motion, and the quantities they are derived from, for people to read."""
