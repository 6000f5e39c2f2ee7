"""How fast and how large: mining against the raw embedder, recall against palace size, memory, cold starts."""
