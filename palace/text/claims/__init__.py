"""What people claim of themselves and of others in their messages; ``reading`` reads it, which is slow to import."""
