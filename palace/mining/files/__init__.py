"""Files as a path, a folder or an archive has them: bytes, text, JSON, and what lies beside."""
