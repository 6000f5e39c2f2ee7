"""What is found in messages: keys by shape, values by name and place, what sentences or things beside it give away."""

from __future__ import annotations

import base64
import random
import string

import pytest

from tests.text.reading import redact
from tests.text.tables import lines, misread, rows

CHANCE = random.Random(13)


def made(count: int, letters: str = string.ascii_letters + string.digits) -> str:
    """Make a value by chance."""
    return "".join(CHANCE.choices(letters, k=count))


HEX = "0123456789abcdef"
SHAPES = [
    ("key", "AK" + "IA" + made(16, string.ascii_uppercase + "234567")),
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
PLACED = [
    ("export DB_PASSWORD=", "q7LampTern", ""),
    ('{"password": "', "q7Lamp, Tern"[:6] + "!x", '"}'),
    ("pass = ", "drizzle-4417-fen", "\ntls = yes"),
    ("Server=db;Uid=app;Pwd=", "vTq8lmR2", ";Pooling=true"),
    ("<password>", "Kite7vane", "</password>"),
    ("setProperty('db.password', '", "Kite7vane", "')"),
    ("postgres://marina:", "q7Lamp-Tern", "@db:5432/slips"),
    ("https://", made(36), "@github.com/a/b.git"),
    ("mysqldump -u backup -p", "Kite7vane", " --all > dump.sql"),
    ("docker login --password ", "Wq82mnvtr5", " registry"),
    ("Authorization: Basic ", base64.b64encode(b"admin:seagrass").decode(), "\n"),
    ('{"name": "DB_PASSWORD", "value": "', "Kite7vane", '"}'),
    ('<add key="DbPassword" value="', "Kite7vane", '" />'),
    ("Cookie: a=b; sessionid=", made(40), "; c=d"),
    ("htpasswd -b .htpasswd ada ", "Kite7vane", ""),
    ('ConvertTo-SecureString "', "Kite7vane", '" -AsPlainText'),
    ('requests.get(u, auth=("ada", "', "Kite7vane", '"))'),
    ("login: ada\npassword: ", "sunflower", "\n"),
    ("ALTER USER app WITH PASSWORD '", "Kite7vane", "';"),
]
TOLD = """
my laptop password is {Otter-Bramble-19} in case you need it
Our wifi password is {sunflower}.
I changed the Netflix password to {popcornWhale12}, tell the kids
{Quill#Anvil3} is my password for the insurance
use {larkspur2208} as the password
the password is "{hunterkeep}"
passphrase for the backup drive = {copper lantern drifts sideways}
Das WLAN-Passwort lautet {Birnbaum!47}, merk dir das
Mein Kennwort ist jetzt {Hafen2Mole}.
La contraseña del router es {Faro_2291}, apúntala
The alarm code? pin: {4711}
the key safe by the back gate opens with code {0582}.
j'ai remis le mdp à {Tournesol!22} pour tous
Zugangsdaten VPN: m.huber / {Fl1eder!Busch}
Der Türcode ist seit gestern {2604#}
"""
CLEAN = r"""
the password is required | My password is compromised. | password: <your-password>
password = os.environ['DB_PASSWORD'] | my password manager is 1Password | the password is SHA256-hashed
The password is 12 characters long. | error code: 1062, postal code: 24105
commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904 | DE89 3704 0044 0532 0130 00 | Order 4539148803436467 was sent
What does -----BEGIN RSA PRIVATE KEY----- mean? | mysql -u root -p | pass `tools=` to the call
ssh -p 2222 deck@10.1.1.20 | postgres://user:password@localhost/db
"""
KEY_ID = "AK" + "IAZ3MSJ2KQPL7TWXYB"
SECOND = "x7Kp2mQv9RtL4wZn8BcF" + "1hJd6GsY3uEa5TiO0Xq/"
MADE = "8f3kq92mx7d1b5c6a0e4" + "z8t2y6u1i9o3"
SEED = "apple bridge candy dove eagle frog grape honey idea jelly kite lemon"
SIGNATURE = "abcDEF123456ghiJKL78" + "90mnoPQRstu%3D"
BESIDE = [
    "| password | {Xk9!mm2z} |",
    "| Host | nas |\n| **Password** | `{Xk9!mm2z}` |\n| Port | 22 |",
    "| user | password |\n| mara | {Xk9!mm2z} |",
    "Dienst | WLAN-Passwort\n--- | ---\nKüche | {Xk9!mm2z}",
    "user,password\nmara,{Xk9!mm2z}\njo,{stroopwafel}",
    "url;benutzer;passwort\nexample.org;mara;{Xk9!mm2z}\n",
    "{" + KEY_ID + "}:{" + SECOND + "}",
    "aws key {" + KEY_ID + "} secret {" + SECOND + "}",
    "BIP39 mnemonic is {" + SEED + "}",
    "Wiederherstellungsphrase lautet {" + SEED.replace(" ", ", ") + "}",
    "my 2FA key is {jbsw y3dp ehpk 3pxp}",
    "two-factor backup codes: {8f3k-2mx9}, {7h2d-9kq1} and {44ab-c0de}",
    "backup codes: {1234 5678}, {8765 4321}",
    "I changed my password from {Xk9!mm2z} to {Qp7?bb4w}.",
    "the wifi password is no longer {Xk9!mm2z} but {Qp7?bb4w}",
    "Ilse's laptop password? It's {Xk9!mm2z}",
    "safe combination is {31-07-22}",
    "Safe: {33-12-08}",
    "Handy-Code: {220914}",
    "username rkast / password: {stroopwafel}",
    "mysql -u root -p '{Xk9!mm2z}' shop",
    "sshpass -p '{Xk9!mm2z}' ssh mara@nas",
    "SharedAccessSignature sr=hub.example.org&sig={" + SIGNATURE + "}&se=1",
    "The key for the API at api.example.org/v2 is {" + MADE + "}",
    "data:\n  client_secret: >-\n    {" + MADE + "}\n",
]
CLEAN_BESIDE = [
    "| password | string |\n| token | varchar |",
    "| password_hash | d41d8cd98f00b204e9800998ecf8427e |",
    "| Feature | Password |\n|---|---|\n| login | required |\n| since | 2026-05-01 |",
    "| Test | Pass | Fail |\n|---|---|---|\n| suite-a | 12 | 3 |\n| suite-b | 98.5% | v2-beta |",
    "| order | token |\n|---|---|\n| 17 | 6f1c1d0e-5d43-4b1c-9f53-0f4a4c1ec9a1 |",
    "| item | price |\n|---|---|\n| password book | 12,90 |\n| pin | 3.50 |",
    "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904 and " + SECOND,
    "The recovery phrase is usually twelve words long and you write them down before anything else happens",
    "the TOTP secret is base32 and of sixteen letters",
    "TOTP secret ABCDEFGHIJKLMNOP",
    "the backup code lives in backup-v2.tar",
    "moved my passwords from LastPass to 1Password",
    "the password is not required, but helpful",
    "Ilse's laptop password? It's expired.",
    "forgot your password? Room2A at noon has help",
    "postgresql://user:password@host/db?host=HostA:5432",
    "Safe: 33-12",
    "Login issues: Chrome, iOS17.2",
    "mysql -u root -p 'shop'",
    "mysql -u root -p shop_2026",
    "the key of the API call is 6f1c1d0e-5d43-4b1c-9f53-0f4a4c1ec9a1",
    "password: |\n  The password of the user.\nuser: a",
    "public_key: |\n  Xk9!mm2z\n",
]
NAMES = """
DB_PASSWORD -> password
clientSecret -> key
X-Api-Key -> key
githubToken -> token
max_tokens ->
public_key ->
"""


def test_a_providers_key_is_found_wherever_it_stands() -> None:
    around = [("", ""), ("use ", "."), ('"', '",'), ("(", ")"), ("=", "\n"), ("`", "`"), ("\\n", "\\n")]
    table = [((a, secret, b), f"{a}[secret: {kind}]{b}") for kind, secret in SHAPES for a, b in around]
    assert misread(lambda said: redact("".join(said)).text, table) == []


def test_what_stands_where_a_secret_stands_is_found() -> None:
    for before, secret, after in PLACED:
        text = redact(before + secret + after).text
        assert secret not in text
        assert text.startswith(before + "[secret: "), before
        assert text.endswith("]" + after), before


def test_what_a_sentence_says_is_a_password_is_found() -> None:
    for told in lines(TOLD):
        secret = told[told.index("{") : told.index("}") + 1]
        assert redact(told.replace(secret, secret[1:-1])).text == told.replace(secret, "[secret: password]")


def test_what_something_beside_it_gives_away_is_found() -> None:
    for told in BESIDE:
        text = redact(told.replace("{", "").replace("}", "")).text
        hidden, *parts = told.split("{")
        assert [secret for secret in (part.split("}")[0] for part in parts) if secret in text] == [], told
        assert all(kept in text for kept in (hidden, *(part.split("}")[1] for part in parts))), told
        assert text.count("[secret: ") == len(parts), told


def test_what_is_no_secret_is_left() -> None:
    assert misread(lambda text: redact(text).findings, [(clean, ()) for clean in (*lines(CLEAN), *CLEAN_BESIDE)]) == []
    pair = "AK" + "IAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"
    assert redact(pair).findings == (), "an example"


def test_a_name_says_whether_what_bears_it_is_a_secret() -> None:
    def kind(name: str) -> str:
        return redact(f'{name} = "q7LampTern9xVb2kRw8dYc4HfJg6Ae"').text.partition("[secret: ")[2].removesuffix(']"')

    assert misread(kind, rows(NAMES)) == []


WHOLE = "gh" + "p_" + made(36)


def test_what_the_documentation_says_is_not_found_is_not() -> None:
    hidden = [
        WHOLE[:20] + "\n" + WHOLE[20:], "\uff47\uff48\uff50\uff3f" + WHOLE[4:],
        base64.b64encode(f"password={WHOLE}".encode()).decode(), "my password is H u n t e r 2",
        "the first half is Kite7, the second half vane9",
    ]  # fmt: skip
    assert misread(lambda text: redact(text).findings, [(text, ()) for text in hidden]) == []


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
    for one in (
        "4539148803436467",
        "371449635398431",
        "4539 1488 0343 6467",
        "4539-1488-0343-6467",
        "3714 496353 98431",
    ):
        assert redact(f"visa {one}, exp 09/29").text == "visa [secret: card number], exp 09/29"
    for none in ("4539148803436468", "1234567812345670", "9780306406157"):
        assert redact(f"visa {none}").findings == ()


def test_beside_a_word_for_another_number_only_one_without_groups_is_no_cards() -> None:
    assert redact("my order: 4539 1488 0343 6467").text == "my order: [secret: card number]"
    assert redact("my order: 4539148803436467").findings == ()
