"""An English clause while claims are read from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from palace.records import Span
from palace.records.graph import Action, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Message, Party, Tense, draft
from palace.text.claims.english.grammar.complements import Complement, complements
from palace.text.claims.english.grammar.groups import Group
from palace.text.claims.english.objects import fits, is_medicine_word
from palace.text.claims.kinds import gender_of
from palace.text.claims.people import name_at
from palace.text.claims.phrases import Phrase, phrase_at
from palace.text.claims.tokens import Token

_MEDICAL = re.compile(
    r"\b(?:inhaler|tablets?|pills?|mg|mcg|puffs?|dos(?:e|age)|prescri\w+|meds?|medication|nurse|doctor|gp)\b"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """The words of a clause without its times, and where it stands."""

    tokens: Sequence[Token]
    group: Group
    times: Times
    message: Message
    sentence: int
    span: Span
    is_ended: bool
    """Whether it says that something is so no longer."""

    def claim(self, subject: str, predicate: str, obj: str, action: Action, times: Times | None = None) -> None:
        """Claim something, at the times of the clause or others."""
        told = self.times if times is None else times
        self.message.claim(draft(subject, predicate, obj, action, told, self.span))

    def note(self, text: str, gender: str, *, is_subject: bool = False) -> None:
        """Let pronouns mean someone or something from here on."""
        self.message.spoken.note(Party(text, gender, self.message.turn, self.sentence, is_subject))

    def behind(self, place: int) -> list[Complement]:
        """Read the noun phrases from a place on."""
        return complements(self.tokens, place, self.message.content, self.message.names)

    def phrase(self, place: int) -> Phrase | None:
        """Read the noun phrase at a place."""
        return phrase_at(self.tokens, place, self.message.content, self.message.names)

    def text_at(self, place: int) -> str:
        """Give the folded word at a place; empty behind the end."""
        return self.tokens[place].text if place < len(self.tokens) else ""

    def name_behind(self, phrase: Phrase) -> str | None:
        """Give the name by which what stands here is called: "a bakery called Flour & Co"."""
        last = phrase.tokens[-1].start
        place = next((place for place, token in enumerate(self.tokens) if token.start == last), 0) + 1
        if self.text_at(place) == ",":
            place += 1
        if self.text_at(place) not in ("called", "named"):
            return None
        found = name_at(self.tokens, place + 1, self.message)
        if found is not None:
            return found[0]
        after = self.phrase(place + 1)
        is_name = after is not None and (after.name is not None or (len(after.tokens) == 1 and not after.owner))
        return after.text if after is not None and is_name else None

    @property
    def is_done(self) -> bool:
        """Whether what it says was done, and not only may be or will."""
        return self.group.tense in (Tense.PAST, Tense.PERFECT)

    @property
    def is_ahead(self) -> bool:
        """Whether its time is still to come when it is said."""
        now, at = self.message.now, self.times.at
        return at is not None and now is not None and at.day >= now.date()

    def thing(self) -> Phrase | None:
        """Give the subject where it is a thing or an animal of somebody's: "my bike", "the Skoda"; None of a person."""
        phrase = phrase_at(self.group.subject, 0, self.message.content, self.message.names)
        if phrase is None or phrase.next < len(self.group.subject) or gender_of(phrase.head) is not None:
            return None
        is_person = phrase.name is not None and phrase.name.type is EntityType.PERSON
        is_kept = fits(phrase, "possession") or phrase.is_named or self.message.spoken.owned(phrase.text)
        return phrase if is_kept and not (is_person and phrase.owner not in ("my", "our", "the")) else None

    def is_medicine(self, phrase: Phrase) -> bool:
        """Whether it is a medicine, by its name or by what the message speaks of besides."""
        if fits(phrase, "medicine"):
            return True
        is_item = phrase.name is not None and phrase.name.type is EntityType.ITEM
        return is_item and phrase.owner in ("", "the") and _MEDICAL.search(self.message.content.lower()) is not None

    def medicine(self, phrase: Phrase) -> str:
        """Name a medicine without its dose."""
        if phrase.name is not None:
            return phrase.text
        kept = [token for token in phrase.tokens if not token.text[0].isdigit() and token.text not in ("mg", "of")]
        kept = [token for token in kept if is_medicine_word(token.text)] or kept
        return self.message.content[kept[-1].start : kept[-1].end] if kept else phrase.text
