"""The pure functions that decide what of a conversation is new, which known one it is, and where it goes."""

from __future__ import annotations

from palace.mining.filing.identity import content_digest, conversation_identity, identity_by_count, identity_by_id
from palace.mining.filing.matching import Candidate, choose
from palace.mining.filing.place import one_line, place_wing, rooms_for, session_name, slices_of
from palace.mining.filing.plan import Plan, Source, plan_turns
from palace.mining.filing.wing_matching import NamedWing, names_wing, wing_of_title

__all__ = [
    "Candidate",
    "NamedWing",
    "Plan",
    "Source",
    "choose",
    "content_digest",
    "conversation_identity",
    "identity_by_count",
    "identity_by_id",
    "names_wing",
    "one_line",
    "place_wing",
    "plan_turns",
    "rooms_for",
    "session_name",
    "slices_of",
    "wing_of_title",
]
