"""What is found in messages: keys by shape, values by name and place, and what sentences say in four languages."""

from __future__ import annotations

import base64
import random
import string

import pytest

from palace.text.secrets import redact
from palace.text.secrets.cards import is_card
from palace.text.secrets.named import kind_of
from palace.text.secrets.shapes import shapes

CHANCE = random.Random(13)


def made(count: int, letters: str = string.ascii_letters + string.digits) -> str:
    """Make a value by chance."""
    return "".join(CHANCE.choices(letters, k=count))


HEX = "0123456789abcdef"
SHAPES = [
    ("key", "AK" + "IA" + made(16, string.ascii_uppercase + "234567")),
    ("key", "AI" + "za" + made(35)),
    ("token", "github" + "_pat_" + made(22) + "_" + made(59)),
    ("token", "gl" + "pat-" + made(20)),
    ("token", "xo" + "xb-" + made(12, string.digits) + "-" + made(12, string.digits) + "-" + made(24)),
    ("key", "sk" + "_live_" + made(24)),
    ("key", "sk-" + "proj-" + made(48)),
    ("key", "sk-" + "ant-api03-" + made(93) + "AA"),
    ("token", "hf" + "_" + made(34)),
    ("token", "np" + "m_" + made(36)),
    ("token", "py" + "pi-AgEIcHlwaS5vcmc" + made(70)),
    ("token", made(10, string.digits[1:]) + ":AA" + made(33)),
    ("key", "S" + "K" + made(32, HEX)),
    ("key", "S" + "G." + made(22) + "." + made(43)),
    ("token", "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "J" + made(40) + "." + made(43)),
    ("key", made(3) + "8Q" + "~" + made(34)),
    ("token", "MT" + made(22) + "." + made(6) + "." + made(38)),
    ("token", "hv" + "s." + made(40)),
    ("token", "shp" + "at_" + made(32, HEX)),
    ("token", "do" + "p_v1_" + made(64, HEX)),
]


@pytest.mark.parametrize(("kind", "secret"), SHAPES)
def test_a_providers_key_is_found_wherever_it_stands(kind: str, secret: str) -> None:
    for before, after in [("", ""), ("use ", "."), ('"', '",'), ("(", ")"), ("=", "\n"), ("`", "`"), ("\\n", "\\n")]:
        assert redact(before + secret + after).text == f"{before}[secret: {kind}]{after}"


def test_each_shape_has_a_rule_and_a_kind() -> None:
    assert len(shapes()) > 150
    assert {shape.kind for shape in shapes()} <= {"key", "token", "private key"}


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ("export DB_PASSWORD=", "q7LampTern", ""),
        ('{"password": "', "q7Lamp, Tern"[:6] + "!x", '"}'),
        ("spring.datasource.password: ", "vTq8#lmR2", "\n"),
        ("pass = ", "drizzle-4417-fen", "\ntls = yes"),
        ("Server=db;Uid=app;Pwd=", "vTq8lmR2", ";Pooling=true"),
        ("?user=a&client_secret=", made(32), "&grant_type=code"),
        ("<password>", "Kite7vane", "</password>"),
        ("setProperty('db.password', '", "Kite7vane", "')"),
        ("X-Api-Key: ", made(32), "\n"),
        ("postgres://marina:", "q7Lamp-Tern", "@db:5432/slips"),
        ("https://", made(36), "@github.com/a/b.git"),
        ("curl -u admin:", "s3agrass-Net", " https://grafana.local"),
        ("mysqldump -u backup -p", "Kite7vane", " --all > dump.sql"),
        ("docker login --password ", "Wq82mnvtr5", " registry"),
        ("Authorization: Bearer ", made(40), "\n"),
        ("Authorization: Basic ", base64.b64encode(b"admin:seagrass").decode(), "\n"),
        ('{"name": "DB_PASSWORD", "value": "', "Kite7vane", '"}'),
        ("- name: DB_PASSWORD\n  value: ", "Kite7vane", "\n"),
        ('<add key="DbPassword" value="', "Kite7vane", '" />'),
        ("Cookie: a=b; sessionid=", made(40), "; c=d"),
        ("net use Z: \\\\nas\\media /user:kurt ", "Kite7vane", ""),
        ("htpasswd -b .htpasswd ada ", "Kite7vane", ""),
        ('ConvertTo-SecureString "', "Kite7vane", '" -AsPlainText'),
        ("AZURE_OPENAI_KEY=", made(32, HEX), ""),
        ('requests.get(u, auth=("ada", "', "Kite7vane", '"))'),
        ("login: ada\npassword: ", "sunflower", "\n"),
        ("password:\n", "Kite7vane", "\n"),
        ("ALTER USER app WITH PASSWORD '", "Kite7vane", "';"),
    ],
)
def test_what_stands_where_a_secret_stands_is_found(before: str, secret: str, after: str) -> None:
    redacted = redact(before + secret + after)
    assert secret not in redacted.text
    assert redacted.text.startswith(before + "[secret: ")
    assert redacted.text.endswith("]" + after)


