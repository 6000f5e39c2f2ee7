"""Working memory: choose what of a conversation is sent with the next request, so that it fits the model."""
