"""What something beside it gives away is found: in tables, pairs, lists of codes, changes and answers; else nothing."""

from __future__ import annotations

import time

import pytest

from palace.text.secrets import redact
from palace.text.secrets.beside import find_beside
from palace.text.secrets.findings import Page

KEY_ID = "AK" + "IAZ3MSJ2KQPL7TWXYB"
SECOND = "x7Kp2mQv9RtL4wZn8BcF" + "1hJd6GsY3uEa5TiO0Xq/"
MADE = "8f3kq92mx7d1b5c6a0e4" + "z8t2y6u1i9o3"
SEED = "apple bridge candy dove eagle frog grape honey idea jelly kite lemon"
SIGNATURE = "abcDEF123456ghiJKL78" + "90mnoPQRstu%3D"


@pytest.mark.parametrize(
    "told",
    [
        "| password | {Xk9!mm2z} |",
        "| Host | nas |\n| **Password** | `{Xk9!mm2z}` |\n| Port | 22 |",
        "| user | password |\n|---|---|\n| mara | {Xk9!mm2z} |\n| jo | {stroopwafel} |",
        "| user | password |\n| mara | {Xk9!mm2z} |",
        "Dienst | WLAN-Passwort\n--- | ---\nKüche | {Xk9!mm2z}",
        "| card | PIN |\n|---|---|\n| blue | {4711} |",
        "| service | api key |\n|---|---|\n| maps | {" + MADE + "} |",
        "user,password\nmara,{Xk9!mm2z}\njo,{stroopwafel}",
        "url;benutzer;passwort\nexample.org;mara;{Xk9!mm2z}\n",
        "user\tpassword\nmara\t{Xk9!mm2z}",
        "{" + KEY_ID + "} and {" + SECOND + "}",
        "{" + KEY_ID + "}:{" + SECOND + "}",
        "aws key {" + KEY_ID + "} secret {" + SECOND + "}",
        "{" + KEY_ID + "}\n{" + SECOND + "}\n",
        "Meine Seed-Phrase: {" + SEED + "}",
        "BIP39 mnemonic is {" + SEED + "}",
        "my recovery phrase is {" + SEED + "}, keep it",
        "Wiederherstellungsphrase lautet {" + SEED.replace(" ", ", ") + "}",
        "TOTP secret {JBSWY3DPEHPK3PXP}",
        "my 2FA key is {jbsw y3dp ehpk 3pxp}",
        "two-factor backup codes: {8f3k-2mx9}, {7h2d-9kq1} and {44ab-c0de}",
        "recovery code {8f3k-2mx9-77aa}",
        "the recovery code for the mail is {8f3k2mx977}",
        "Wiederherstellungscodes:\n- {8f3k-2mx9}\n- {7h2d-9kq1}",
        "backup codes: {1234 5678}, {8765 4321}",
        "I changed my password from {Xk9!mm2z} to {Qp7?bb4w}.",
        "Ich habe das Passwort von {Xk9!mm2z} auf {Qp7?bb4w} geändert",
        "Mein Passwort ist nicht mehr {Xk9!mm2z}, sondern {Qp7?bb4w}.",
        "the wifi password is no longer {Xk9!mm2z} but {Qp7?bb4w}",
        "Ilse's laptop password? It's {Xk9!mm2z}",
        "what's the wifi password? {Xk9mm2zz}",
        "Ilse's laptop password? It's \"{stroopwafel}\".",
        "safe combination is {31-07-22}",
        "Safe: {33-12-08}",
        "Safekombination: {33-12-08}",
        "Safekombination {33-12-08}",
        "Handy-Code: {220914}",
        "username rkast / password: {stroopwafel}",
        "username: rkast, password {Xk9!mm2z}",
        "Login beim Router: admin, {Xk9!mm2z}",
        "mysql -u root -p '{Xk9!mm2z}' shop",
        "sshpass -p '{Xk9!mm2z}' ssh mara@nas",
        "SharedAccessSignature sig={" + SIGNATURE + "}",
        "SharedAccessSignature sr=hub.example.org&sig={" + SIGNATURE + "}&se=1",
        "The key for the API at api.example.org/v2 is {" + MADE + "}",
        "password: |\n  {Xk9!mm2z}\nuser: a",
        "data:\n  client_secret: >-\n    {" + MADE + "}\n",
    ],
)
def test_what_something_beside_it_gives_away_is_found(told: str) -> None:
    text = redact(told.replace("{", "").replace("}", "")).text
    for secret in [part.split("}")[0] for part in told.split("{")[1:]]:
        assert secret not in text
    kept = [part.split("}")[-1] for part in told.split("{")]
    assert all(each in text for each in kept)
    assert text.count("[secret: ") == told.count("{")


