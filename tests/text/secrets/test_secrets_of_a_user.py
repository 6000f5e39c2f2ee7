"""A user's own patterns, values let pass and kinds switched off; and what a hostile pattern or text can cost."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palace.errors import PalaceError
from palace.text.secrets import KINDS, OwnPattern, Rules, redact
from palace.text.secrets.shapes import shapes

GITHUB = "gh" + "p_" + "k3VbQ9xTz7LmN2pRs8WdYc4HfJg6AeU1oKtB"


def test_a_pattern_of_ones_own_is_replaced_by_its_name() -> None:
    rules = Rules(patterns=(OwnPattern("badge", r"\bTIDE-\d{6}\b"), OwnPattern("host", r"[a-z]+.corp\b")))
    assert redact("badge TIDE-004711 at mail.corp", rules).text == "badge [secret: badge] at [secret: host]"


def test_values_and_kinds_are_let_pass() -> None:
    text = f"{GITHUB} and visa 4539 1488 0343 6467"
    assert redact(text, Rules(allowed=frozenset({GITHUB}))).text == f"{GITHUB} and visa [secret: card number]"
    assert redact(text, Rules(off=frozenset({"card number"}))).text == "[secret: token] and visa 4539 1488 0343 6467"
    assert redact(text, Rules(off=frozenset({*KINDS}))).text == text
    assert redact(text, Rules(off=frozenset({"github-token"}))).text == f"{GITHUB} and visa [secret: card number]"


def test_what_is_let_pass_shows_in_no_repr() -> None:
    assert GITHUB not in repr(Rules(allowed=frozenset({GITHUB})))


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+$",
        r"a|b",
        r"(?=x)",
        r"a*a*b",
        r"\d+\d",
        r"\w*x",
        r"[a-z]+[0-9a-f]",
        "",
        "x?",
        r"\1",
        "a{999}",
        "a" * 201,
        "[a",
    ],
)
def test_a_pattern_that_could_go_back_is_refused_in_one_line(pattern: str) -> None:
    with pytest.raises(PalaceError) as refused:
        OwnPattern("mine", pattern)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["", "Key", "password", "a" * 41, "x]y"])
def test_a_pattern_needs_a_name_of_its_own(name: str) -> None:
    with pytest.raises(PalaceError):
        OwnPattern(name, "abc")


@given(st.text(alphabet="ab1[]-\\dws+*?{},2.", max_size=14))
@settings(max_examples=400, deadline=None)
def test_a_pattern_is_refused_or_quick(pattern: str) -> None:
    try:
        own = OwnPattern("mine", pattern)
    except PalaceError:
        return
    began = time.perf_counter()
    redact("a1-" * 2000 + "a" * 4000, Rules(patterns=(own,)))
    assert time.perf_counter() - began < 5


def hostile() -> list[str]:
    """List what each rule could stumble over, repeated."""
    beginnings = sorted({shape.beginning for shape in shapes()})
    seeds = [
        "password is ",
        "password: ",
        "is my password ",
        "pin: ",
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "eyJ-",
        "eyJaaaaaaaaaa.",
        "://a:b",
        "curl -u a",
        "mysql -p ",
        "Cookie: ",
        "authorization: bearer ",
        "4",
        "4111 ",
        "a",
        "[secret: ",
        "\u200ba",
        "passphrase ",
        "--password-",
        "token=",
        'secret": "',
        "password (",
        "A1a1-",
        "-us",
        "Q~",
        ":AA",
        "1\n",
        "key=\\",
    ]
    return [*seeds, "".join(beginnings), " ".join(beginnings)]


@pytest.mark.parametrize("seed", hostile(), ids=lambda seed: repr(seed[:20]))
def test_a_hostile_text_costs_no_more_than_its_length(seed: str) -> None:
    def cost(length: int) -> float:
        text = (seed * (length // len(seed) + 1))[:length]
        began = time.process_time()
        redact(text)
        return time.process_time() - began

    assert cost(100_000) < 3
