"""Words that sentences of French, Spanish, Italian and Portuguese are put together with, in lower case."""

from palace.patterns import rules

FUNCTION_WORDS = rules("keyphrases", "romance").words("function_words")
