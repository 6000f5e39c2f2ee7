"""Text to vectors: the protocol, the bundled model, remote models."""
