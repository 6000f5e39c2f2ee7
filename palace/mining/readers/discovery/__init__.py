"""What a path offers to mine, and what lies beside that is not."""
