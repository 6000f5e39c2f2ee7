"""What a parsed sentence claims, clause by clause. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from palace.patterns import late
from palace.text.claims.acts import read_acts
from palace.text.claims.clauses import Clause, clauses_of
from palace.text.claims.complements import complements
from palace.text.claims.copula import read_called, read_copula
from palace.text.claims.corrections import is_put_right, put_right, read_correction
from palace.text.claims.message import Message
from palace.text.claims.nominal import read_doses, read_nominal
from palace.text.claims.people import Telling, note_people, tell_people
from palace.text.claims.sentence import Sentence
from palace.text.claims.states import State
from palace.text.claims.tree import Node
from palace.text.claims.verbs import parties_of_clause, read_having, read_uses
from palace.text.claims.words import RULES

_TOPIC = late(r"([A-Z][a-z]+(?: [a-z]+){0,2}):\s")
"""What a note is about: "Kill switch: a magnet on a leash"."""


def read_parsed(sentence: Sentence, nodes: Sequence[Node], message: Message, number: int) -> None:
    """Add the claims of a sentence to its message's."""
    telling = Telling(message, number, nodes, sentence.span)
    since = len(message.claims)
    if RULES.pattern("jokes").search(sentence.text):
        note_people(telling, 0, len(nodes))
        return
    if read_correction(sentence, message):
        return
    topic = _TOPIC.match(sentence.content, sentence.span.start, sentence.span.end)
    if topic is not None:
        telling.note(topic[1].lower(), "t")
    tell_people(telling)
    noted = 0
    clauses = clauses_of(nodes, sentence, message.now)
    for clause in clauses:
        note_people(telling, noted, clause.verb.place)
        noted = clause.verb.place
        if clause.state is not State.OPEN:
            _read(clause, telling)
    tell_people(telling, theirs=True)
    read_nominal(telling, _said(nodes, clauses))
    if not sentence.is_asked:
        read_doses(sentence.text, sentence.span.start, telling)
    if is_put_right(sentence.text):
        put_right(message, since)
    note_people(telling, noted, len(nodes))


def _read(clause: Clause, telling: Telling) -> None:
    found = complements(clause, telling.message.content)
    for party in parties_of_clause(clause, telling):
        if party.gender != "s":
            telling.note(party.text, party.gender, is_subject=True)
    read_copula(clause, telling, found)
    read_called(clause, telling)
    read_having(clause, telling, found)
    read_acts(clause, telling, found)
    read_uses(clause, telling, found)


def _said(nodes: Sequence[Node], clauses: Sequence[Clause]) -> frozenset[int]:
    """List the places of the words that do not stand in what is only asked or supposed."""
    states = {clause.verb.place: clause.state for clause in clauses}
    found = set()
    for node in nodes:
        verb = next((each for each in (node, *node.above()) if each.place in states), None)
        if verb is None or states[verb.place] is not State.OPEN:
            found.add(node.place)
    return frozenset(found)
