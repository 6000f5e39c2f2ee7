"""What a language model replied about conversations, and which of their drawers it may be asked about."""
