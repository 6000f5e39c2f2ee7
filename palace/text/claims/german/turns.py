"""What is claimed by German verbs of a kind of their own: coming from somewhere, paying, dying, parting. Pure."""

from __future__ import annotations

from palace.records.graph import Action, EntityType
from palace.text.claims.dates import Times
from palace.text.claims.drafts import Aspect, Tense, acted
from palace.text.claims.german.clause import German
from palace.text.claims.german.lexicon.nouns import person_noun
from palace.text.claims.german.objects import fits, is_price
from palace.text.claims.kinds import words


def read_death(clause: German) -> None:
    """Read of an animal that died: it is nobody's any longer."""
    is_animal = clause.party.gender == "a" or clause.message.spoken.owned(clause.party.text)
    if is_animal and clause.tense is Tense.PAST:
        clause.claim(clause.message.speaker, "owns", clause.party.text, Action.ENDS)


def read_put_down(clause: German) -> None:
    """Read "Bruno mussten wir einschläfern lassen"."""
    for each in clause.behind if clause.tense is Tense.PAST else ():
        is_animal = person_noun(each.phrase.head) in words("animals") and each.phrase.owner.startswith(
            ("mein", "unser")
        )
        if each.before == "" and (each.phrase.name is not None or is_animal):
            clause.claim(clause.message.speaker, "owns", each.phrase.text, Action.ENDS)
            return


def read_origin(clause: German) -> None:
    """Read "ich komme aus Passau", "aufgewachsen bin ich in Görlitz", "in Izmir geboren"."""
    if clause.party.gender in ("t", "a") or (clause.verb == "kommen") != (clause.tense is Tense.PRESENT):
        return
    before = "aus" if clause.verb == "kommen" else "in"
    place = next((each.phrase for each in clause.behind if each.before == before and fits(each.phrase, "place")), None)
    if place is not None and clause.times.at is None:
        clause.claim(clause.party.text, "comes_from", place.text, Action.HOLDS, Times())


def read_intolerance(clause: German) -> None:
    """Read "ich vertrage keine Laktose"."""
    if clause.is_denied and clause.tense is Tense.PRESENT:
        for each in clause.behind[:1]:
            if each.before == "" and not each.phrase.is_value:
                clause.claim(clause.party.text, "allergic_to", each.phrase.text, Action.HOLDS)


def currency_told(clause: German) -> str:
    """Give the currency of a figure that stands beside another's: "189 statt 164 Euro"."""
    prices = (each.phrase.text.split() for each in clause.behind if is_price(each.phrase))
    return next((words[-1] for words in prices if len(words) > 1), "")


def lives_there(clause: German) -> None:
    """Read "und wohnt dort": in the place that was named last."""
    spans = clause.message.names.within(0, clause.where.span.start)
    place = next((span for span in reversed(spans) if span.type is EntityType.PLACE), None)
    action = acted(Aspect.STATE, clause.tense, clause.times, is_ended=clause.is_ended)
    if place is not None and action is not None:
        clause.claim(clause.party.text, "lives_in", place.text, action)


def read_weight(clause: German) -> None:
    """Read "ich wiege 82 Kilo"."""
    value = next((each.phrase for each in clause.behind if each.phrase.is_value), None)
    if value is not None and clause.tense is Tense.PRESENT:
        clause.claim(clause.party.text, "has_weight", value.text, Action.HOLDS, Times())


def read_payment(clause: German) -> None:
    """Read "ich zahle 980 Euro Miete", "für das Rad hab ich 900 Euro bezahlt"."""
    behind = clause.behind
    price = next((each.phrase for each in behind if is_price(each.phrase) and each.before == ""), None)
    if price is None:
        return
    is_rent = "miete" in clause.texts or "warmmiete" in clause.texts or "kaltmiete" in clause.texts
    paid = next((each.phrase for each in behind if each.before == "für" and fits(each.phrase, "sold")), None)
    if is_rent and clause.tense is Tense.PRESENT:
        amount = next(text for text in (price.text.split(" Miete")[0].split(" miete")[0],))
        clause.claim(clause.party.text, "has_rent", amount, Action.HOLDS)
    elif paid is not None:
        clause.claim(paid.text, "costs", price.text, Action.HOLDS, Times())


def read_called_off(clause: German) -> None:
    """Read of a journey that is called off: "Oberstdorf fällt aus"."""
    for claim in [each for _, each in clause.message.spoken.claims if each.predicate == "planned"]:
        if clause.party.text.casefold() in claim.object.casefold():
            clause.claim(claim.subject, "planned", claim.object, Action.DENIES)
            return
