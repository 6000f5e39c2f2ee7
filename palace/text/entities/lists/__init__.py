"""What is known beforehand: words, names, and the words that go with names of one type."""