@pytest.mark.parametrize(
    "told",
    [
        "my laptop password is {Otter-Bramble-19} in case you need it",
        "Our wifi password is {sunflower}.",
        "I changed the Netflix password to {popcornWhale12}, tell the kids",
        "log in with password {larkspur2208} please",
        "{Quill#Anvil3} is my password for the insurance",
        "use {larkspur2208} as the password",
        'the password is "{hunterkeep}"',
        "the pin is {4711}, then hash",
        "door code: {2580}",
        "passphrase for the backup drive = {copper lantern drifts sideways}",
        "Das WLAN-Passwort lautet {Birnbaum!47}, merk dir das",
        "Mein Kennwort ist jetzt {Hafen2Mole}.",
        "Die Geheimzahl ist {59204}.",
        "Le mot de passe du wifi est {Mouette-58}, note-le",
        "mdp : {Mouette58}",
        "La contraseña del router es {Faro_2291}, apúntala",
        "la clave del wifi es {faro2291}",
        "The alarm code? pin: {4711}",
        "the key safe by the back gate opens with code {0582}.",
        "Die Alarmanlage: Code ist {6614}, dann grün",
        "Mon code de carte bleue c'est le {2749}, garde-le",
        "the password's {blaaaahaj77}, don't tell",
        "j'ai remis le mdp à {Tournesol!22} pour tous",
        "Zugangsdaten VPN: m.huber / {Fl1eder!Busch}",
        "the wifi key is {QRXYFBMWTC}",
        "Der Türcode ist seit gestern {2604#}",
        'its password "{kreidestaub}"',
        "my password is {12345678}.",
    ],
)
def test_what_a_sentence_says_is_a_password_is_found(told: str) -> None:
    secret = told[told.index("{") + 1 : told.index("}")]
    assert redact(told.replace("{", "").replace("}", "")).text == told.replace("{" + secret + "}", "[secret: password]")


@pytest.mark.parametrize(
    "clean",
    [
        "I forgot my password again.",
        "the password is required",
        "My password is compromised.",
        "password: ********",
        "password: <your-password>",
        "PASSWORD=$PASSWORD ./run.sh",
        "POSTGRES_PASSWORD=changeme",
        "password = os.environ['DB_PASSWORD']",
        "my password manager is 1Password",
        "The password to Room2 is on the wall",
        "the password is SHA256-hashed",
        "The password is 12 characters long.",
        "error code: 1062, postal code: 24105",
        "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "request 6f1c1d0e-5d43-4b1c-9f53-0f4a4c1ec9a1 failed",
        "DE89 3704 0044 0532 0130 00",
        "ISBN 978-3-16-148410-0",
        "Order 4539148803436467 was sent",
        "What does -----BEGIN RSA PRIVATE KEY----- mean?",
        "mysql -u root -p",
        "csrf_token: 6hTz0QwErT9yUiOpAsDfGhJkLzXcVbNm",
        "the next page token is CAUQAA6hTz0QwErT9yUiOpAs",
        "Morgan Pass Trail: a 6.5-mile loop",
        "pass `tools=` to the call",
        "The PIN was changed in spring.",
        "error code 1062 opened the gate",
        "the garage status code is 2010",
        "the word before password was lost",
        "ssh -p 2222 deck@10.1.1.20",
        "postgres://user:password@localhost/db",
    ],
)
def test_what_is_no_secret_is_left(clean: str) -> None:
    assert redact(clean).findings == ()


