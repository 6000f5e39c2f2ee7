"""Whose a property is that stands as the subject of an English clause: "my rent", "the boat's battery". Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.text.claims.drafts import Message
from palace.text.claims.kinds import gender_of, roles
from palace.text.claims.tokens import Token, listed

OF_THE_SPEAKER = listed("rent salary mortgage deposit")
_OF = listed("of for at on in")


def owner_and_noun(subject: Sequence[Token], message: Message, sentence: int) -> tuple[str | None, str]:
    """Take a subject for a property of somebody or something: whose, and its noun."""
    texts = [token.text for token in subject]
    if len(texts) == 1:
        return ("the", texts[0]) if texts[0] in roles() else (None, texts[0])
    if texts[0] in ("my", "our") and any(text in _OF for text in texts[2:-1]):
        # "my manager at Bosch" is the speaker's.
        return message.speaker, texts[next(place for place in range(2, len(texts)) if texts[place] in _OF) - 1]
    is_of = len(texts) > 3 and "'s" not in " ".join(texts) and any(text in _OF for text in texts[2:-1])
    if is_of or any(text.endswith("'s") for text in texts[:-1]):
        return _of(subject, message) if is_of else (_thing_owner(subject, message), texts[-1])
    if texts[0] in ("my", "our"):
        return (message.speaker if len(texts) <= 3 else None), texts[-1]
    if texts[0] in ("his", "her", "its") and len(texts) == 2:
        genders = {"his": "mnat", "her": "fnat", "its": "ta"}[texts[0]]
        return message.spoken.meant(genders, message.turn, sentence), texts[-1]
    return ("the", texts[-1]) if texts[0] in ("the", "teh") and len(texts) <= 3 else (None, "")


def _of(subject: Sequence[Token], message: Message) -> tuple[str | None, str]:
    """Take "the engine of the Merganser" for a property of what stands behind: whose, and its noun."""
    place = next(place for place, token in enumerate(subject) if place > 1 and token.text in _OF)
    first = place + 1 + (subject[place + 1].text in ("the", "my", "our", "a"))
    if first >= len(subject) or subject[0].text not in ("the", "my", "our", "teh"):
        return None, ""
    return message.content[subject[first].start : subject[-1].end], subject[place - 1].text


def _thing_owner(subject: Sequence[Token], message: Message) -> str:
    place = next(place for place, token in enumerate(subject) if token.text.endswith("'s"))
    first = 1 if subject[0].text in ("the", "my", "our", "teh") and place else 0
    written = message.content[subject[first].start : subject[place].end]
    owner = written.replace("’", "'").removesuffix("'s")
    is_kin = subject[0].text in ("my", "our") and gender_of(owner.lower()) is not None
    return message.of_owner(message.speaker, owner.lower()) if is_kin else owner
