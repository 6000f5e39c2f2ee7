"""Reading a message and those before it, for the gate and for queries. Pure."""
