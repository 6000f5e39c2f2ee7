"""What hooks leave for a worker to mine: which transcript has grown, a file for each session."""
