"""Models that cost money: what they cost, and what is sent to them on request."""
