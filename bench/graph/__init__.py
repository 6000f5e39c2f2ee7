"""What a palace knows of who, what and when, held against labels."""
