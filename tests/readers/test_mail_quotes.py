"""What a mail says itself and what it carries along, in the ways of many programs and languages."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palace.mining.readers.mail.quotes import part

ANSWERS = {
    "Outlook": (
        "Fine.\n\nBob\n\n________________________________\nFrom: Ann Example <ann@example.org>\n"
        "Sent: Wednesday, May 1, 2024 10:32 AM\nTo: Bob <bob@example.org>\nSubject: RE: Mast\n\nShall we?",
        "Fine.\n\nBob",
        "Ann Example",
    ),
    "Outlook, German": (
        "Ja.\n\n-----Ursprüngliche Nachricht-----\nVon: Beispiel, Anna [mailto:anna@example.org]\n"
        "Gesendet: Mittwoch, 1. Mai 2024 10:32\nAn: Bob\nBetreff: Mast\n\nShall we?",
        "Ja.",
        "Beispiel, Anna",
    ),
    "Gmail, wrapped": (
        "Yes\n\nOn Wed, May 1, 2024 at 10:32 AM Some Very Long Name <\nsomebody@example.org> wrote:\n\n> Shall we?\n",
        "Yes",
        "Some Very Long Name",
    ),
    "Gmail, German": (
        "Ja\n\nAm Mi., 1. Mai 2024 um 10:32 Uhr schrieb Ann Example <ann@example.org>:\n\n> Shall we?\n",
        "Ja",
        "Ann Example",
    ),
    "Gmail, French": (
        "Oui\n\nLe mer. 1 mai 2024 à 10:32, Ann Example <ann@example.org> a écrit :\n\n> Shall we?\n",
        "Oui",
        "Ann Example",
    ),
    "Gmail, Spanish": (
        "Vale\n\nEl mié, 1 may 2024 a las 10:32, Ann (<ann@example.org>) escribió:\n\n> Shall we?\n",
        "Vale",
        "Ann",
    ),
    "Thunderbird, German": ("Ja\n\nAm 01.05.24 um 10:32 schrieb Ann Example:\n> Shall we?\n", "Ja", "Ann Example"),
    "Apple Mail": (
        "Sure.\n\n> On 1 May 2024, at 10:32, Ann Example <ann@example.org> wrote:\n> \n> Shall we?\n> \n> \n",
        "Sure.",
        "Ann Example",
    ),
    "unmarked": (
        "Ok\n\nOn Wednesday, May 1, 2024, 10:32 AM, Ann <ann@example.org> wrote:\n\nShall we?",
        "Ok",
        "Ann",
    ),
    "Outlook, English": (
        "Yes.\n\n-----Original Message-----\nFrom: Ann Example\nSent: Wednesday, May 1, 2024 10:32 AM\nTo: Bob\n"
        "Subject: Mast\n\nShall we?",
        "Yes.",
        "Ann Example",
    ),
    "Outlook, German, without a line above": (
        "Ja.\n\nVon: Anna Beispiel <anna@example.org>\nGesendet: Mittwoch, 1. Mai 2024 10:32\nAn: Bob\n"
        "Betreff: AW: Mast\n\nShall we?",
        "Ja.",
        "Anna Beispiel",
    ),
    "Outlook, German, in bold": (
        "Ja.\n\n*Von:* Anna Beispiel <anna@example.org>\n*Gesendet:* Mittwoch, 1. Mai 2024 10:32\n*An:* Bob\n"
        "*Betreff:* Mast\n\nShall we?",
        "Ja.",
        "Anna Beispiel",
    ),
    "Gmail for phones, German": (
        "Ja\n\nAnn Example <ann@example.org> schrieb am Mi., 1. Mai 2024, 10:32:\n\n> Shall we?\n",
        "Ja",
        "Ann Example",
    ),
    "German, wrapped": (
        "Ja\n\nAm Mittwoch, den 1. Mai 2024 um 10:32:15 Uhr schrieb Ann\nExample <ann@example.org>:\n> Shall we?\n",
        "Ja",
        "Ann Example",
    ),
    "KMail, German": (
        "Ja\n\nAm Mittwoch, 1. Mai 2024, 10:32:15 CEST schrieb Ann Example:\n> Shall we?\n",
        "Ja",
        "Ann Example",
    ),
    "mutt": ("Yes.\n\nAnn Example writes:\n> Shall we?\n", "Yes.", "Ann Example"),
}


@pytest.mark.parametrize(("text", "own", "who"), ANSWERS.values(), ids=ANSWERS)
def test_what_stands_below_an_answer_is_the_mail_before_it(text: str, own: str, who: str) -> None:
    parted = part(text)
    assert parted.own == own
    assert [(carried.text, carried.who) for carried in parted.carried][-1:] == [("Shall we?", who)]
    assert part(text.replace("\n", "\n")).carried == parted.carried


@pytest.mark.parametrize(
    "text",
    [
        "On Wed, Ann wrote:\n> Shall we?\n\nYes.\n\n> When?\n\nNow.",
        "As they say:\n> one\n> two",
        "On Wed, Ann <ann@example.org> wrote:\n> Shall we?\n",
        "To do:\nFrom: here\nnothing else",
        "Date: tomorrow\nFrom: here\nTo: there",
        "I wrote:\n\nthat it holds.",
        "",
    ],
)
def test_what_a_mail_needs_to_be_understood_stays_in_it(text: str) -> None:
    assert part(text) == (text, ())


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Fine, let us go.\n\n> Shall we?", "Fine, let us go."),
        ("Fine.\n> Shall we\n> go?\n\n", "Fine."),
        ("As they say:\n> one\n> two", None),
        ("> When?\n\nNow.\n\n> Where?", None),
        ("> Shall we?", None),
    ],
)
def test_a_little_that_an_answer_quotes_at_its_end_is_what_it_answers(text: str, own: str | None) -> None:
    assert part(text) == (text, ())
    parted = part(text, is_answer=True)
    assert parted.own == (text if own is None else own)
    assert bool(parted.carried) == (own is not None)


def test_the_footer_of_a_list_below_a_quotation_stays_with_the_mail() -> None:
    parted = part("Top.\n\nOn 1 May, Ann wrote:\n> a\n______________________\nsail list\nsail@example.org")
    assert parted.own == "Top.\n\n______________________\nsail list\nsail@example.org"
    assert [carried.text for carried in parted.carried] == ["a"]


def test_mails_below_mails_come_apart() -> None:
    text = "C\n\nOn 3 May 2024, Bob wrote:\n> B\n>\n> On 2 May 2024, Ann wrote:\n>> A\n"
    assert [(carried.who, carried.text) for carried in part(text).carried] == [("Bob", "B"), ("Ann", "A")]


LINES = st.sampled_from(
    [
        "> a",
        ">> b",
        "",
        "On 1 May, Ann wrote:",
        "From: Ann",
        "Sent: now",
        "To: x",
        "Subject: y",
        "____________",
        "text",
        "--",
    ]
)


@given(st.lists(LINES, max_size=30))
def test_every_word_of_a_mail_is_in_one_of_its_parts_or_says_whose_it_is(lines: list[str]) -> None:
    parted = part("\n".join(lines))
    there = " ".join([parted.own, *(carried.text for carried in parted.carried)])
    for word in ("text", "a", "b"):
        given_words = " ".join(lines).replace(">", " ").split().count(word)
        assert there.replace(">", " ").split().count(word) == given_words


@pytest.mark.parametrize(
    "line", ["> a\n", "On 1 May, Ann wrote:\n", "From: x\n", "__________\n", "-----x-----\n", "\n", ">" * 70 + "\n"]
)
def test_a_long_mail_is_cut_in_linear_time(line: str) -> None:
    def seconds(count: int) -> float:
        began = time.process_time()
        part("x\n" + line * (count // len(line)) + "y")
        return time.process_time() - began

    assert seconds(400_000) < 12 * max(seconds(100_000), 0.05)
