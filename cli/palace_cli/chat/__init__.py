"""Chat with a model at the terminal, or through a pipe, with the palace's memory."""
