"""A thread of mails as a conversation: each mail once, however often answers repeat it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from palace.mining.readers.drafts.draft import NO_TIME, Draft, Stamp
from palace.mining.readers.mail.heads import bare_subject
from palace.mining.readers.mail.quotes import Carried
from palace.mining.readers.mail.spool import Mail
from palace.mining.readers.reading import Reading
from palace.records import Conversation, Role

NAME = "mail"
COPIES = "copies of mails"
REPEATED = "mails repeated below answers to them"

_PART = re.compile(r":(?:quoted|forwarded)-\d{1,3}\Z")
"""What the id of a mail that another one carries ends in, behind that one's."""
_WINDOW = 4
_REPEATED_SHARE = 0.8
"""How much of what an answer carries along has to stand in its thread for it to be left out."""
_MARKS = ">*_.,;:!?()<>\"'"


def conversation_of(source_id: str, mails: Sequence[Mail], reading: Reading) -> Iterator[Conversation]:
    """Give a thread, whose mails come in order of time, as a conversation; nothing where none of them says anything."""
    title = next((mail.subject for mail in mails if mail.subject), None)
    draft = Draft(NAME, reading)
    # A source holds some mails of a thread; what it lacks is not gone.
    draft.lack()
    thread = _Thread(mails)
    for mail in mails:
        thread.say(mail, draft)
    found = draft.finish(
        source_id=source_id,
        title=bare_subject(title) if title else None,
        project=next((mail.list_name for mail in mails if mail.list_name), None),
        place=mails[0].place,
        turn_ids_are_global=True,
    )
    for conversation in found:
        yield replace(conversation, carried=_carried_in(conversation))


def _carried_in(conversation: Conversation) -> dict[int, int]:
    """Find which turns of a thread are carried by which."""
    ids = [turn.source_id or "" for turn in conversation.turns]
    place_of = {own: place for place, own in enumerate(ids)}
    carriers = ((place, place_of.get(_PART.sub("", own))) for place, own in enumerate(ids) if _PART.search(own))
    return {place: carrier for place, carrier in carriers if carrier is not None}


class _Thread:
    """The mails of a thread while they are said."""

    def __init__(self, mails: Sequence[Mail]) -> None:
        self._met: dict[str, list[Mail]] = {}
        self._windows: set[int] = set()
        if any(mail.carried for mail in mails):
            for mail in mails:
                self._windows.update(_windows(mail.text))

    def say(self, mail: Mail, draft: Draft) -> None:
        """Add a mail to the conversation, below what it answers and above what it passes on."""
        if any(_is_copy(mail, other) for other in self._met.get(mail.id, ())):
            draft.leave_out(COPIES)
            return
        self._met.setdefault(mail.id, []).append(mail)
        answered = mail.references[-1] if mail.references else None
        stamp = Stamp(mail.at, mail.id, mail.speaker, answered, place=mail.place)
        for number, carried in reversed(list(enumerate(mail.carried, 1))):
            if not carried.is_passed_on:
                self._carry(carried, f"quoted-{number}", mail, draft)
        with draft.one_message():
            draft.say(Role.ASSISTANT if mail.is_by_program else Role.USER, mail.text, stamp)
        for number, carried in enumerate(mail.carried, 1):
            if carried.is_passed_on:
                self._carry(carried, f"forwarded-{number}", mail, draft)

    def _carry(self, carried: Carried, own: str, mail: Mail, draft: Draft) -> None:
        """Add a mail that another carries along, unless it stands in the thread."""
        windows = _windows(carried.text)
        there = sum(window in self._windows for window in windows)
        if there >= _REPEATED_SHARE * len(windows):
            draft.leave_out(REPEATED)
            return
        self._windows.update(windows)
        how = "forwarded by" if carried.is_passed_on else "quoted by"
        speaker = f"{carried.who} ({how} {mail.speaker})" if carried.who else f"somebody {how} {mail.speaker}"
        draft.say(Role.USER, carried.text, Stamp(NO_TIME, mail.id, speaker, place=mail.place), own)


def _is_copy(mail: Mail, other: Mail) -> bool:
    """Tell a mail that is in a mailbox twice, or came back from a list with a footer, from another of the same id."""
    return mail.text == other.text or (mail.at, mail.speaker, mail.subject) == (other.at, other.speaker, other.subject)


def _windows(text: str) -> list[int]:
    """Give what four words in a row are known by, for each place; quotation marks and line breaks count nothing."""
    words = [word.strip(_MARKS).casefold() for word in text.split()]
    words = [word for word in words if word]
    if not words:
        return []
    return [hash(tuple(words[at : at + _WINDOW])) for at in range(max(len(words) - _WINDOW + 1, 1))]
