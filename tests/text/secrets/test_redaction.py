"""Redaction takes out the secrets and nothing else, twice as once, by a user's own rules, at the cost of its length."""

from __future__ import annotations

import random
import string
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palace.errors import PalaceError
from palace.nlp.secrets import KINDS, Finding, OwnPattern, Rules, redact

GITHUB = "gh" + "p_" + "k3VbQ9xTz7LmN2pRs8WdYc4HfJg6AeU1oKtB"
STRIPE = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"
WORDS = st.sampled_from([
    GITHUB, STRIPE, "my password is", "hunter2!Moor", "Das Passwort lautet", "password:", "pin:", "4711", "token=",
    "postgres://u:", "q7Lamp-Tern", "@db/x", "-----BEGIN RSA PRIVATE KEY-----\n", "-----END RSA PRIVATE KEY-----",
    "MIIEpAIBAAKCAQEA7Zx9", "\n", " ", ".", "\u200b", "[secret: password]", "[secret: ", "]", "é", "😀", "İ", "ß", '"',
    "'", "=", "4539 1488 0343 6467", "Bearer ", "--password", "curl -u a:", "is my password", "/", "(password)", "as",
    ":", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", "key", "secret", "mot de passe", "est", "clave", "x", "7", "A", "%3D",
])  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=200), st.lists(WORDS, max_size=24).map("".join), st.lists(WORDS, max_size=24).map(" ".join)
)


@given(TEXTS)
@example(f"token {GITHUB}\u200b{STRIPE}")
@example("\u200b" + GITHUB[:9] + "\u200b" + GITHUB[9:] + "\u200b.")
def test_nothing_but_the_findings_changes_and_doing_it_again_changes_nothing(text: str) -> None:
    redacted = redact(text)
    rebuilt, done = "", 0
    for found in redacted.findings:
        assert done <= found.start < found.end <= len(text)
        rebuilt += text[done : found.start] + f"[secret: {found.kind}]"
        done = found.end
    assert redacted.text == rebuilt + text[done:]
    again = redact(redacted.text)
    assert (again.text, again.findings) == (redacted.text, ())


def test_a_finding_never_shows_the_secret() -> None:
    redacted = redact(f"it is {GITHUB}, keep it")
    assert redacted.text == "it is [secret: token], keep it"
    assert redacted.findings == (Finding(6, 6 + len(GITHUB), "token", "github-token"),)
    assert GITHUB not in repr(redacted)
    assert GITHUB not in repr(Rules(allowed=frozenset({GITHUB})))


def test_what_is_clean_or_taken_out_already_is_left_as_it_is() -> None:
    marked = "password: [secret: password], postgres://u:[secret: password]@h/db, my pin is [secret: password]"
    kinds = " ".join(f"[secret: {kind}]" for kind in KINDS)
    for text in ("", "I forgot my password, İzmir 😀\r\n\tand the token is required.", marked, kinds):
        assert redact(text).text == text


def test_what_stands_in_each_other_or_next_to_each_other_is_taken_out_once() -> None:
    assert redact(f'api_key = "{STRIPE}"').text == 'api_key = "[secret: key]"'
    hidden = "\u200b".join([GITHUB[:7], GITHUB[7:20], GITHUB[20:]])
    assert redact(f"a\u200db {hidden} c\u200bd").text == "a\u200db [secret: token] c\u200bd", "no width hides nothing"
    for seed in range(12):
        chance = random.Random(seed)
        tokens = ["gh" + "p_" + "".join(chance.choices(string.ascii_letters + string.digits, k=36)) for _ in range(40)]
        assert redact("\n".join(tokens)).text == "\n".join(["[secret: token]"] * 40)


def test_a_pattern_of_ones_own_is_replaced_by_its_name_and_values_and_kinds_are_let_pass() -> None:
    rules = Rules(patterns=(OwnPattern("badge", r"\bTIDE-\d{6}\b"), OwnPattern("host", r"[a-z]+.corp\b")))
    assert redact("badge TIDE-004711 at mail.corp", rules).text == "badge [secret: badge] at [secret: host]"
    text = f"{GITHUB} and visa 4539 1488 0343 6467"
    card = f"{GITHUB} and visa [secret: card number]"
    assert redact(text, Rules(allowed=frozenset({GITHUB}))).text == card
    assert redact(text, Rules(off=frozenset({"github-token"}))).text == card
    assert redact(text, Rules(off=frozenset({"card number"}))).text == "[secret: token] and visa 4539 1488 0343 6467"
    assert redact(text, Rules(off=frozenset({*KINDS}))).text == text


def test_a_pattern_that_could_go_back_or_has_no_name_of_its_own_is_refused_in_one_line() -> None:
    patterns = [r"(a+)+$", r"a|b", r"(?=x)", r"a*a*b", r"\d+\d", r"\w*x", r"[a-z]+[0-9a-f]", "", "x?", r"\1", "a{999}"]
    wrong = [("mine", pattern) for pattern in (*patterns, "a" * 201, "[a")]
    for name, pattern in (*wrong, *((name, "abc") for name in ("", "Key", "password", "a" * 41, "x]y"))):
        with pytest.raises(PalaceError) as refused:
            OwnPattern(name, pattern)
        assert "\n" not in str(refused.value)


@given(st.text(alphabet="ab1[]-\\dws+*?{},2.", max_size=14))
def test_a_pattern_is_refused_or_quick(pattern: str) -> None:
    try:
        own = OwnPattern("mine", pattern)
    except PalaceError:
        return
    began = time.process_time()
    redact("a1-" * 2000 + "a" * 4000, Rules(patterns=(own,)))
    assert time.process_time() - began < 5


HOSTILE = [
    "password is ", "password: ", "is my password ", "pin: ", "-----BEGIN RSA PRIVATE KEY-----\n", "eyJ-",
    "eyJaaaaaaaaaa.", "://a:b", "curl -u a", "mysql -p ", "Cookie: ", "authorization: bearer ", "4", "4111 ", "a",
    "[secret: ", "\u200ba", "passphrase ", "--password-", "token=", 'secret": "', "password (", "A1a1-", "-us", "Q~",
    ":AA", "1\n", "key=\\", "| password |\n", "| user | password |\n|---|---|\n", "user,password,",
    "seed phrase is apple ", "backup codes: a1b2c3d4, ", "codes de secours ", "2fa key is jbsw ", "safe: 31-07-",
    "password from a to ", "password? it's ", "username a / password: ", "sharedaccesssignature sr=a&", "key api is ",
    "secret: |\n  ", "AKIA ghp_ glpat- xoxb- sk_live_ hf_ npm_ AIza SG. ",
]  # fmt: skip


def test_a_hostile_text_costs_no_more_than_its_length() -> None:
    for seed in HOSTILE:
        began = time.process_time()
        redact((seed * 10_000)[:10_000])
        assert time.process_time() - began < 1, seed
