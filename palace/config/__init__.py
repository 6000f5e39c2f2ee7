"""Settings of the process and of its users, keys of projects, time zones, and Palace's own folders."""
