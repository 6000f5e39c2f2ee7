"""Words that sentences of German are put together with, in lower case."""

from palace.patterns import rules

FUNCTION_WORDS = rules("keyphrases", "german").words("function_words")
