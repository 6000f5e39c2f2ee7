"""What is read as a claim in German, and what is not: in any order of words."""

from __future__ import annotations

from tests.text.claims.told import named, told
from tests.text.tables import each, misread, tables

TABLES = tables("german")

NAMES = named(
    place="Rom Kiel Graz Linz Bremen Ulm Bonn Wien Gent Freiburg Köln Soltau Izmir Duisburg",
    person="Jonas Katja Sabine Nils Jan Lena Ben Anna Jule Tom Matthias Renate Klaus Ali Balu Frieda",
    organisation="Audi BMW Siemens Fluxbyte Caritas Sparkasse Bosch GIBS Airbus Spotify Tidal Allianz",
    item="Minka Rex Findus vw_polo",
)


def test_a_plain_statement_is_claimed_in_any_order_of_words() -> None:
    assert misread(lambda message: told(message, names=NAMES), TABLES["claimed"].items()) == []


def test_what_is_asked_wished_supposed_or_only_looks_so_is_no_claim() -> None:
    assert misread(told, each(TABLES["not_claimed"], "")) == []
    assert misread(lambda message: told(message, names=NAMES), each(TABLES["not_claimed"], "")) == []
