"""Pictures: plain data to figures, drawings and pages."""
