"""Times as files have them: in which notations, and which moment is meant."""
