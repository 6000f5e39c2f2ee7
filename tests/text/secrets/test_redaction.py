"""Redaction takes out the secrets and nothing else, says where they stood, and changes nothing when done again."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from palace.text.secrets import KINDS, Finding, find_secrets, redact
from palace.text.secrets.findings import MARKER, apart

GITHUB = "gh" + "p_" + "k3VbQ9xTz7LmN2pRs8WdYc4HfJg6AeU1oKtB"
STRIPE = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"
WORDS = st.sampled_from(
    [
        GITHUB,
        STRIPE,
        "my password is",
        "hunter2!Moor",
        "Das Passwort lautet",
        "password:",
        "pin:",
        "4711",
        "token=",
        "postgres://u:",
        "q7Lamp-Tern",
        "@db/x",
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "-----END RSA PRIVATE KEY-----",
        "MIIEpAIBAAKCAQEA7Zx9",
        "\n",
        " ",
        ".",
        "\u200b",
        "[secret: password]",
        "[secret: ",
        "]",
        "é",
        "😀",
        "İ",
        "ß",
        '"',
        "'",
        "=",
        "4539 1488 0343 6467",
        "Bearer ",
        "--password",
        "curl -u a:",
        "is my password",
        "/",
        "(password)",
        "as",
        ":",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0",
        "key",
        "secret",
        "mot de passe",
        "est",
        "clave",
        "x",
        "7",
        "A",
        "&",
        "%3D",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=200), st.lists(WORDS, max_size=24).map("".join), st.lists(WORDS, max_size=24).map(" ".join)
)


@given(TEXTS)
@settings(max_examples=600, deadline=None)
@example(f"token {GITHUB}\u200b{STRIPE}")
@example("\u200b" + GITHUB[:9] + "\u200b" + GITHUB[9:] + "\u200b.")
def test_nothing_but_the_findings_changes(text: str) -> None:
    redacted = redact(text)
    rebuilt, done = "", 0
    for found in redacted.findings:
        assert done <= found.start < found.end <= len(text)
        rebuilt += text[done : found.start] + f"[secret: {found.kind}]"
        done = found.end
    assert redacted.text == rebuilt + text[done:]


@given(TEXTS)
@settings(max_examples=600, deadline=None)
def test_redacting_again_changes_nothing(text: str) -> None:
    once = redact(text)
    again = redact(once.text)
    assert (again.text, again.findings) == (once.text, ())


def test_a_finding_never_shows_the_secret() -> None:
    redacted = redact(f"it is {GITHUB}, keep it")
    assert redacted.text == "it is [secret: token], keep it"
    assert redacted.findings == (Finding(6, 6 + len(GITHUB), "token", "github-token"),)
    assert GITHUB not in repr(redacted)


def test_a_message_without_secrets_is_given_back_as_it_is() -> None:
    text = "I forgot my password, İzmir 😀\r\n\tand the token is required."
    assert redact(text).text == text
    assert redact("").text == ""


def test_overlapping_findings_become_one_of_the_longest_kind() -> None:
    found = [Finding(0, 5, "key", "a"), Finding(3, 12, "token", "b"), Finding(12, 14, "password", "c")]
    assert apart(found) == (Finding(0, 12, "token", "b"), Finding(12, 14, "password", "c"))


def test_a_key_in_an_assignment_is_found_once() -> None:
    text = f'api_key = "{STRIPE}"'
    assert redact(text).text == 'api_key = "[secret: key]"'


def test_what_has_no_width_hides_nothing() -> None:
    hidden = "\u200b".join([GITHUB[:7], GITHUB[7:20], GITHUB[20:]])
    assert redact(f"a\u200db {hidden} c\u200bd").text == "a\u200db [secret: token] c\u200bd"


def test_markers_are_left_alone_by_every_rule() -> None:
    text = "password: [secret: password], postgres://u:[secret: password]@h/db, my pin is [secret: password]"
    assert redact(text).text == text


def test_each_kind_names_a_marker() -> None:
    assert all(MARKER.fullmatch(f"[secret: {kind}]") for kind in KINDS)


@pytest.mark.parametrize("seed", range(12))
def test_secrets_next_to_each_other_are_all_taken_out(seed: int) -> None:
    chance = random.Random(seed)
    tokens = ["gh" + "p_" + "".join(chance.choices(string.ascii_letters + string.digits, k=36)) for _ in range(40)]
    redacted = redact("\n".join(tokens))
    assert redacted.text == "\n".join(["[secret: token]"] * 40)
    assert len(find_secrets(redacted.text)) == 0
