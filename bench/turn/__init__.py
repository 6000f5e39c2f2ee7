"""What a turn costs, and whether what was told in one conversation is there in another."""
