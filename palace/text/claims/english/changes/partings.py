"""Couples that part and come together again, in English: "Lena dumped me", "we're not together any more". Pure."""

from __future__ import annotations

import re

from palace.records import Span
from palace.records.graph import Action
from palace.text.claims.drafts import Party
from palace.text.claims.english.changes.told import (
    BONDS,
    closes,
    is_couple,
    latest,
    predicate_of,
    stretches,
    whom,
)
from palace.text.claims.english.idioms.said import Said
from palace.text.claims.english.idioms.subjects import subject_before

_LEFT = re.compile(
    r"(?<!\w)(?:(?P<sure>dumped|jilted|divorced|(?:broke|broken|split|splitting|breaking) up with|split with"
    r"|separated from|broke it off with|(?:ended|finished|ending) (?:it|things) with|walked out on)"
    r"|left|ditched|finished with|is leaving|are leaving|'s leaving|am leaving) (?=\S)"
)
_ENDED = re.compile(
    r"(?<!\w)(?:broke it off|called it quits|ended (?:it|things)|(?:broke|broken|split|splitting|breaking) up"
    r"|parted ways|separated|got divorced|getting divorced|divorced|getting a divorce)"
    r"(?=\s*(?:$|[.,!;:)…]|and|but|in|on|after|last|this|yesterday|today|so|for good|again|because|cos|a|two|three))"
)
_APART = re.compile(
    r"(?:(?<!\w)not|n't) (?:together|a couple|an item|married|with (?P<whom>\S+))"
    r"(?: any ?more| any longer|$|(?=[.,!;]))"
    r"|(?<!\w)no longer (?:together|a couple|an item|married|with (?P<other>\S+))"
)
_OVER = re.compile(
    r"(?<!\w)(?:it(?:'s| is)|things are) (?:all )?over (?:between (?:us|me and)|with) ?(?P<whom>\S+)?"
    r"|(?<!\w)i(?:'m| am) (?:now )?single (?:now|again)|(?<!\w)(?:newly|now) single(?!\w)"
)
_AGAIN = re.compile(
    r"(?<!\w)(?:(?:got|gotten|getting|are|'re|is|am|'m|we're) back together|together again|made up and are back)"
    r"(?! to )(?: with (?P<whom>\S+))?"
)
_ME_AND = ["me", "and"]
_NO_COUPLE = re.compile(r"(?<!\w)(?:band|team|group|meeting|work|class|business|party|kids|parents)(?!\w)")


def read_partings(said: Said) -> None:
    """Read who is no couple any longer, and who is one again."""
    for found, first, place, span in stretches(said, _LEFT):
        _left(said, found["sure"] is not None, (first, place), span)
    for _found, first, _place, span in stretches(said, _ENDED):
        _ended(said, first, span)
    for pattern in (_APART, _OVER):
        for found, _first, _place, span in stretches(said, pattern):
            _apart(said, found, span)
    for found, first, _place, span in stretches(said, _AGAIN):
        _again(said, found, first, span)


def _left(said: Said, is_sure: bool, where: tuple[int, int], span: Span) -> None:
    """Read "Lena dumped me", "I left him", "my sister divorced Tom"."""
    other, end = whom(said, where[1])
    party = subject_before(said, where[0])
    if other is None or party is None or "t" in (other.gender, party.gender) or not closes(said.tokens, end):
        return
    if other.gender == "s":
        party, other = other, party
    bond = predicate_of(said.message, party.text, other.text, BONDS) or predicate_of(
        said.message, other.text, party.text, BONDS
    )
    is_known = bond is not None or is_couple(other.text) or is_couple(party.text)
    if (is_known or is_sure) and said.is_said(span) and party.text != other.text:
        _end(said, party, other.text, span, bond)


def _ended(said: Said, first: int, span: Span) -> None:
    """Read "we broke up", "he called it quits": of two that stand there as subject it is read as a clause."""
    before = said.tokens[first - 1].text if first else ""
    pronoun = next((token.text for token in reversed(said.tokens[max(0, first - 4) : first]) if token.is_word), "")
    texts = {token.text for token in said.tokens[max(0, first - 6) : first]}
    if texts & {"and", "&", "n"} or not said.is_said(span) or _NO_COUPLE.search(said.sentence.text):
        return
    if "we" not in texts and not (first == 0 or before in ("just", "finally", "officially")) and pronoun != "it":
        return
    speaker = Party(said.message.speaker, "s", said.message.turn, said.number)
    told = latest(said.message, BONDS, speaker.text)
    other = _told_behind(said, first)
    if other is not None and "we" in texts:
        _end(said, speaker, other.text, span, predicate_of(said.message, speaker.text, other.text, BONDS))
    elif told is not None or "we" in texts:
        _end(said, speaker, told.object if told else "", span, told.predicate if told else None)


