"""Records as JSON: their values, and a JSON Schema of what these look like."""
