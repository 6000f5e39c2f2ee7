"""What an earlier version filed of a whole file as a text, whose reader reads it otherwise now: it is replaced.

Nothing but the file's own words, from its first line on, tells that a note was made of it: two mails may be alike in
all but their heads, and a note that somebody else's file begins with is theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from palace.db.database import UserSession
from palace.db.filing.conversations import has_edges
from palace.mining.filing.candidates import list_beginning_so
from palace.mining.filing.choose import MOST_LINES
from palace.mining.keeping import Keeping
from palace.models import Conversation
from palace.models.source import WholeFile
from palace.nlp.edges import lines_of
from palace.nlp.repair import repair

LEAST_LINES = 3
"""So many lines a text has at least that has grown since: one with less is a table's head, or a greeting."""
_STATUS = re.compile(r"(?:X-)?(?:Mozilla-)?(?:Status2?|Keys|Keywords|UID|IMAPbase|Gmail-Labels):", re.IGNORECASE)
"""What programs write anew in a mailbox whenever a mail is looked at."""


def list_former(
    session: UserSession, conversation: Conversation, keeping: Keeping
) -> Iterator[tuple[bytes, int | None]]:
    """Yield what stands of a conversation's files as texts: identities, and the place of the turn that says it now."""
    if not conversation.files or not has_edges(session):
        return
    for file in conversation.files:
        yield from _of_file(session, file, conversation, keeping)


def _of_file(
    session: UserSession, file: WholeFile, conversation: Conversation, keeping: Keeping
) -> Iterator[tuple[bytes, int | None]]:
    found = list_beginning_so(session, file.beginning(), conversation.reader, keeping)
    standing = {
        each.conversation_id: [turn for turn in each.known if not turn.is_forgotten and not turn.is_replaced]
        for each in found
    }
    text = file.text() if any(standing.values()) else ""
    for candidate in found:
        turns = standing[candidate.conversation_id]
        if text and is_of_file([candidate.content_of(turn) for turn in turns], repair(candidate.as_kept(text))[0]):
            place = _place_in(conversation, text)
            yield from ((turn.identity, place) for turn in turns)


def is_of_file(contents: Sequence[str], text: str) -> bool:
    """Check whether drawers were read from a file that says this, or said the beginning of this when they were."""
    if not any(content.strip() for content in contents):
        return False
    return _begins_with(text, contents[0]) if len(contents) == 1 else _is_made_of(text, contents)


def _begins_with(text: str, content: str) -> bool:
    known, given = ([line for line in lines_of([each]) if not _STATUS.match(line)] for each in (content, text))
    return known == given or (len(known) >= LEAST_LINES and given[: len(known)] == known)


def _is_made_of(text: str, contents: Sequence[str]) -> bool:
    """Check whether drawers stand in a text in their order, on most of its lines up to the last of them."""
    end, lines = 0, 0
    for content in contents:
        here = text.find(content, end)
        if here < 0:
            return False
        end, lines = here + len(content), lines + len(lines_of([content]))
    return lines >= max(LEAST_LINES, MOST_LINES * len(lines_of([text[:end]])))


def _place_in(conversation: Conversation, text: str) -> int:
    """Return the turn that says what stood in a file: the last whose id stands there, else the first of all.

    A mail names those before it in its thread as well.
    """
    named = [place for place, turn in enumerate(conversation.turns) if turn.source_id and turn.source_id in text]
    return max(named, default=0)
