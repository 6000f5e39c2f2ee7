"""Find the times in a text and resolve them against a moment; tell questions for the present and the past apart."""

from __future__ import annotations

from palace.nlp.time.expressions import TimeExpression, find_expressions, find_times
from palace.nlp.time.focus import TimeFocus, asks_what_happened, tense_of, time_focus
from palace.nlp.time.periods import Grain, Period, Tense, TimeWindow
from palace.nlp.time.translation import find_times_asked
