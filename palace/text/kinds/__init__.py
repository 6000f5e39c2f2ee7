"""General words for things: which there are, what names and nouns are of them, and what a message says something is.

The nouns of a kind are from WordNet's hypernyms, cut down to kinds that people ask for (``bench/kinds`` has how);
``palace/data/kinds`` has WordNet's licence. Names and German words are Palace's own. All of it is pure.
"""
