"""Drafts of conversations while they are read: messages, their parts, links and times."""
