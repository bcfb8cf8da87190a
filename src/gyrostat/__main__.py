"""`python -m gyrostat`: the same as the command `gyrostat`."""

from gyrostat.cli import main

main()
