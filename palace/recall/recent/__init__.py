"""What matters of the last days without anything being asked, and what stands open."""
