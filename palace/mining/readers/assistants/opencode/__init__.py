"""opencode: its sessions, out of its database or its older storage."""
