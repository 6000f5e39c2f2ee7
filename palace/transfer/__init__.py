"""Taking a palace from one place to another: exports and imports."""
