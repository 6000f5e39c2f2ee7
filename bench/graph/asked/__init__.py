"""What palaces answer about who, what and when."""
