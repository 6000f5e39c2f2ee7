"""The worker as a service of the person's own systemd: a file that says how it is run."""
