"""Passwords, PINs and phrases that are told in sentences, in English, German, French and Spanish. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from palace.nlp.rules import late, rules
from palace.nlp.secrets.findings import KEY, PASSWORD, TOKEN, Finding, Page, occurrences
from palace.nlp.secrets.values import has_digit, is_code, is_password, is_placeholder, is_random, is_state
from palace.nlp.statements import telling_words

_RULES = rules("secrets", "prose")

_CHANGED = frozenset({"to", "auf", "zu", "into", "en", "a", "à"})
_OPEN = "\"'`“„«‚‘”"
_CLOSED = late(r"([\"'`“”„«»‚‘’])\s?([^\n\"`“”„«»]{1,64}?)\s?[\"'`“”»«’]")
_WORD = late(r"\S{1,120}")
_ENDS = ".,;:?)]}\"'’”“»*…"
_SENTENCE_ENDS = late(r"[.!?](?:\s|$)|\n")
_CALLS = late(r"[(\[]|^\w+\.\w+\.\w|^\W?[\"'`]{2}")
_MIXED = late(r"[a-z].*[A-Z]|[A-Z].*[a-z]|[^\w.,/=-]")
_SIGN = late(r"[^\w.]")
_SENTENCE_ENDED = late(r"[.!]?\s*(?:\n|$)|[.!]\s")
_SHORT_DIGITS = late(r"\d{3,4}(?!\w)")
_ASKED = late(r"[^\n.!?:=]{0,60}\?[ \t]{1,3}[\"'`“„]?")
_ANSWER = late(r"(\S{6,64}?|[a-zäöüß]{3,12}(?:[ -][a-zäöüß]{3,12}){2,7})[\"'`”“]?[.!]?[ \t]{0,5}(?:\n|\Z)")
_SAYS = frozenset({"is", "lautet", "ist", "est", "es", ":"})
_REACH, _MOST_LINKS = 90, 6


def find_told(page: Page) -> Iterator[Finding]:
    """Find what a sentence says is a password, a PIN, a key or a phrase."""
    for stem, kind, label in _labels():
        if stem in page.lower:
            for place in occurrences(page.lower, stem):
                if found := label.match(page.lower, place):
                    yield from _told(page, found, kind)


@cache
def _labels() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple((each["stem"], each["kind"], re.compile(each["pattern"])) for each in _RULES.table("labels"))


def _told(page: Page, label: re.Match[str], kind: str) -> Iterator[Finding]:
    end = label.end()
    if not _is_label(page, label, kind) or _RULES["compound"].match(page.lower, end):
        return
    if kind == PASSWORD and (before := _said_before(page, label)):
        yield Finding(*before, PASSWORD, "prose")
    if kind == PASSWORD and (answer := _answered(page, end)):
        yield Finding(*answer, PASSWORD, "prose")
    if kind != "wifi" and not _RULES["worth_a_look"].search(page.lower, max(0, label.start() - 40), end + _REACH):
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
    """Return the value in "mara / X" behind what leads to a login; two ways to sign in are often told like that."""
    pair = _RULES["pair"].search(page.text, end, limit)
    value = pair.group(1).rstrip(_ENDS) if pair else ""
    if pair is None or not is_password(value) or not has_digit(value):
        return None
    is_meant = kind == "login" or "@" in page.text[pair.start() : pair.start(1)] or _SIGN.search(value)
    return (pair.start(1), pair.start(1) + len(value)) if is_meant else None


def _answered(page: Page, end: int) -> tuple[int, int] | None:
    """Return what answers a question for a password in its own line: a password, or words that make no sentence."""
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
        return _RULES["no_token"].search(page.lower, max(0, start - 14), start) is None
    if kind == "pass":
        return _RULES["no_pass"].search(page.lower, max(0, start - 14), start) is None
    return kind != "wifi" or _RULES["wifi"].search(page.lower, max(0, start - 50), start) is not None


def _is_pin(page: Page, label: re.Match[str]) -> bool:
    """Tell whether a label is that of a secret number: "code" alone is none, "door code" is."""
    start = label.start()
    if start and (page.lower[start - 1].isalnum() or page.lower[start - 1] in "_."):
        return (
            label.group() in ("code", "kombination")
            and _RULES["codes"].search(page.lower, max(0, start - 14), start) is not None
        )
    if label.group() in ("code", "código"):
        return _is_code_of_a_lock(page, label)
    return True


def _is_code_of_a_lock(page: Page, label: re.Match[str]) -> bool:
    start = label.start()
    if _RULES["other_codes"].search(page.lower, max(0, start - 14), start):
        return False
    if _RULES["codes"].search(page.lower, max(0, start - 14), start) or _RULES["codes_after"].match(
        page.lower, label.end()
    ):
        return True
    return _RULES["locked"].search(page.lower, max(0, start - 50), label.end() + 30) is not None


def _limit(page: Page, end: int) -> int:
    ends = _SENTENCE_ENDS.search(page.text, end, min(len(page.text), end + _REACH))
    if ends and ends.group()[0] == "?" and _RULES["digits"].match(page.text, ends.end()):
        return end + _REACH
    return ends.start() + 1 if ends else min(len(page.text), end + _REACH)


def _links(page: Page, end: int, limit: int) -> Iterator[tuple[int, str]]:
    """Iterate over the places where a value could begin, with the word that leads there."""
    yield end, ""
    for link in islice(_RULES["link"].finditer(page.lower, end, limit), _MOST_LINKS):
        yield link.end(), link.group().strip()


def _value(page: Page, place: int, kind: str, link: str, label: re.Match[str]) -> tuple[int, int] | None:
    text = page.text
    start = _start(page, place, link)
    if start == place and not link:
        return None
    if link in _CHANGED and not _is_change(page, label, start):
        return None
    if (
        kind == "pass"
        and not link
        and _RULES["beside_user"].search(page.lower, max(0, label.start() - 40), label.start())
    ):
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
    before = _RULES["change"].search(page.lower, max(0, label.start() - 60), start)
    return before is not None or _RULES["changed_behind"].match(page.lower, start) is not None


def _start(page: Page, place: int, link: str) -> int:
    """Return where a value begins behind a link and the words that can follow it, or behind a space without a link."""
    if link == ":" and page.text.startswith("\n", place):
        return place + 1  # a label on a line of its own, the value on the next
    if link:
        filler = _RULES["filler"].match(page.lower, place)
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
    found = (_SHORT_DIGITS if short else _RULES["digits"]).match(text, start)
    if found is None or (
        not link
        and not short
        and not _RULES["with"].search(page.lower, max(0, label.start() - 14), label.start())
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
    is_said = link.isalpha() and _RULES["dotted"].fullmatch(value) is not None
    if _CALLS.search(value) or (is_code(value) and not is_said):
        return False
    if kind in (KEY, TOKEN):
        if not link and (
            len(value) < 20 or not _RULES["qualified"].search(page.lower, max(0, label.start() - 14), label.end())
        ):
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
    return _RULES["mine"].search(page.lower, max(0, label.start() - 50), label.start()) is not None


def _said_before(page: Page, label: re.Match[str]) -> tuple[int, int] | None:
    """Return the value in "X is my password", "X as the password", "mara / X (password)"."""
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
