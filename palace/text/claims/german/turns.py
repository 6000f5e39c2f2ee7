"""What is claimed by German verbs of a kind of their own: coming from somewhere, paying, dying, parting. Pure."""

from __future__ import annotations

from palace.records.graph import Action
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Tense
from palace.text.claims.german.clause import German
from palace.text.claims.german.objects import fits


def read_death(clause: German) -> None:
    """Read of an animal that died: it is nobody's any longer."""
    is_animal = clause.party.gender == "a" or clause.message.spoken.owned(clause.party.text)
    if is_animal and clause.tense is Tense.PAST:
        clause.claim(clause.message.speaker, "owns", clause.party.text, Action.ENDS)


def read_origin(clause: German) -> None:
    """Read "ich komme aus Passau", "aufgewachsen bin ich in Görlitz", "in Izmir geboren"."""
    if clause.party.gender in ("t", "a") or (clause.verb == "kommen") != (clause.tense is Tense.PRESENT):
        return
    before = "aus" if clause.verb == "kommen" else "in"
    place = next((each.phrase for each in clause.behind if each.before == before and fits(each.phrase, "place")), None)
    if place is not None and clause.times.at is None:
        clause.claim(clause.party.text, "comes_from", place.text, Action.HOLDS, Times())
