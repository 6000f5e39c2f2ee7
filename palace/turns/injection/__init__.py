"""What is put beside a message: which hits, how they are written, where the block stands."""
