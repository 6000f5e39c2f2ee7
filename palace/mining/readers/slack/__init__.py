"""Slack's exports: channels, their messages, and the notation of those."""
