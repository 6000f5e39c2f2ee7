"""Working memory: what of one conversation is sent with the next request, so that it fits the model."""
