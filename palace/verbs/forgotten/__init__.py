"""What was forgotten and can still be taken back."""
