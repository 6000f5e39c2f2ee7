"""The parts of the fold: times, statements, what takes them back, the timeline and its versions. Pure."""
