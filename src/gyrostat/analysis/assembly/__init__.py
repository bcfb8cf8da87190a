"""Assembly: initial values completed to states that satisfy all constraints, and checks of models."""
