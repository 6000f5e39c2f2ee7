"""Taking out of a palace what should not have been filed as it was said."""
