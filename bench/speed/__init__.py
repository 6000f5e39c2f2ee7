"""How fast Palace is, as ratios within one run: recall, mining, the start of the program."""
