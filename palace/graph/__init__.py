"""The graph of entities and relations, computed from what was extracted: who is who, and what was true when."""
