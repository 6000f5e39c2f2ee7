"""Addresses of shared servers: what is taken, and that nothing of them is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from psycopg import pq

from palace import BadRequest, load_settings
from palace.config.address import (
    OPTIONS,
    SECRETS,
    check_address,
    driver_address,
    named_place,
    secrets_in,
    shown_address,
)

SECRET = "s3same-0pen"
AT = f"postgresql://mara:{SECRET}"
MALFORMED = (
    *("", f"mara:{SECRET}@db.example/palace", SECRET, f"{AT} @db.example/palace", "postgresql://"),
    *(f"{AT}@db.example", f"{AT}@db.example/", f"{AT}@db.example:port/palace", f"{AT}@db.example:70000/palace"),
    *(f"{AT}@db.example:0/palace", f"{AT}@db.example:/palace", f"{AT}@[::1/palace", f"{AT}@[db.example]/palace"),
    *(f"{AT}@[::1]5/palace", f"{AT}%@db.example/palace", f"{AT}%ff@db.example/palace", f"{AT}%00@db.example/palace"),
    *(f"{AT}\0@db.example/palace", f"{AT}@db.example/palace\n", f"{AT}@dätenbank.example/palace"),
    *(f"{AT}@%2Frun%2Fpostgresql/palace", f"mysql://mara:{SECRET}@db.example/palace", "sqlite:///palace.db"),
    f"postgresql+asyncpg://mara:{SECRET}@db.example/palace",
    *(f"{AT}@one.example:5432,two.example:5433/palace", f"{AT}@/palace?host=one.example,two.example"),
    *(f"host=db.example dbname=palace user=mara password={SECRET}", f"password={SECRET} host=db.example"),
    # @, / and ? in the password
    *(f"{AT}@{SECRET}@db.example/palace", f"postgresql://mara:1/{SECRET}@db.example/palace"),
    f"postgresql://mara:1?{SECRET}@db.example/palace",
    # options that are unknown, the driver's, another protocol's, given twice, of another encoding, of letters
    *(f"postgresql://mara@db.example/palace?{SECRET}=1", f"{AT}@db.example/palace?row_factory=dict"),
    f"{AT}@db.example/palace?replication=database",
    f"postgresql://mara@db.example/palace?password={SECRET}&password={SECRET}",
    *(f"{AT}@db.example/palace?client_encoding=LATIN1", f"{AT}@db.example/palace?connect_timeout=soon"),
    *(f"postgresql://mara@db.example/palace?password={SECRET}%zz", f"{AT}\udcff@db.example/palace"),
)
GOOD = {
    "postgresql://mara:x@db.example:5432/palace": "db.example:5432/palace",
    "postgres://mara:x@db.example/palace": "db.example:5432/palace",
    "POSTGRESQL://db_1.internal/palace": "db_1.internal:5432/palace",
    "postgresql:///palace": "localhost:5432/palace",
    "postgresql:///palace?host=/run/postgresql": "/run/postgresql:5432/palace",
    "postgresql://palace_app@/palace?host=%2Fhome%2Fa%20b%2Frun&port=5433": "/home/a b/run:5433/palace",
    "postgresql://mara:a%40b%2Fc@[2001:db8::1]:6432/my%20palace": "[2001:db8::1]:6432/my palace",
    "postgresql://db.example?dbname=palace&sslmode=verify-full": "db.example:5432/palace",
    "postgresql://server%40corp:x@10.0.0.7/palace?application_name=a%26b": "10.0.0.7:5432/palace",
}
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
address = st.builds("{}{}".format, st.sampled_from(["", "postgresql://", "postgres://", "host="]), anything)


def refusal_of(text: str) -> str | None:
    """What is said of an address; None where it is taken."""
    try:
        check_address(text)
    except ValueError as told:
        return str(told)
    return None


def test_a_malformed_address_is_one_line_that_quotes_no_secret() -> None:
    told = [(text, refusal_of(text)) for text in MALFORMED]
    assert [(text, line) for text, line in told if not line or SECRET in line or len(line.splitlines()) != 1] == []


def test_what_libpq_takes_for_one_host_is_taken() -> None:
    for text, place in GOOD.items():
        assert check_address(text) == text
        assert named_place(text) == place
        made = sa.make_url(driver_address(text))
        assert made.get_dialect().driver == "psycopg"
        assert made.query["connect_timeout"] == "10"
    given_ = "postgresql://db.example/palace?connect_timeout=3"
    assert sa.make_url(driver_address(given_)).query["connect_timeout"] == "3"


@given(address)
def test_any_text_is_taken_or_refused_with_one_line(text: str) -> None:
    told = refusal_of(text)
    if told is None:
        sa.make_url(driver_address(text))
        assert named_place(text)
        assert shown_address(text)
    else:
        assert len(told.splitlines()) == 1


@given(password=st.text(st.characters(categories=["L", "N"]), min_size=8), name=st.sampled_from(sorted(SECRETS)))
def test_secrets_are_never_shown_wherever_they_stand(password: str, name: str) -> None:
    hidden = f"QQ{password}QQ"
    text = check_address(f"postgresql://mara:{hidden}@db.example/palace?sslmode=require&{name}={hidden}")
    assert hidden not in shown_address(text)
    assert hidden not in named_place(text)
    assert hidden in secrets_in(text)
    assert re.fullmatch(r"postgresql://mara:\*\*\*@db\.example/palace\?sslmode=require&\w+=\*\*\*", shown_address(text))


def test_the_options_that_are_known_are_those_of_libpq() -> None:
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    assert known - {"replication"} <= OPTIONS
    secret = {option.keyword.decode() for option in pq.Conninfo.get_defaults() if option.dispchar == b"*"}
    assert secret <= SECRETS


def test_the_owners_address_alone_is_refused_before_another_server_is_taken_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PALACE_DATABASE_OWNER_URL", "postgresql://palace_owner@db.example.com/palace")
    with pytest.raises(BadRequest, match=r"^PALACE_DATABASE_OWNER_URL is set and PALACE_DATABASE_URL is not"):
        load_settings(home=tmp_path / "home")
