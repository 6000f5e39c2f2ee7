"""Pictures made of characters: pure functions from records to lines."""
