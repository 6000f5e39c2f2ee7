"""Files as a path, a folder or an archive has them: bytes, names, and what lies beside."""