@pytest.mark.parametrize(
    "clean",
    [
        "| password | string |\n| token | varchar |",
        "| password_hash | d41d8cd98f00b204e9800998ecf8427e |",
        "| password | d41d8cd98f00b204e9800998ecf8427e |",
        "| Feature | Password |\n|---|---|\n| login | required |\n| since | 2026-05-01 |",
        "| Test | Pass | Fail |\n|---|---|---|\n| suite-a | 12 | 3 |\n| suite-b | 98.5% | v2-beta |",
        "| model | tokens |\n|---|---|\n| small-4b | 4096 |",
        "| order | token |\n|---|---|\n| 17 | 6f1c1d0e-5d43-4b1c-9f53-0f4a4c1ec9a1 |",
        "| password | min. 8 characters |\n| secret key | yes |",
        "| item | price |\n|---|---|\n| password book | 12,90 |\n| pin | 3.50 |",
        "user,password\nrequired,optional",
        "we need user, password and url,\nthen host2, port3 and path4",
        f"{KEY_ID[:4]} is how a key id begins, commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904 and " + SECOND,
        "The recovery phrase is usually twelve words long and you write them down before anything else happens",
        "A BIP39 mnemonic is apple bridge candy",
        "the TOTP secret is base32 and of sixteen letters",
        "TOTP secret ABCDEFGHIJKLMNOP",
        "backup codes: 2026-05-01 they expire",
        "recovery codes are on paper, order 20-1199",
        "the backup code lives in backup-v2.tar",
        "the recovery code path returns 404",
        "moved my passwords from LastPass to 1Password",
        "we changed the password policy from 8-char to 12-char",
        "they switched password hashing from md5 to argon2id",
        "the password is not required, but helpful",
        "Ilse's laptop password? It's expired.",
        "Forgot your password? Reset it.",
        "forgot your password? Room2A at noon has help",
        "postgresql://user:password@host/db?host=HostA:5432",
        "Save: 12-10-22",
        "safe travels on 31-07-22",
        "Safe: 33-12",
        "Login issues: Chrome, iOS17.2",
        "Login: mara, Ilse",
        "username and password: required",
        "username field / password: string",
        "mysql -u root -p 'shop'",
        "mysql -u root -p shop_2026",
        "the key for the cache is d41d8cd98f00b204e9800998ecf8427e",
        "the key of the API is documented in chapter12",
        "the key of the API call is 6f1c1d0e-5d43-4b1c-9f53-0f4a4c1ec9a1",
        "password: |\n  The password of the user.\nuser: a",
        "password: |\n  required\n",
        "public_key: |\n  Xk9!mm2z\n",
    ],
)
def test_what_only_looks_like_it_is_left(clean: str) -> None:
    text = redact(clean).text
    assert text.replace("[secret: key]", KEY_ID) == clean


def test_an_example_of_a_pair_is_left() -> None:
    text = "AK" + "IAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"
    assert redact(text).findings == ()


@pytest.mark.parametrize(
    "seed",
    [
        "| password |\n",
        "| password | ",
        "| user | password |\n|---|---|\n",
        "user,password\n",
        "user,password,",
        KEY_ID + " ",
        "seed phrase is apple ",
        "backup codes: a1b2c3d4, ",
        "codes de secours ",
        "2fa key is jbsw ",
        "safe: 31-07-",
        "password from a to ",
        "password is not ",
        "password? it's ",
        "pw ",
        "username a / password: ",
        "login: a, ",
        "sharedaccesssignature sr=a&",
        "key api is ",
        "secret: |\n  ",
    ],
)
def test_a_hostile_text_costs_no_more_than_its_length(seed: str) -> None:
    page = Page.of((seed * (1_000_000 // len(seed) + 1))[:1_000_000])
    began = time.process_time()
    for _ in find_beside(page):
        pass
    assert time.process_time() - began < 4
