"""Passwords, PINs and phrases that are told in sentences, in English, German, French and Spanish. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from palace.patterns import late
from palace.text.secrets.findings import KEY, PASSWORD, TOKEN, Finding, Page, occurrences
from palace.text.secrets.values import has_digit, is_code, is_password, is_placeholder, is_random, is_state
from palace.text.statements import telling_words

_LABELS: dict[str, tuple[str, re.Pattern[str]]] = {
    stem: (kind, late(pattern))
    for stem, kind, pattern in (
        ("passw", PASSWORD, r"pass[- ]?w(?:or[dt]|ö\w+)s?(?:es|s)?(?![\w])"),
        ("pass w", PASSWORD, r"pass word\b"),
        ("passcode", PASSWORD, r"passcode\b"),
        ("passphrase", PASSWORD, r"passphrase\b"),
        ("kennwort", PASSWORD, r"kennwort\b"),
        ("mot de passe", PASSWORD, r"mot de passe\b"),
        ("mdp", PASSWORD, r"mdp\b"),
        ("contrase", PASSWORD, r"contrase[ñn]a\b"),
        ("clave", PASSWORD, r"clave\b"),
        ("pw", PASSWORD, r"pwd?\b"),
        ("schlüssel", PASSWORD, r"schlüssel\b"),
        ("api", KEY, r"api[- ]?(?:key|schlüssel|token)\b"),
        ("clé", KEY, r"clé (?:d['’])?api\b"),
        ("secret", KEY, r"secret(?: key)?\b"),
        ("access key", KEY, r"access key\b"),
        ("token", TOKEN, r"token\b"),
        ("pin", "pin", r"pin(?:[- ]?(?:code|nummer|number))?\b"),
        ("geheimzahl", "pin", r"geheimzahl\b"),
        ("code", "pin", r"code\b"),
        ("código", "pin", r"código\b"),
        ("code wi", PASSWORD, r"code (?:du |de la )?wi-?fi\b"),
        ("wifi", PASSWORD, r"wifi[- ]?code\b"),
        ("wi-fi", PASSWORD, r"wi-fi[- ]?code\b"),
        ("wlan", PASSWORD, r"wlan[- ]?code\b"),
        ("pass", "pass", r"pass\b"),
        ("key", "wifi", r"key\b"),
        ("puk", "pin", r"puk\b"),
        ("kombination", "pin", r"kombination\b"),
        ("combina", "pin", r"combina(?:tion|ison|ción)\b"),
        ("zugangsdaten", "login", r"zugangsdaten\b"),
        ("anmeldedaten", "login", r"anmeldedaten\b"),
        ("login", "login", r"logins?\b"),
        ("log in", "signin", r"log in(?: with| as)?\b"),
        ("sign in", "signin", r"sign in(?: with| as)?\b"),
        ("einloggen mit", "signin", r"einloggen mit\b"),
        ("anmelden mit", "signin", r"anmelden mit\b"),
        ("cred", "login", r"cred(?:s|entials|enciales)\b"),
        ("identifiants", "login", r"identifiants\b"),
        ("cv", "pin", r"cv[vc]2?\b"),
    )
}
_CODES = late(
    r"(?:alarm|door|gate|access|entry|garage|safe|keypad|lock|security|tür|zugangs|haus|tor|unlock|entsperr|bike|locker|card|"
    r"schloss|tresor|digi|burglar|building|lobby|key ?box|handy|phone|sperr|tablet|bildschirm|screen)[- ]?$"
)
_CODES_AFTER = late(
    r"\s(?:pin|secret|d['’](?:entrée|accès)|de (?:la|l['’]) ?(?:porte|alarme|carte|puerta|alarma|tarjeta)|"
    r"del? (?:acceso|portal|garaje|portail|coffre)|du (?:portail|coffre|garage)"
    r"|(?:for|to|of) the (?:door|gate|alarm|safe|garage|lock)\w*"
    r"|(?:für|zu[mr]) (?:die|den|das|der)? ?(?:tür|tor|alarm|tresor|haustür|garage|schloss)\w*)"
)
_OTHER_CODES = late(
    r"(?:error|status|exit|return|postal|zip|country|area|promo|discount|source|qr|bar|dress|fehler|gutschein|quell"
    r"|response|http|color|colour|product|booking|rabatt|time)[- ]?$"
)
_LOCKED = late(
    r"\b(?:alarm\w*|key ?safe|tresor|safe|haust[üu]r|garage\w*|back gate|front door|gate|locker|bank ?card|carte bleue"
    r"|carte bancaire|coffre(?:-fort)?|portail|tarjeta|alarma|caja fuerte|ec-karte|bankkarte|kreditkarte|schloss"
    r"|fahrradschloss|bike lock)\b"
)
_COMPOUND = late(
    r"[- ](?:manager|reset|policy|polic|hash|field|length|prompt|generator|file|store|database|entropy|strength|"
    r"protect|change|page|form|hint|rotation|list|dialog|auth|login|count|limit|usage|budget|type|format|version|rule|box|"
    r"based|free|less|feld|länge|verwaltung|richtlinie|stealer|spray|guess|crack|id\b)"
)
_LINK = late(
    r"(?:(?<=['’])s(?=\s)|c['’]est(?=\s)|(?<=\s)(?:is|was|lautet|lautete|ist|war|heißt|est|était|es|era|to|auf|zu|into|en|a|à"
    r"|bleibt|remains|has been|had been|will be|wird|sera|será)(?=\s|:)"
    r"|(?<![=!<>:])[:=](?=\s)|→|(?<!\))\s?->(?!\w)|\s[–—-](?=\s))"
)
_CHANGED = frozenset({"to", "auf", "zu", "into", "en", "a", "à"})
_CHANGE = late(r"(?:\b(?:chang|set|reset|updat|switch|gesetzt|setz|gestellt|cambi|puse|pon|mis\b|remis|modifi)|änder)")
_CHANGED_BEHIND = late(r"\S{4,64}\s(?:geändert|gesetzt|gestellt|umgestellt|abgeändert|festgelegt|changed|set)\b")
_BESIDE_USER = late(r"\b(?:user(?:name)?|login|account|benutzer\w*|nutzer\w*)\b[:= ]{1,3}\S{2,40}[,;/ ]{1,3}$")
_DOTTED = late(r"[A-ZÄÖÜ][a-zäöüß]+\.[A-Za-zäöüß]+\d{2,}")
"""Words with a dot between them and figures behind: said of a password, no expression of a program."""
_FILLER = late(
    r"(?:[ \t]*(?:now|still|currently|just|again|simply|jetzt|nun|immer noch|weiterhin|noch|einfach|maintenant"
    r"|toujours|désormais|ahora|todavía|this|the following|folgendes|wie folgt|le suivant|la siguiente|follows|le"
    r"|is|ist|est|es|(?:seit|since|depuis|desde|ab|from|as of|à partir de|dès) [\w.]{2,12})\b,?){0,6}"
    r"[ \t:=>→–—*_-]*(?=\S)"
)
_OPEN = "\"'`“„«‚‘”"
_CLOSED = late(r"([\"'`“”„«»‚‘’])\s?([^\n\"`“”„«»]{1,64}?)\s?[\"'`“”»«’]")
_WORD = late(r"\S{1,120}")
_ENDS = ".,;:?)]}\"'’”“»*…"
_SENTENCE_ENDS = late(r"[.!?](?:\s|$)|\n")
_CALLS = late(r"[(\[]|^\w+\.\w+\.\w|^\W?[\"'`]{2}")
_MIXED = late(r"[a-z].*[A-Z]|[A-Z].*[a-z]|[^\w.,/=-]")
_SIGN = late(r"[^\w.]")
_SENTENCE_ENDED = late(r"[.!]?\s*(?:\n|$)|[.!]\s")
_WORTH_A_LOOK = late(r"[\d\"'`“„«!#$%&*+@^_~=:]|\b(?:my|our|mein\w*|unser\w*|mon|notre|mi|nuestr[ao])\b")
_MINE = late(
    r"\b(?:my|our|mein\w{0,2}|unser\w{0,2}|mon|notre|mi|nuestr[ao])\s(?:[\w'’-]+\s){0,3}$|(?:wifi|wlan|wi-fi)[- ]$"
)
_DIGITS = late(
    r"(?:(?=(?:[A-Z]?\d){3})[A-Z0-9]{4,8}[#*]?|\d{1,2}(?:[ -]\d{1,2}){2,4}|\d{2,4}[ -]\d{2,4}|\d{3,6}[A-Z]\d?)"
    r"(?![\w]|[.,]\d)"
)
_WITH = late(r"\b(?:with|mit|using)\s(?:(?:the|my|der|meiner)\s)?$")
_PAIR = late(r"(?<=\s)[\w.@+-]{2,60}(?:[ \t]{0,2}[/|][ \t]{0,2}|:)([^\s/]{6,64})(?=\s|$)")
_WIFI = late(r"wi-?fi|wlan|ssid|router|hotspot|network|netzwerk")
_NO_PASS = late(
    r"(?:boarding|ski|bus|day|season|mountain|hall|backstage|travel|parking|train|free|by|will|to|and)[- ]$"
)
_QUALIFIED = late(
    r"api|(?:auth|access|bearer|bot|refresh|secret|personal|session|deploy|service|client|id)[- ](?:access )?"
    r"(?:token|key|secret)$"
)
_NO_TOKEN = late(r"(?:csrf|xsrf|page|sync|next|continuation|cancellation|pad|eos|bos|unk|push|device)[- ]$")
_SHORT_DIGITS = late(r"\d{3,4}(?!\w)")
_PHRASE = late(
    r"(?:passphrase|(?:seed|recovery|mnemonic|backup|secret|wiederherstellungs)[- ]?phrase|mnemonic)\b"
    r"[^\n:=.]{0,60}[:=][ \t]*"
)
_PHRASE_WORDS = late(r"[\"'`“„]?([a-zäöüß]{3,12}(?:[ -][a-zäöüß]{2,12}){2,24})(?=[\"'`”“.]*\s*(?:\n|$))")
_ASKED = late(r"[^\n.!?:=]{0,60}\?[ \t]{1,3}[\"'`“„]?")
_ANSWER = late(r"(\S{6,64}?|[a-zäöüß]{3,12}(?:[ -][a-zäöüß]{3,12}){2,7})[\"'`”“]?[.!]?[ \t]{0,5}(?:\n|\Z)")
_SAYS = frozenset({"is", "lautet", "ist", "est", "es", ":"})
_REACH, _MOST_LINKS = 90, 6


def find_told(page: Page) -> Iterator[Finding]:
    """Find what a sentence says is a password, a PIN, a key or a phrase."""
    for stem, (kind, label) in _LABELS.items():
        if stem in page.lower:
            for place in occurrences(page.lower, stem):
                if found := label.match(page.lower, place):
                    yield from _told(page, found, kind)
    if "phrase" in page.lower or "mnemonic" in page.lower:
        for found in _PHRASE.finditer(page.lower):
            if words := _PHRASE_WORDS.match(page.text, found.end()):
                yield Finding(*words.span(1), PASSWORD, "phrase")


def _told(page: Page, label: re.Match[str], kind: str) -> Iterator[Finding]:
    end = label.end()
    if not _is_label(page, label, kind) or _COMPOUND.match(page.lower, end):
        return
    if kind == PASSWORD and (before := _said_before(page, label)):
        yield Finding(*before, PASSWORD, "prose")
    if kind == PASSWORD and (answer := _answered(page, end)):
        yield Finding(*answer, PASSWORD, "prose")
    if kind != "wifi" and not _WORTH_A_LOOK.search(page.lower, max(0, label.start() - 40), end + _REACH):
        return
    limit = _limit(page, end)
    if kind in ("login", "signin"):
        if pair := _paired(page, end, limit, kind):
            yield Finding(*pair, PASSWORD, "login")
        return
    for place, link in _links(page, end, limit):
        if value := _value(page, place, kind, link, label):
            yield Finding(*value, kind if kind in (KEY, TOKEN) else PASSWORD, "prose")
            return


def _paired(page: Page, end: int, limit: int, kind: str) -> tuple[int, int] | None:
    """Give the value in "mara / X" behind what leads to a login; two ways to sign in are often told like that."""
    pair = _PAIR.search(page.text, end, limit)
    value = pair.group(1).rstrip(_ENDS) if pair else ""
    if pair is None or not is_password(value) or not has_digit(value):
        return None
    is_meant = kind == "login" or "@" in page.text[pair.start() : pair.start(1)] or _SIGN.search(value)
    return (pair.start(1), pair.start(1) + len(value)) if is_meant else None


def _answered(page: Page, end: int) -> tuple[int, int] | None:
    """Give what answers a question for a password in its own line: a password, or words that make no sentence."""
    asked = _ASKED.match(page.text, end)
    answer = _ANSWER.match(page.text, asked.end()) if asked else None
    if answer is None:
        return None
    words = answer.group(1).split()
    if len(words) == 1:
        return answer.span(1) if is_password(words[0]) and has_digit(words[0]) and not is_code(words[0]) else None
    is_said = len(telling_words(answer.group(1))) < len(words) or 3 * sum(map(is_state, words)) > len(words)
    return None if is_said else answer.span(1)


def _is_label(page: Page, label: re.Match[str], kind: str) -> bool:
    """Tell whether a word is what it looks like: no part of another, and of no other kind of pass, key or token."""
    start = label.start()
    if kind == "pin":
        return _is_pin(page, label)
    before = page.lower[start - 1] if start else " "
    if before == "_" or (before.isalnum() and not label.group().startswith(("passw", "kennw", "schlü"))):
        return False
    if kind == TOKEN:
        return _NO_TOKEN.search(page.lower, max(0, start - 14), start) is None
    if kind == "pass":
        return _NO_PASS.search(page.lower, max(0, start - 14), start) is None
    return kind != "wifi" or _WIFI.search(page.lower, max(0, start - 50), start) is not None


def _is_pin(page: Page, label: re.Match[str]) -> bool:
    """Tell whether a label is that of a secret number: "code" alone is none, "door code" is."""
    start = label.start()
    if start and (page.lower[start - 1].isalnum() or page.lower[start - 1] in "_."):
        return (
            label.group() in ("code", "kombination")
            and _CODES.search(page.lower, max(0, start - 14), start) is not None
        )
    if label.group() in ("code", "código"):
        return _is_code_of_a_lock(page, label)
    return True


def _is_code_of_a_lock(page: Page, label: re.Match[str]) -> bool:
    start = label.start()
    if _OTHER_CODES.search(page.lower, max(0, start - 14), start):
        return False
    if _CODES.search(page.lower, max(0, start - 14), start) or _CODES_AFTER.match(page.lower, label.end()):
        return True
    return _LOCKED.search(page.lower, max(0, start - 50), label.end() + 30) is not None


def _limit(page: Page, end: int) -> int:
    ends = _SENTENCE_ENDS.search(page.text, end, min(len(page.text), end + _REACH))
    if ends and ends.group()[0] == "?" and _DIGITS.match(page.text, ends.end()):
        return end + _REACH
    return ends.start() + 1 if ends else min(len(page.text), end + _REACH)


def _links(page: Page, end: int, limit: int) -> Iterator[tuple[int, str]]:
    """Iterate over the places where a value could begin, with the word that leads there."""
    yield end, ""
    for link in islice(_LINK.finditer(page.lower, end, limit), _MOST_LINKS):
        yield link.end(), link.group().strip()


def _value(page: Page, place: int, kind: str, link: str, label: re.Match[str]) -> tuple[int, int] | None:
    text = page.text
    start = _start(page, place, link)
    if start == place and not link:
        return None
    if link in _CHANGED and not _is_change(page, label, start):
        return None
    if kind == "pass" and not link and _BESIDE_USER.search(page.lower, max(0, label.start() - 40), label.start()):
        link = "is"
    if kind == "pin":
        return _digits(page, start, label, link)
    if text[start : start + 1] and text[start] in _OPEN and (closed := _CLOSED.match(text, start)):
        return closed.span(2) if _is_quoted_secret(closed.group(2), kind, link) else None
    word = _WORD.match(text, start)
    value = word.group().rstrip(_ENDS) if word else ""
    found = value and _is_bare_secret(page, value, kind, link, label, start)
    return (start, start + len(value)) if found else None


def _is_change(page: Page, label: re.Match[str], start: int) -> bool:
    """Tell whether something was changed to a value: it says so before the label, before the value or behind it."""
    before = _CHANGE.search(page.lower, max(0, label.start() - 60), start)
    return before is not None or _CHANGED_BEHIND.match(page.lower, start) is not None


def _start(page: Page, place: int, link: str) -> int:
    """Give where a value begins behind a link and the words that can follow it, or behind a space without a link."""
    if link == ":" and page.text.startswith("\n", place):
        return place + 1  # a label on a line of its own, the value on the next
    if link:
        filler = _FILLER.match(page.lower, place)
        return filler.end() if filler else place
    start = place
    while page.text[start : start + 1] in (" ", "\t") and start < place + 3:
        start += 1
    return start


def _digits(page: Page, start: int, label: re.Match[str], link: str) -> tuple[int, int] | None:
    text = page.text
    while text[start : start + 1] and text[start] in _OPEN:
        start += 1
    short = label.group().startswith("cv")
    found = (_SHORT_DIGITS if short else _DIGITS).match(text, start)
    if found is None or (
        not link
        and not short
        and not _WITH.search(page.lower, max(0, label.start() - 14), label.start())
        and text[label.start() : label.end()].islower()
        and label.group() != "code"
    ):
        return None
    return found.span()


def _is_quoted_secret(value: str, kind: str, link: str) -> bool:
    if is_placeholder(value) or " " in value or len(value) < 4:
        return False
    if kind in (KEY, TOKEN):
        return is_random(value)
    if is_password(value):
        return _is_strong(value, kind, link)
    return kind != "pass" and len(value) >= 6 and value.isalnum() and not is_state(value)


def _is_bare_secret(page: Page, value: str, kind: str, link: str, label: re.Match[str], start: int) -> bool:
    is_said = link.isalpha() and _DOTTED.fullmatch(value) is not None
    if _CALLS.search(value) or (is_code(value) and not is_said):
        return False
    if kind in (KEY, TOKEN):
        if not link and (len(value) < 20 or not _QUALIFIED.search(page.lower, max(0, label.start() - 14), label.end())):
            return False
        return is_random(value)
    if kind == "wifi" and value.isalnum() and value.isupper() and len(value) >= 8:
        return True
    if not is_password(value):
        return kind == PASSWORD and link in _SAYS and _is_word_of_mine(page, value, label, start)
    return not value.endswith(("'s", "’s")) and _is_strong(value, kind, link)


def _is_strong(value: str, kind: str, link: str) -> bool:
    """Tell whether a value is enough of a password for what leads to it: the less that says, the more it must be."""
    if kind == "pass":
        return bool(link) and len(value) >= 6 and has_digit(value) and _MIXED.search(value) is not None
    if has_digit(value):
        return bool(link) or (len(value) >= 6 and value.isascii())
    return link.isalpha() or (link != "" and _SIGN.search(value) is not None)


def _is_word_of_mine(page: Page, value: str, label: re.Match[str], start: int) -> bool:
    """Tell whether a plain word is a password: of a password that is somebody's, and the last word of the sentence."""
    digits = value.isdecimal() and 4 <= len(value) <= 16
    if not digits and (not (len(value) >= 6 and value.isalnum() and value.islower()) or is_state(value)):
        return False
    if not _SENTENCE_ENDED.match(page.text, start + len(value)):
        return False
    return _MINE.search(page.lower, max(0, label.start() - 50), label.start()) is not None


def _said_before(page: Page, label: re.Match[str]) -> tuple[int, int] | None:
    """Give the value in "X is my password", "X as the password", "mara / X (password)"."""
    window = max(0, label.start() - 90)
    before = page.text[page.text.rfind("\n", window, label.start()) + 1 or window : label.start()]
    offset = label.start() - len(before)
    words = [(found.start(), found.group()) for found in _WORD.finditer(before)]
    if words and words[-1][1] == "(" and len(words) > 1:
        return _span(words[-2], offset)
    for place in range(len(words) - 1, max(0, len(words) - 5), -1):
        if words[place][1].lower() in ("is", "as", "ist", "als", "est", "comme", "es", "como"):
            return _span(words[place - 1], offset)
    return None


def _span(word: tuple[int, str], offset: int) -> tuple[int, int] | None:
    start, value = word
    core = value.lstrip(_OPEN + "(").rstrip(_ENDS)
    start += len(value) - len(value.lstrip(_OPEN + "("))
    strong = len(core) >= 6 and is_password(core) and "(" not in core and "@" not in core and not core.endswith("'s")
    return (offset + start, offset + start + len(core)) if strong and has_digit(core) else None
