"""Better homes for rooms that stand somewhere: proposed, never taken."""
