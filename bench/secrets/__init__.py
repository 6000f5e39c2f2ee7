"""How many planted secrets are found, and how much of what is none is taken for one."""
