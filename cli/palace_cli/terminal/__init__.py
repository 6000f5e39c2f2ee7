"""What is done for a person at a terminal, and nowhere else: colours that mean something, and a pager."""
