"""What a prompt wants, what is found for it, and what of that bears on it."""
