"""A conversation while it is being read: its messages, their parts and links."""
