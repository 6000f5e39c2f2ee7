"""Settings of the process and of a person, keys of projects, the time zone, and folders of one's own."""
