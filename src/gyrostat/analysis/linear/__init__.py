"""Linear models: variations of the equations of motion, their reduction, inputs and outputs."""
