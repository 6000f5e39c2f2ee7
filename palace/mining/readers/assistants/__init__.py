"""Coding assistants: what their programs keep of sessions, a module or a package for each."""