WHOLE = "gh" + "p_" + made(36)


@pytest.mark.parametrize(
    "hidden",
    [
        WHOLE[:20] + "\n" + WHOLE[20:],
        "\uff47\uff48\uff50\uff3f" + WHOLE[4:],
        base64.b64encode(f"password={WHOLE}".encode()).decode(),
        "my password is H u n t e r 2",
        "the first half is Kite7, the second half vane9",
    ],
)
def test_what_the_documentation_says_is_not_found_is_not(hidden: str) -> None:
    assert redact(hidden).findings == ()


BODY = "\n".join(made(64, string.ascii_letters + string.digits + "+/") for _ in range(6))
BEGIN, END = "-----BEGIN RSA " + "PRIVATE KEY-----", "-----END RSA " + "PRIVATE KEY-----"


@pytest.mark.parametrize(
    "block",
    [
        f"{BEGIN}\n{BODY}\n{END}",
        f"{BEGIN}\r\n" + BODY.replace("\n", "\r\n") + f"\r\n{END}",
        f"{BEGIN}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00FF\n\n{BODY}\n{END}",
        f"{BEGIN}\\n" + BODY.replace("\n", "\\n") + f"\\n{END}",
        f"{BEGIN}\n{BODY}",
        f"{BODY}\n{END}",
        f"{BEGIN} {BODY.replace(chr(10), ' ')} {END}",
        base64.b64encode(f"{BEGIN}\n{BODY}\n{END}".encode()).decode(),
    ],
)
def test_a_private_key_is_taken_out_whole_and_cut_off(block: str) -> None:
    assert (
        redact(f"look:\n{block}\nwhy does ssh ignore it?").text
        == "look:\n[secret: private key]\nwhy does ssh ignore it?"
    )


def test_a_putty_key_keeps_its_public_half() -> None:
    text = f"Public-Lines: 1\nAAAAB3NzaC1yc2E\nPrivate-Lines: 6\n{BODY}\nPrivate-MAC: 00ff"
    assert (
        redact(text).text
        == "Public-Lines: 1\nAAAAB3NzaC1yc2E\nPrivate-Lines: 6\n[secret: private key]\nPrivate-MAC: 00ff"
    )


@pytest.mark.parametrize(
    ("digits", "is_one"),
    [
        ("4539148803436467", True),
        ("371449635398431", True),
        ("4539148803436468", False),
        ("1234567812345670", False),
        ("9780306406157", False),
    ],
)
def test_a_card_number_has_an_issuer_and_a_check_digit(digits: str, is_one: bool) -> None:
    assert is_card(digits) is is_one


def test_a_card_number_is_found_with_spaces_and_dashes() -> None:
    assert redact("visa 4539 1488 0343 6467 exp 09/29").text == "visa [secret: card number] exp 09/29"
    assert redact("visa 4539-1488-0343-6467.").text == "visa [secret: card number]."
    assert redact("amex 3714 496353 98431").text == "amex [secret: card number]"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("DB_PASSWORD", "password"),
        ("clientSecret", "key"),
        ("X-Api-Key", "key"),
        ("githubToken", "token"),
        ("PrivateKey", "private key"),
        ("password_hash", None),
        ("max_tokens", None),
        ("next_page_token", None),
        ("public_key", None),
        ("sort_key", None),
    ],
)
def test_a_name_says_whether_what_bears_it_is_a_secret(name: str, kind: str | None) -> None:
    assert kind_of(name) == kind
