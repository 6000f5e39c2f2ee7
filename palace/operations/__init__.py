"""The façade's groups of methods, one noun per module."""
