"""What can be told of a palace at once, without opening it: its state, and what may be meant by what is typed."""
