"""How ``palace/data/kinds/nouns.txt`` is cut from WordNet's nouns."""
