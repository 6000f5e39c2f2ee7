"""Plain text in which several speak: whose words are whose."""
