"""What recall makes of what is known of who, what and when."""
