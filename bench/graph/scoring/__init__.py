"""How what a palace holds is held against labels. Pure."""
