"""The messages of a request: read, told apart from blocks of ours, and known by what was said before them. Pure."""