def _told_behind(said: Said, first: int) -> Party | None:
    """Read with whom the speaker is "we", where it is told behind: "we broke up, me and Jonas"."""
    pairs = (place for place in range(first, min(len(said.tokens) - 2, first + 12)))
    at = next((place for place in pairs if [token.text for token in said.tokens[place : place + 2]] == _ME_AND), None)
    return whom(said, at + 2)[0] if at is not None else None


def _apart(said: Said, found: re.Match[str], span: Span) -> None:
    """Read "we're not together any more", "I'm not with him any more", "it's over with Tom"."""
    subject = said.sentence.text[max(0, found.start() - 14) : found.end()]
    if not re.search(r"(?<!\w)(?:we|i|i'm|we're|us|me|single)(?!\w)", subject):
        return
    speaker = Party(said.message.speaker, "s", said.message.turn, said.number)
    groups = found.groupdict()
    named = next((group for group in ("whom", "other") if groups.get(group)), None)
    told = latest(said.message, BONDS, speaker.text)
    if named is not None and groups[named] not in ("us", "any", "me"):
        place = said.place(said.sentence.span.start + found.start(named))
        other, _end_of = whom(said, place)
        bond = predicate_of(said.message, speaker.text, other.text, BONDS) if other else None
        if other is not None and (bond or "over" in found[0]):
            _end(said, speaker, other.text, span, bond)
        return
    other = _joined(said, said.place(said.sentence.span.start + found.start()))
    if other is not None and not is_couple(other.text):
        bond = predicate_of(said.message, speaker.text, other.text, BONDS)
        _end(said, speaker, other.text, span, bond)
        return
    predicate = "married_to" if "married" in found[0] else told.predicate if told else None
    _end(said, speaker, told.object if told else "", span, predicate)


def _again(said: Said, found: re.Match[str], first: int, span: Span) -> None:
    """Read "we got back together", "Lena and I are back together"."""
    if not said.is_said(span):
        return
    speaker = Party(said.message.speaker, "s", said.message.turn, said.number)
    other: Party | None = None
    if found["whom"]:
        other, _end_of = whom(said, said.place(said.sentence.span.start + found.start("whom")))
    else:
        other = _joined(said, first)
    told = latest(said.message, BONDS, speaker.text)
    texts = {token.text for token in said.tokens[max(0, first - 5) : first]}
    if other is None and not (told and texts & {"we", "we're"}):
        return
    name = other.text if other else told.object if told else ""
    bond = predicate_of(said.message, speaker.text, name, BONDS) or "partner_of"
    if name and name != speaker.text and not is_couple(name):
        said.claim(speaker.text, bond, name, Action.BEGINS, said.times(span), span)


def _joined(said: Said, first: int) -> Party | None:
    """Read with whom the speaker does it: "Lena and I", "me and Tom"."""
    texts = [token.text for token in said.tokens[:first]]
    joint = next((at for at in range(len(texts) - 1, 0, -1) if texts[at] in ("and", "&", "n")), None)
    if joint is None or not {"i", "me"} & set(texts[max(0, joint - 2) : joint + 3]):
        return None
    for place in (joint + 1, joint - 1, joint - 2):
        if 0 <= place < first and texts[place] not in ("i", "me"):
            party, end = whom(said, place)
            if party is not None and (place > joint or end == joint):
                return party
    return None


def _end(said: Said, party: Party, other: str, span: Span, bond: str | None) -> None:
    """Claim that two are a couple no longer, by what they were told to be; whoever it was of one without a name."""
    if is_couple(other):
        noun = other.rpartition(" ")[2]
        bond = bond or ("married_to" if noun in ("wife", "husband", "spouse", "hubby") else "partner_of")
        told = latest(said.message, (bond,), party.text)
        other = told.object if told else ""
    if bond is None:
        is_married = re.search(r"(?<!\w)divorc", said.sentence.text) is not None
        bond = "married_to" if is_married else "partner_of"
    said.claim(party.text, bond, other, Action.ENDS, said.times(span), span)
