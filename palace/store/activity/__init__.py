"""What happened in a palace: events written as it happens, and listed."""
