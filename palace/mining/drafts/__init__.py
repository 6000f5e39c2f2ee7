"""A conversation while it is being read: its messages, their parts, links and times."""
