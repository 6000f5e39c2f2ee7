"""What an agent does with memory around a message: whether to look, what to ask, what to put in, what to file."""
