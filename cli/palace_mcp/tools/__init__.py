"""The tools, one a file: what each is given, what it does with the palace, what it answers."""
