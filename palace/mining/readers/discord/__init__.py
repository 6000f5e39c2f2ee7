"""Discord: single channels, and the package of one's own data."""
