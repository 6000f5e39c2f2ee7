"""Connect clients: write the server and hooks into their configurations, and remove them again."""
