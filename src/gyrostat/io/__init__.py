"""Other formats: one package for each."""
