"""How the program runs as a process, and how it ends."""
