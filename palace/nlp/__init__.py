"""Analysis of text alone: passages, words, key phrases, names, claims. No language model, no database."""
