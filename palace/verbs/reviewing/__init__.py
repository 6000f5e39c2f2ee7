"""What a person looks through, and marks as seen."""
