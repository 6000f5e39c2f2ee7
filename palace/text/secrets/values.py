"""Whether what stands where a secret could stand is one: placeholders, names of variables and words are none. Pure."""

from __future__ import annotations

import re
from collections import Counter
from math import log2

from palace.patterns import late

_PLACEHOLDER = late(
    r"""
    ^[<\[{(].*[>\]})]$                                  # <your-key>, [password], {{ secret }}, {token}
    | ^\$[\w{(@] | ^%[\w-]+%?$ | ^@\w+@$ | ^&\w+;?$ | ^\\?\$\{ | ^\$\w*$     # what a shell or a template fills in
    | ^!\w+ | ^\*\w+$                                   # tags and anchors of YAML
    | ^[\W_]*$ | \*{3} | •{2} | \.{3}$ | … | ^\.{2,}
    | ^(.)\1+$ | x{4} | X{4} | 0{8} | (?i:example|placeholder|your[-_ ]?|_here$|-here$|redacted|changeme|change[-_]me
      | replace[-_]?me | dummy | insert[-_ ] | hidden\b | masked | censored | geheim$ | to[-_]?be[-_] | fill[-_]?in )
    | ^(?i:[a-z]+://\S*)$ | ^(?:\.{0,2}|~)/[\w./-]+$ | ^\w:\\
    """,
    re.VERBOSE,
)
_CODE = late(
    r"""
    [()\[\]{}] | ^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$ | => | -> | :: | ^[\w.]+\[ | ^\w+\?\.\w | [<>]
    | ^(?:self|this|process|os|env|config|settings|options|args|req|request|await|new|return)\b
    | ^[A-Z]+(?:_[A-Z]+)+$ | ^[a-z]+(?:_[a-z]+)+$ | ^--?[a-z][\w-]*$
    """,
    re.VERBOSE,
)
_LOOKED_AT = 80
"""Letters of a value that tell whether it is one; bounds what a long one costs."""
_COMMON_WRITTEN = """
password passwort passwd pass pwd pw secret token key apikey api_key admin root user username guest test testing foo bar
baz qux postgres mysql redis mongo string str text number integer bool boolean true false null none nil undefined void
any object bytes char varchar required optional default empty blank missing invalid valid incorrect wrong correct
expired encrypted hashed hidden bearer basic digest oauth oauth2 jwt plain plaintext pattern value changeme letmein
contraseña contrasena kennwort geheim secret_key mypassword mysecret mytoken redacted deprecated unknown
obligatorio obligatoire erforderlich pflichtfeld include omit same-origin vault env file stdin prompt ask sha256 md5
sha1 sha512 base64 utf-8 utf8 pass123 example sample n/a tbd todo on off yes no passphrase passcode passwords
"""
_COMMON = frozenset(_COMMON_WRITTEN.split())
_STATES_WRITTEN = """
required wrong correct weak strong secure insecure safe short long simple easy hard complex unique random secret private
public hidden visible gone lost forgotten expired blocked locked changed reset rejected accepted outdated invalid valid
missing empty blank optional mandatory obsolete rubbish garbage nonsense terrible horrible awful great perfect better
worse stupid ridiculous annoying different similar identical unknown known written stored saved hashed encrypted salted
plain compromised leaked stolen exposed pwned shared reused broken working needed enough nothing something anything
everything there where here below above inside outside online offline always never usually probably
really actually almost already useless impossible difficult embarrassing obvious guessable memorable
temporary permanent default standard personal
falsch richtig schwach stark sicher unsicher einfach schwer lang länger kürzer geheim vergessen abgelaufen gesperrt
geändert erforderlich notwendig optional leer ungültig gültig bekannt unbekannt anders gleich hinterlegt gespeichert
verschlüsselt kompliziert wichtig nötig weg kaputt zurückgesetzt komplett alt neu dasselbe
obligatoire correct incorrect faible oublié expiré requis valide invalide simple compliqué perdu secret identique
obligatoria obligatorio correcta incorrecta débil fuerte segura insegura olvidada caducada necesaria válida inválida
secreta perdida larga corta distinta igual misma sencilla
"""
_STATES = frozenset(_STATES_WRITTEN.split())
_STATE_ENDINGS_WRITTEN = """
ed ing able ible ful less ous ive ical ent ant ary ory ly ness ment tion ty isch lich ig bar haft los ert iert ée és
ante ado ada ido ida mente
"""
_STATE_ENDINGS = tuple(_STATE_ENDINGS_WRITTEN.split())
_ALGORITHM = late(
    r"(?i)^(?:sha|md|bcrypt|argon|base|utf|aes|rsa|oauth|ipv|pbkdf|scrypt|wpa|wep|tls|ssl|http|v|win|windows|ios|python|"
    r"php|s|mp|h|id|rfc|iso|din|p)-?\d[\d.x/]*\w{0,2}(?:[-_][a-z]+)*$|(?i:^[23]fa$|^u2f$|^fido2$|^k8s$|^i18n$|^a11y$|^oauth2\w*$|^x\d+$)"
)
_MEASURE = late(
    r"(?i)^[~<>=]*\d[\d.,:/h-]*(?:st|nd|rd|th|er|x|%|s|ms|h|m|km|mb|gb|kb|min|am|pm|€|\$|°|uhr|bit|-bit|chars?|days?)?$"
)
_SIGN_INSIDE = late(r"(?<=.)(?:_|[^\w'’.,/-])")
_HUMP = late(r"^(?!Mc).*[a-zäöüßà-ÿ][A-ZÄÖÜ]")
_DIGIT = late(r"\d")
_LETTER = late(r"[^\W\d_]")
_HASHES = frozenset({32, 40, 56, 64, 96, 128})


def entropy(value: str) -> float:
    """Measure a value in bits a character; 0 of an empty one."""
    return -sum(count / len(value) * log2(count / len(value)) for count in Counter(value).values()) if value else 0.0


def is_placeholder(value: str) -> bool:
    """Tell whether a value only stands for one: filled in later, blotted out, or the default everybody knows."""
    return value.lower() in _COMMON or _PLACEHOLDER.search(value[:_LOOKED_AT]) is not None


def is_code(value: str) -> bool:
    """Tell whether a value without quotes is an expression of a program."""
    return _CODE.search(value[:_LOOKED_AT]) is not None


def has_digit(value: str) -> bool:
    """Tell whether there is a digit in a value."""
    return _DIGIT.search(value) is not None


def is_random(value: str) -> bool:
    """Tell whether a value was made by a machine: long enough, of many letters, with digits among them."""
    if len(value) < 12 or not has_digit(value) or _LETTER.search(value) is None:
        return False
    return entropy(value) > 2.8 and not is_placeholder(value)


def is_password(value: str, least: int = 4) -> bool:
    """Tell whether a value can be a password that a person chose, and no word, amount, date or version."""
    if len(value) < least or _LETTER.search(value) is None:
        return False
    chosen = has_digit(value) or _SIGN_INSIDE.search(value) is not None or _HUMP.search(value) is not None
    return chosen and not (_MEASURE.match(value) or _ALGORITHM.match(value) or is_placeholder(value))


def is_state(word: str) -> bool:
    """Tell whether a word can say how a password is: "required", "abgelaufen", "oublié"."""
    return word.lower() in _STATES or word.lower().endswith(_STATE_ENDINGS)


def is_hash(value: str) -> bool:
    """Tell whether a value is as long as a digest, in hexadecimal."""
    return len(value) in _HASHES and not value.lower().strip("0123456789abcdef")
