"""Search for equilibria, steady and periodic motions, their continuation, and their stability."""
