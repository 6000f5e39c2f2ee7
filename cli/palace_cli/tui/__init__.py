"""``palace browse``: the palace in a terminal. Nothing but that command imports this."""
