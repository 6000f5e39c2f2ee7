"""What stands in configurations when a client is connected, what changes for that, and plug-ins with the same."""
