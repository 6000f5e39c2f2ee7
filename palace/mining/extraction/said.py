"""A conversation's drawers as names and claims are read from them. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import tzinfo

from palace.graph.resolve import fold_name
from palace.mining.extraction.windows import SaidTurn
from palace.models import FiledTurn, Role
from palace.models.claims import Said


def as_said(turns: Sequence[FiledTurn], person: Collection[str], zone: tzinfo) -> list[Said]:
    """Give a conversation's drawers as they are read.

    Where an assistant takes part, whoever is no assistant is the person whose palace it is; else it is who has no name
    or one of theirs.
    """
    own = {fold_name(name) for name in person}
    with_assistant = any(turn.role is Role.ASSISTANT for turn in turns)
    return [
        Said(
            turn.content,
            turn.role,
            turn.speaker,
            turn.said_at.astimezone(zone) if turn.said_at else None,
            turn.language,
            is_self=turn.role is Role.USER
            and (turn.speaker is None or with_assistant or fold_name(turn.speaker) in own),
        )
        for turn in turns
    ]


def turns_of(turns: Sequence[FiledTurn], said: Sequence[Said]) -> list[SaidTurn]:
    """Join drawers with how they are read."""
    return [SaidTurn(turn.drawer_id, each) for turn, each in zip(turns, said, strict=True)]
