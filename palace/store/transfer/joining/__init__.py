"""Taking up another palace's export: where it stands here, and what of it is here under another name."""
