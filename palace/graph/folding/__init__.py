"""The parts of the fold: times, statements, retractions, the timeline and its versions. Pure."""
