"""What a person looks through, and what of it was seen."""
