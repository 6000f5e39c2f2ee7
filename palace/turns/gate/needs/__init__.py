"""What says that a message needs memory, whatever it asks: the person, the past, names, and all that may be theirs."""
