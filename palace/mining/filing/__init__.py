"""Filing a conversation: who it is, what of it is new, where that goes."""
