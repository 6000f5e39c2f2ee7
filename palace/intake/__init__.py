"""Where data enters: how much of it is taken, and what a caller may give."""
