"""Checkpoints kept in a palace: another process goes on where the first stopped."""
