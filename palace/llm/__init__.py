"""Language models: what they promise, one behind an API, replies of a known shape."""
