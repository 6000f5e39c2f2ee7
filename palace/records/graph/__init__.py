"""What messages are about: names and claims read from them, and the entities and relations made of these."""

from __future__ import annotations

from palace.records.graph.asked import Link, Member, Neighbourhood, ShownDrawer, Standing, Timeline, TimelineEntry
from palace.records.graph.decision import (
    MOST_DECISIONS,
    Decision,
    DecisionSummary,
    DecisionVerb,
    Doubtful,
    Likeness,
    Naming,
)
from palace.records.graph.entity import Alias, Entity, EntityType, Mention
from palace.records.graph.extraction import ExtractionEstimate, ExtractionSummary, StoredReply
from palace.records.graph.folding import FoldedRelation, Overtaken
from palace.records.graph.reading import SELF, Action, Claim, NamedSpan, Precision, Reading, Said, VagueDate
from palace.records.graph.relation import Assertion, Relation

__all__ = [
    "MOST_DECISIONS",
    "SELF",
    "Action",
    "Alias",
    "Assertion",
    "Claim",
    "Decision",
    "DecisionSummary",
    "DecisionVerb",
    "Doubtful",
    "Entity",
    "EntityType",
    "ExtractionEstimate",
    "ExtractionSummary",
    "FoldedRelation",
    "Likeness",
    "Link",
    "Member",
    "Mention",
    "NamedSpan",
    "Naming",
    "Neighbourhood",
    "Overtaken",
    "Precision",
    "Reading",
    "Relation",
    "Said",
    "ShownDrawer",
    "Standing",
    "StoredReply",
    "Timeline",
    "TimelineEntry",
    "VagueDate",
]
