"""Read what people claim about themselves and others, from parsed English sentences and by patterns of German ones.

Precision goes before recall. Questions, denials, suppositions, wishes, plans, quotations and jokes make no claim, and
neither does anything that an assistant says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from palace.cancellation import go_on
from palace.models import Span
from palace.models.claims import SELF, Claim, NamedSpan, Said
from palace.models.source import Role
from palace.nlp.claims.clauses import Clause, clauses_of, complements
from palace.nlp.claims.copula import read_copula
from palace.nlp.claims.corrections import is_put_right, put_right, read_correction
from palace.nlp.claims.fragments import examples_of_fragments, read_fragments
from palace.nlp.claims.german import entries as german_entries
from palace.nlp.claims.german import is_german, read_german
from palace.nlp.claims.kinds import entries
from palace.nlp.claims.message import Message, Names, Spoken
from palace.nlp.claims.objects import read_nominal
from palace.nlp.claims.parsing import Arc, can_parse, parse
from palace.nlp.claims.people import Context, claim_people, note_people
from palace.nlp.claims.sentence import Sentence, sentences_of
from palace.nlp.claims.states import State
from palace.nlp.claims.tree import Node, grow
from palace.nlp.claims.verbs import parties_of_clause, read_uses
from palace.nlp.claims.words import RULES, Word, is_worth_parsing, words_of
from palace.nlp.languages import languages_of
from palace.nlp.rules import late

MOST_CLAIMS = 60
"""Most claims read from one message; one with more is a list or a document."""


@dataclass(slots=True)
class _Turn:
    message: Message
    sentences: list[tuple[Sentence, list[Word]]]
    """Each sentence with its words; no words for one that is not parsed."""
    language: str | None
    since: int = 0
    """Number of the message's claims before the last sentence was read."""


def read_claims(turns: Sequence[Said], names: Sequence[Sequence[NamedSpan]], zone: tzinfo) -> list[tuple[Claim, ...]]:
    """Read the claims of each turn of a conversation, in the order of the text: one tuple for each turn.

    ``names`` are the names in each turn; with empty lists fewer claims are found. Times are resolved against a turn's
    ``said_at``, and left out where that is None. Only users' turns are read, never an assistant's, a system's or a
    tool's, and none of more than 6,000 characters, which are documents. Raises ValueError when the numbers of turns
    and of lists of names differ.
    """
    read = _turns(turns, names, zone)
    every = [words for turn in read if turn for _, words in turn.sentences if words]
    parsed = (grow(words, arcs) for words, arcs in zip(every, _parse(every), strict=True))
    for turn in read:
        for number, (sentence, words) in enumerate(turn.sentences if turn else ()):
            nodes = next(parsed) if words else []
            if turn is not None and len(turn.message.claims) < MOST_CLAIMS:
                _read(sentence, nodes, turn, number)
    return [tuple(turn.message.claims[:MOST_CLAIMS]) if turn else () for turn in read]


def _turns(turns: Sequence[Said], names: Sequence[Sequence[NamedSpan]], zone: tzinfo) -> list[_Turn | None]:
    """Split users' turns into sentences, and the sentences worth parsing into words; None for other roles' turns."""
    by_speaker: dict[str, tuple[Spoken, int]] = {}
    found: list[_Turn | None] = []
    languages = languages_of((said.content, said.language) for said in turns)
    for said, spans, language in zip(turns, names, languages, strict=True):
        if said.role is not Role.USER:
            found.append(None)
            continue
        speaker = SELF if said.is_self or not said.speaker else said.speaker
        spoken, turn = by_speaker.get(speaker, (Spoken(), 0))
        by_speaker[speaker] = (spoken, turn + 1)
        now = said.said_at.astimezone(zone) if said.said_at else None
        message = Message(said.content, Names(spans), now, turn + 1, speaker, spoken)
        parts = (part for each in sentences_of(said.content) for part in _split_at_corrections(each))
        sentences = [(each, _words(each, message, language)) for each in parts]
        found.append(_Turn(message, sentences, language))
    return found


def _split_at_corrections(sentence: Sentence) -> Iterator[Sentence]:
    """Split a sentence where its speaker corrects themselves: "at Bosch no wait at Siemens"."""
    start, end = sentence.span.start, sentence.span.end
    for found in RULES.pattern("wait").finditer(sentence.folded, start + 1, end):
        yield replace(sentence, span=Span(start, found.start()))
        start = found.start()
    yield replace(sentence, span=Span(start, end))


def _words(sentence: Sentence, message: Message, language: str | None) -> list[Word]:
    if is_german(sentence.text, language) or language not in (None, "en", "de") or not can_parse():
        return []
    words = words_of(sentence, message.names)
    return words if is_worth_parsing(words, sentence) else []


def _parse(every: Sequence[list[Word]]) -> Iterator[tuple[Arc, ...]]:
    for arcs in parse([[word.text for word in words] for words in every]) if every else ():
        go_on()
        yield arcs


def _read(sentence: Sentence, nodes: Sequence[Node], turn: _Turn, number: int) -> None:
    message = turn.message
    if is_german(sentence.text, turn.language):
        read_german(sentence, message, number)
        return
    if RULES.pattern("taken_back").search(sentence.text) or RULES.pattern("wait").match(sentence.text):
        del message.claims[turn.since :]
    turn.since = len(message.claims)
    if nodes:
        read_parsed(sentence, nodes, message, number)
    if turn.language in (None, "en", "de") and not RULES.pattern("jokes").search(sentence.text):
        read_fragments(sentence, message)


_TOPIC = late(r"([A-Z][a-z]+(?: [a-z]+){0,2}):\s")
"""The topic at the beginning of a note: "Kill switch: a magnet on a leash"."""


def read_parsed(sentence: Sentence, nodes: Sequence[Node], message: Message, number: int) -> None:
    """Add the claims of a parsed sentence to its message."""
    context = Context(message, number, nodes, sentence.span)
    since = len(message.claims)
    if RULES.pattern("jokes").search(sentence.text):
        note_people(context, 0, len(nodes))
        return
    if read_correction(sentence, message):
        return
    topic = _TOPIC.match(sentence.content, sentence.span.start, sentence.span.end)
    if topic is not None:
        context.note(topic[1].lower(), "t")
    clauses = clauses_of(nodes, sentence, message.now)
    open_names = {
        each.place
        for clause in clauses
        if clause.state is not State.SO and clause.verb.lemma in ("call", "name")
        for each in clause.verb.children
    }
    claim_people(context, without=open_names)
    noted = 0
    for clause in clauses:
        note_people(context, noted, clause.verb.place)
        noted = clause.verb.place
        if clause.state is not State.OPEN:
            _read_clause(clause, context)
    claim_people(context, theirs=True)
    read_nominal(context, is_open=any(clause.state is State.OPEN for clause in clauses))
    if is_put_right(sentence.text):
        put_right(message, since)
    note_people(context, noted, len(nodes))


def _read_clause(clause: Clause, context: Context) -> None:
    found = complements(clause, context.message.content)
    for party in parties_of_clause(clause, context):
        if party.gender != "s":
            context.note(party.text, party.gender, is_subject=True)
    read_copula(clause, context, found)
    read_uses(clause, context, found)


def examples() -> Iterator[tuple[str, str]]:
    """Return the examples in the data, each with the beginning of the predicate that it must claim."""
    for example, _, use in entries():
        if use.does != "other":
            yield example, use.predicate
    for example, entry in german_entries():
        yield example, entry.predicate
    yield from examples_of_fragments()
