"""Finding what is known of a conversation: which it may be, and which names its turns may have."""
