"""What is measured of the history of coding agents' work."""
