"""What the arms of recall propose, read-only."""
