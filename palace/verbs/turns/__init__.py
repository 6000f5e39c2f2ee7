"""The turn loop as verbs of the façade."""
