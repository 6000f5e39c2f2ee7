"""Times that a text speaks of, resolved against a moment, and whether it asks for the present or the past."""

from __future__ import annotations

from palace.nlp.time.expressions import TimeExpression, find_expressions, find_times
from palace.nlp.time.focus import TimeFocus, asks_what_happened, tense_of, time_focus
from palace.nlp.time.periods import Grain, Period, Tense, TimeWindow
from palace.nlp.time.translation import find_times_asked
