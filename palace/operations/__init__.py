"""The façade's grouped verbs, one noun a module."""
