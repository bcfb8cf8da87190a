"""How linear models are formed: variations of the equations of motion, their reduction, inputs and outputs."""
