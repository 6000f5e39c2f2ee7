"""What is read as a claim in German, and what is not: in any order of words, and with the message before it."""

from __future__ import annotations

from tests.text.claims.told import named, told, told_last
from tests.text.tables import each, misread, tables

TABLES = tables("german")

NAMES = named(
    place="Rom Kiel Graz Linz Bremen Ulm Bonn",
    person="Jonas Katja Sabine Nils Jan Lena Ben",
    organisation="Audi BMW Siemens Fluxbyte Caritas Sparkasse",
    item="Minka Rex",
)


def test_a_plain_statement_is_claimed_in_any_order_of_words() -> None:
    assert misread(told, TABLES["claimed"].items()) == []


def test_what_is_said_of_known_names_is_claimed_of_whom_it_is_said() -> None:
    assert misread(lambda message: told(message, names=NAMES), TABLES["claimed_of_names"].items()) == []


def test_what_is_asked_wished_supposed_or_only_looks_so_is_no_claim() -> None:
    assert misread(told, each(TABLES["not_claimed"], "")) == []
    assert misread(lambda message: told(message, names=NAMES), each(TABLES["not_claimed"], "")) == []


def test_what_was_told_before_is_put_right_or_over() -> None:
    assert misread(lambda talk: told_last(talk, NAMES), TABLES["behind"].items()) == []
