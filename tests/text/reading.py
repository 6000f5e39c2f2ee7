"""The doors through which tests read text: names, claims, times, messages, queries and secrets."""

from __future__ import annotations

from datetime import datetime

from palace.mining.extraction.rules import heard_of, read_by_rules
from palace.models import MessageIndex, Role
from palace.models.claims import Claim, NamedSpan, Said, VagueDate
from palace.nlp.aaak import parse_citation, read_wishes, write_tags
from palace.nlp.claims.reader import examples, read_claims
from palace.nlp.direction import day_told, looks_ahead, may_point_ahead
from palace.nlp.names.reading import read_names
from palace.nlp.secrets import KINDS, Finding, OwnPattern, Rules, redact
from palace.nlp.sentences import index_message
from palace.nlp.time import Tense, TimeFocus, TimeWindow, find_times, tense_of, time_focus
from palace.nlp.todos import closes, closing_of, intent_of, is_ticked, is_unticked, says_done
from palace.recall.intent import Intent, read_intent

__all__ = [
    "KINDS", "Claim", "Finding", "Intent", "NamedSpan", "OwnPattern", "Rules", "Said", "Tense", "TimeFocus",
    "TimeWindow", "VagueDate", "closes", "closing_of", "day_told", "examples",
    "find_times", "heard_of", "index", "intent_of", "is_ticked", "is_unticked", "looks_ahead", "may_point_ahead",
    "parse_citation", "read_by_rules", "read_claims", "read_intent", "read_names", "read_wishes", "redact",
    "says_done", "tense_of", "time_focus", "write_tags",
]  # fmt: skip


def index(content: str, role: Role = Role.USER, said_at: datetime | None = None) -> MessageIndex:
    """Read what is filed with a message."""
    return index_message(content, role, said_at)
