"""The model that comes with the installation, all-MiniLM-L6-v2, and all that is about it alone."""
