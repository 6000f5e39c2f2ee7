"""Models in a folder as sentence-transformers lays it out, of a person's own or from the hub, run in this process."""
