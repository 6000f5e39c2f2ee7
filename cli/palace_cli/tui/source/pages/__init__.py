"""What the screens beside the first ask."""
