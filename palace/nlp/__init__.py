"""What is done with text alone: passages, words, key phrases, names. No model, no database."""
