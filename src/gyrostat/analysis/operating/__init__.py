"""Operating points: what finding them, and telling their stability, has in common."""
