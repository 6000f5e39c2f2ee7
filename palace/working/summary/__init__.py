"""A rolling summary: what is too old to be sent is summed up by a language model, and goes on from a checkpoint."""
