"""Putting what the arms propose into one order: signals are weighed and added up, rooms take turns, a floor refuses."""
