"""What is read as a claim in English, and what is not: in a message, and with the message before it."""

from __future__ import annotations

from palace.nlp.claims.reader import examples
from tests.text.claims.told import claims_of, named, told, told_last
from tests.text.tables import each, misread, tables

TABLES, PARSED = tables("english"), tables("parsed")

NAMES = named(
    person="Ilse ilse Ilze Joren Karim Ruth Tunde Okoro Agathe knut Pip Mr_Baptiste",
    place="Ghent ghent Turin Lake_Iseo linz Lagos",
    organisation="Dunhill Wet_Slate Norwich_Academy ostrava Ostrava",
    item="Rufus Evernote Telegram Flixonase Corolla milk",
)
KNOWN = named(
    organisation="Siemens Bosch Google Slack Netflix Leeds_University ING Wet_Slate Charité Ruderverein Dunhill",
    place="Leeds Lisbon Munich Berlin Rome Rom Kiel Porto Vienna Paris London Bali Tokyo Oslo Mars Spain York Toulouse",
    person="Anna Tom Mr_Okoro Mr_Hoekstra HL-2350",
    item="Tesla Signal WhatsApp Vespa Ferrari Figma Volvo_V60 Toyota_Yaris Dacia Immich Rufus",
    event="Coachella",
    project="Apollo Kepler",
)


def known(message: str) -> str:
    """Write what is claimed of known names, but what somebody is called."""
    return told(message, names=KNOWN, but="called")


def test_a_plain_statement_is_claimed_and_what_is_not_meant_so_is_not() -> None:
    assert misread(told, TABLES["claimed"].items()) == []


def test_what_is_said_of_known_names_is_claimed() -> None:
    assert misread(lambda message: told(message, names=NAMES), TABLES["claimed_of_names"].items()) == []
    assert misread(lambda message: told(message, names=NAMES, but="called"), TABLES["by_the_way"].items()) == []


def test_what_is_not_meant_so_or_is_somebody_elses_is_no_claim() -> None:
    assert misread(lambda message: told(message, names=NAMES), each(TABLES["not_claimed"], "")) == []


def test_a_message_changes_or_corrects_what_was_claimed_before_it() -> None:
    assert misread(lambda talk: told_last(talk, NAMES), TABLES["behind"].items()) == []


def test_spans_are_of_the_clause() -> None:
    content = "Well, hello! I live in Ghent and I bought a boat."
    claims = claims_of(content)
    assert [content[each.start : each.end].strip() for each in claims] == ["I live in Ghent", "I bought a boat."]
    assert [each.action for each in claims] == ["holds", "begins"]


def test_names_tell_what_is_written_small_and_what_was_quit() -> None:
    names = named(item="momo", person="kunle", organisation="Vivantes", place="toronto")
    assert "I | owns | momo | holds" in told("my cat momo sleeps", names=names)
    assert "kunle | lives_in | toronto" in told("my brother kunle moved to toronto last month", names=names)
    assert told_last("I work at Vivantes. || I quit Vivantes!", names) == "I | works_at | Vivantes | ends"
    assert told_last("I use Vivantes. || I quit Vivantes!", names) == "I | uses | Vivantes | ends"


def test_what_somebody_is_said_to_say_is_no_claim_and_a_dogs_mother_is_nobodys() -> None:
    assert "owns" not in told("My friend Rachel said she sold her car.")
    assert "child_of" not in told("My sister has a dog called Rufus. His mum Fiona is lovely.", names=NAMES)
    assert told("He lives in Porto.") == told("no, it's 24 volts") == ""


def test_what_is_asked_supposed_wished_or_said_by_others_claims_nothing() -> None:
    assert misread(known, each([*PARSED["not_claimed"], *tables("german")["not_claimed"]], "")) == []


def test_who_somebody_is_to_the_speaker_is_claimed_even_where_something_is_asked() -> None:
    assert misread(lambda message: known(message).split(" | ")[1], each(PARSED["only_kin"], "sibling_of")) == []


def test_what_is_stated_is_claimed() -> None:
    assert [message for message, claim in PARSED["claimed"].items() if claim not in known(message)] == []


def test_each_entry_of_the_data_is_read_in_its_example() -> None:
    assert [example for example, predicate in examples() if f"| {predicate}" not in known(example)] == []


def test_a_later_message_ends_corrects_or_takes_back_what_was_said() -> None:
    behind = {
        "I play in a band called Wet Slate. || I quit Wet Slate.": "I | member_of | Wet Slate | ends",
        "The rent is 1,450. || Sorry, it's 1,540.": "I | has_rent | 1,540 | corrects",
        "I joined a choir. || I hate mondays.": "I | dislikes | mondays | holds",
        "Hello. || I bought a boat. Just kidding.": "",
    }
    assert misread(lambda talk: told_last(talk, KNOWN), behind.items()) == []
