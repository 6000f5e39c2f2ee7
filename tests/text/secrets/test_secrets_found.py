"""What is found in messages: keys by shape, values by name and place, what sentences or things beside it give away."""

from __future__ import annotations

import base64
import random
import string

import pytest

from palace.nlp.secrets import redact
from tests.text.tables import each, misread, tables

TABLES = tables("secrets_found")

CHANCE = random.Random(13)


def made(count: int, letters: str = string.ascii_letters + string.digits) -> str:
    """Make a value by chance."""
    return "".join(CHANCE.choices(letters, k=count))


HEX = "0123456789abcdef"
SHAPES = [
    ("key", "AK" + "IA" + made(16, string.ascii_uppercase + string.digits)),
    ("key", "AI" + "za" + made(35)),
    ("token", "github" + "_pat_" + made(22) + "_" + made(59)),
    ("token", "xo" + "xb-" + made(12, string.digits) + "-" + made(12, string.digits) + "-" + made(24)),
    ("key", "sk" + "_live_" + made(24)),
    ("key", "sk-" + "proj-" + made(48)),
    ("token", "hf" + "_" + made(34)),
    ("token", "np" + "m_" + made(36)),
    ("token", "py" + "pi-AgEIcHlwaS5vcmc" + made(70)),
    ("key", "S" + "K" + made(32, HEX)),
    ("key", "S" + "G." + made(22) + "." + made(43)),
    ("token", "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "J" + made(40) + "." + made(43)),
    ("token", "MT" + made(22) + "." + made(6) + "." + made(38)),
    ("token", "hv" + "s." + made(40)),
    ("token", "shp" + "at_" + made(32, HEX)),
]
KEY_ID = "AK" + "IAZ3MSJ2KQPL7TWXYB"
SECOND = "x7Kp2mQv9RtL4wZn8BcF" + "1hJd6GsY3uEa5TiO0Xq/"
MADE = "8f3kq92mx7d1b5c6a0e4" + "z8t2y6u1i9o3"
SIGNATURE = "abcDEF123456ghiJKL78" + "90mnoPQRstu%3D"


PLACED = [
    ("https://", made(36), "@github.com/a/b.git"),
    ("Authorization: Basic ", base64.b64encode(b"admin:seagrass").decode(), "\n"),
    ("Cookie: a=b; sessionid=", made(40), "; c=d"),
]
BESIDE = [
    "{" + KEY_ID + "}:{" + SECOND + "}",
    "aws key {" + KEY_ID + "} secret {" + SECOND + "}",
    "SharedAccessSignature sr=hub.example.org&sig={" + SIGNATURE + "}&se=1",
    "The key for the API at api.example.org/v2 is {" + MADE + "}",
    "data:\n  client_secret: >-\n    {" + MADE + "}\n",
]
"""Whose values this file writes in parts, so that nobody takes it for one that holds secrets."""


def test_a_providers_key_is_found_wherever_it_stands() -> None:
    around = [("", ""), ("use ", "."), ('"', '",'), ("(", ")"), ("=", "\n"), ("`", "`"), ("\\n", "\\n")]
    table = [((a, secret, b), f"{a}[secret: {kind}]{b}") for kind, secret in SHAPES for a, b in around]
    assert misread(lambda said: redact("".join(said)).text, table) == []


def test_what_stands_where_a_secret_stands_is_found() -> None:
    for before, secret, after in (*PLACED, *TABLES["placed"]):
        text = redact(before + secret + after).text
        assert secret not in text
        assert text.startswith(before + "[secret: "), before
        assert text.endswith("]" + after), before


def test_what_a_sentence_says_is_a_password_is_found() -> None:
    for told in TABLES["told"]:
        secret = told[told.index("{") : told.index("}") + 1]
        assert redact(told.replace(secret, secret[1:-1])).text == told.replace(secret, "[secret: password]")


def test_what_something_beside_it_gives_away_is_found() -> None:
    for told in (*BESIDE, *TABLES["beside"]):
        text = redact(told.replace("{", "").replace("}", "")).text
        hidden, *parts = told.split("{")
        assert [secret for secret in (part.split("}")[0] for part in parts) if secret in text] == [], told
        assert all(kept in text for kept in (hidden, *(part.split("}")[1] for part in parts))), told
        assert text.count("[secret: ") == len(parts), told


def test_what_is_no_secret_is_left() -> None:
    commit = "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904 and " + SECOND
    assert misread(lambda text: redact(text).findings, each([*TABLES["clean"], commit], ())) == []
    pair = "AK" + "IAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"
    assert redact(pair).findings == (), "an example"


def test_a_name_says_whether_what_bears_it_is_a_secret() -> None:
    def kind(name: str) -> str:
        return redact(f'{name} = "q7LampTern9xVb2kRw8dYc4HfJg6Ae"').text.partition("[secret: ")[2].removesuffix(']"')

    assert misread(kind, TABLES["names"].items()) == []


WHOLE = "gh" + "p_" + made(36)


def test_what_the_documentation_says_is_not_found_is_not() -> None:
    hidden = [
        WHOLE[:20] + "\n" + WHOLE[20:], "\uff47\uff48\uff50\uff3f" + WHOLE[4:],
        base64.b64encode(f"password={WHOLE}".encode()).decode(), "my password is H u n t e r 2",
        "the first half is Kite7, the second half vane9",
    ]  # fmt: skip
    assert misread(lambda text: redact(text).findings, each(hidden, ())) == []


BODY = "\n".join(made(64, string.ascii_letters + string.digits + "+/") for _ in range(6))
BEGIN, END = "-----BEGIN RSA " + "PRIVATE KEY-----", "-----END RSA " + "PRIVATE KEY-----"
BLOCKS = {
    "whole": f"{BEGIN}\n{BODY}\n{END}",
    "of Windows": f"{BEGIN}\r\n" + BODY.replace("\n", "\r\n") + f"\r\n{END}",
    "encrypted": f"{BEGIN}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00FF\n\n{BODY}\n{END}",
    "escaped": f"{BEGIN}\\n" + BODY.replace("\n", "\\n") + f"\\n{END}",
    "without an end": f"{BEGIN}\n{BODY}",
    "without a beginning": f"{BODY}\n{END}",
    "in one line": f"{BEGIN} {BODY.replace(chr(10), ' ')} {END}",
    "in base64": base64.b64encode(f"{BEGIN}\n{BODY}\n{END}".encode()).decode(),
}


@pytest.mark.parametrize("block", BLOCKS)
def test_a_private_key_is_taken_out_whole_and_cut_off(block: str) -> None:
    behind = "\nwhy does ssh ignore it?"
    assert redact(f"look:\n{BLOCKS[block]}{behind}").text == f"look:\n[secret: private key]{behind}"


def test_a_putty_key_keeps_its_public_half() -> None:
    kept = "Public-Lines: 1\nAAAAB3NzaC1yc2E\nPrivate-Lines: 6\n{}\nPrivate-MAC: 00ff"
    assert redact(kept.format(BODY)).text == kept.format("[secret: private key]")


def test_a_card_number_has_an_issuer_and_a_check_digit_with_spaces_or_dashes() -> None:
    for one in ("4539148803436467", "371449635398431", "4539 1488 0343 6467", "3714-496353-98431"):
        assert redact(f"visa {one}, exp 09/29").text == "visa [secret: card number], exp 09/29"
    for none in ("4539148803436468", "1234567812345670", "9780306406157"):
        assert redact(f"visa {none}").findings == ()
    assert redact("my order: 4539 1488 0343 6467").text == "my order: [secret: card number]"
    assert redact("my order: 4539148803436467").findings == (), "another number, unless it stands in groups"
