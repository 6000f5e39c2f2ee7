"""Passwords, PINs, keys and passphrases in sentences, in English, German, French and Spanish. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

from palace.nlp.rules import late, rules
from palace.nlp.secrets.findings import KEY, PASSWORD, TOKEN, Finding, Page, occurrences
from palace.nlp.secrets.values import has_digit, is_code, is_password, is_placeholder, is_random, is_state
from palace.nlp.statements import telling_words

_RULES = rules("secrets", "prose")

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
_ASKED = late(
    r"[^\n.!?:=]{0,60}\?(?:[ \t]{1,3}|[ \t]?\n)"
    r"(?i:(?:it['’]?s|it is|that['’]s|es ist|das ist|c['’]est)[ \t]{1,2})?[\"'`“„]?"
)
_ANSWER = late(r"(\S{6,64}?|[a-zäöüß]{3,12}(?:[ -][a-zäöüß]{3,12}){2,7})[\"'`”“]?[.!]?[ \t]{0,5}(?:\n|\Z)")
_BEFORE, _BEHIND = late(r"(?<!\S)\S*\Z"), late(r"\S*")
_PATH = late(r"\W{0,3}[/~]\S*/|\S*[/\\]\S*[/\\.]\w")
_ASSIGNED = late(r"\b[A-Z][A-Z0-9_]+(?:: ?\w+)?[ \t]*=[ \t]*\Z")
_REACH, _MOST_LINKS = 90, 6


@dataclass(frozen=True, slots=True)
class _Label:
    """A word before a secret, such as "password", with its position."""

    page: Page
    start: int
    end: int
    kind: str
    """"password", "key", "token", "pin", or "pass", "wifi", "login", "signin", which need more evidence."""
    text: str

    def follows(self, name: str, reach: int = 14) -> bool:
        """Check whether the named pattern matches within ``reach`` characters before the label."""
        return _RULES[name].search(self.page.lower, max(0, self.start - reach), self.start) is not None

    def precedes(self, name: str) -> bool:
        """Check whether the named pattern matches directly behind the label."""
        return _RULES[name].match(self.page.lower, self.end) is not None

    def is_near(self, name: str, before: int, until: int) -> bool:
        """Check whether the named pattern matches from ``before`` characters before the label up to ``until``."""
        return _RULES[name].search(self.page.lower, max(0, self.start - before), until) is not None


def find_in_sentences(page: Page) -> Iterator[Finding]:
    """Find values that a sentence calls a password, PIN, key, token or passphrase."""
    for stem, kind, pattern in _labels():
        for place in occurrences(page.lower, stem):
            if found := pattern.match(page.lower, place):
                yield from _behind(_Label(page, *found.span(), kind, found.group()))


@cache
def _labels() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple((each["stem"], each["kind"], re.compile(each["pattern"])) for each in _RULES.table("labels"))


def _behind(label: _Label) -> Iterator[Finding]:
    page, end, kind = label.page, label.end, label.kind
    if not _is_label(label) or label.precedes("compound"):
        return
    if kind == PASSWORD:
        for said in (_said_before(label), _answered(page, end)):
            if said:
                yield Finding(*said, PASSWORD, "prose")
    if kind != "wifi" and not label.is_near("worth_a_look", 40, end + _REACH):
        return
    limit = _limit(page, end)
    if kind in ("login", "signin"):
        if pair := _paired(page, end, limit, kind):
            yield Finding(*pair, PASSWORD, "login")
        return
    for place, link in _links(page, end, limit):
        if value := _value(label, place, link):
            yield Finding(*value, kind if kind in (KEY, TOKEN) else PASSWORD, "prose")
            return


def _paired(page: Page, end: int, limit: int, kind: str) -> tuple[int, int] | None:
    """Return the value in "mara / X" behind a label; behind "sign in" it may be two ways to sign in instead."""
    pair = _RULES["pair"].search(page.text, end, limit)
    value = pair.group(1).rstrip(_ENDS) if pair else ""
    if pair is None or not is_password(value) or not has_digit(value):
        return None
    is_meant = kind == "login" or "@" in page.text[pair.start() : pair.start(1)] or _SIGN.search(value)
    return (pair.start(1), pair.start(1) + len(value)) if is_meant else None


def _answered(page: Page, end: int) -> tuple[int, int] | None:
    """Return the answer to a question for a password, a line with a password or with words that are no sentence."""
    asked = _ASKED.match(page.text, end)
    answer = _ANSWER.match(page.text, asked.end()) if asked else None
    if answer is None:
        return None
    words = answer.group(1).split()
    if len(words) == 1:
        return answer.span(1) if is_password(words[0]) and has_digit(words[0]) and not is_code(words[0]) else None
    is_said = len(telling_words(answer.group(1))) < len(words) or 3 * sum(map(is_state, words)) > len(words)
    return None if is_said else answer.span(1)


def _is_label(label: _Label) -> bool:
    """Check whether a label is a whole word and means a secret, not another kind of pass, key or token."""
    if label.kind == "pin":
        return _is_pin(label)
    before = label.page.lower[label.start - 1] if label.start else " "
    if before == "_" or (before.isalnum() and not label.text.startswith(("passw", "kennw", "schlü"))):
        return False
    if label.kind in (TOKEN, "pass"):
        return not label.follows(f"no_{label.kind}")
    return label.kind != "wifi" or label.follows("wifi", 50)


def _is_pin(label: _Label) -> bool:
    """Check whether a label means a secret number: "door code", but not "code" alone."""
    if _is_joined(label.page.text, label.start, label.end):
        return False
    before = label.page.lower[label.start - 1 : label.start]
    if before and (before.isalnum() or before in "_."):
        return label.text in ("code", "kombination") and label.follows("codes")
    if label.text not in ("code", "código"):
        return True
    if label.follows("other_codes"):
        return False
    if label.follows("codes") or label.precedes("codes_after"):
        return True
    near = _RULES["locked"].finditer(label.page.lower, max(0, label.start - 50), label.end + 30)
    return any(not _is_joined(label.page.text, *found.span()) for found in near)


def _is_joined(text: str, start: int, end: int) -> bool:
    """Check whether a word is a part of a path or of a dotted name, and so no word of a sentence."""
    before = _BEFORE.search(text, max(0, start - 200), start)
    behind = _BEHIND.match(text, end, end + 200)
    head, tail = before.group() if before else "/", behind.group() if behind else ""
    is_dotted = head[-1:] in ("_", ".") or (tail[:1] in ("_", ".") and tail[1:2].isalnum())
    return is_dotted or _PATH.match(f"{head}{text[start:end]}{tail}") is not None


def _limit(page: Page, end: int) -> int:
    ends = _SENTENCE_ENDS.search(page.text, end, min(len(page.text), end + _REACH))
    if ends and ends.group()[0] == "?" and _RULES["digits"].match(page.text, ends.end()):
        return end + _REACH
    return ends.start() + 1 if ends else min(len(page.text), end + _REACH)


def _links(page: Page, end: int, limit: int) -> Iterator[tuple[int, str]]:
    """Yield the offsets where a value may begin, each with the link before it ("is", ":")."""
    yield end, ""
    for link in islice(_RULES["link"].finditer(page.lower, end, limit), _MOST_LINKS):
        yield link.end(), link.group().strip()


def _value(label: _Label, place: int, link: str) -> tuple[int, int] | None:
    page, text, kind = label.page, label.page.text, label.kind
    start = _start(page, place, link)
    if start == place and not link:
        return None
    # "to" links a change to a value only if a word of change stands before the label, before the value or behind it.
    is_change = label.is_near("change", 60, start) or _RULES["changed_behind"].match(page.lower, start)
    if link in _RULES.words("changed_to") and not is_change:
        return None
    if kind == "pass" and not link and label.follows("beside_user", 40):
        link = "is"
    if kind == "pin":
        return _digits(label, start, link)
    if text[start : start + 1] and text[start] in _OPEN and (closed := _CLOSED.match(text, start)):
        return closed.span(2) if _is_quoted_secret(closed.group(2), kind, link) else None
    word = _WORD.match(text, start)
    value = word.group().rstrip(_ENDS) if word else ""
    return (start, start + len(value)) if value and _is_bare_secret(label, value, link, start) else None


def _start(page: Page, place: int, link: str) -> int:
    """Return the offset of a value behind a link and its filler words, or without a link behind spaces."""
    if link == ":" and page.text.startswith("\n", place):
        return place + 1  # a label on a line of its own, the value on the next
    if link:
        filler = _RULES["filler"].match(page.lower, place)
        return filler.end() if filler else place
    behind = page.text[place : place + 3]
    return place + len(behind) - len(behind.lstrip(" \t"))


def _digits(label: _Label, start: int, link: str) -> tuple[int, int] | None:
    text = label.page.text
    if link == "=" and not text[label.start : label.end].isupper() and _ASSIGNED.search(text, label.end, start):
        return None
    while text[start : start + 1] and text[start] in _OPEN:
        start += 1
    is_short = label.text.startswith("cv")
    found = (_SHORT_DIGITS if is_short else _RULES["digits"]).match(text, start)
    is_plain = text[label.start : label.end].islower() and label.text != "code"
    if found is None or (is_plain and not link and not is_short and not label.follows("with")):
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


def _is_bare_secret(label: _Label, value: str, link: str, start: int) -> bool:
    kind = label.kind
    is_said = link.isalpha() and _RULES["dotted"].fullmatch(value) is not None
    if _CALLS.search(value) or (is_code(value) and not is_said):
        return False
    if kind in (KEY, TOKEN):
        is_qualified = link or (len(value) >= 20 and label.is_near("qualified", 14, label.end))
        return bool(is_qualified) and is_random(value)
    if kind == "wifi" and value.isalnum() and value.isupper() and len(value) >= 8:
        return True
    if not is_password(value):
        return kind == PASSWORD and link in _RULES.words("says") and _is_word_of_mine(label, value, start)
    return not value.endswith(("'s", "’s")) and _is_strong(value, kind, link)


def _is_strong(value: str, kind: str, link: str) -> bool:
    """Check whether a value looks enough like a password for its label: the weaker the label, the stricter."""
    if kind == "pass":
        return bool(link) and len(value) >= 6 and has_digit(value) and _MIXED.search(value) is not None
    if has_digit(value):
        return bool(link) or (len(value) >= 6 and value.isascii())
    return link.isalpha() or (link != "" and _SIGN.search(value) is not None)


def _is_word_of_mine(label: _Label, value: str, start: int) -> bool:
    """Check whether a plain word is a password: behind "my password", and the last word of the sentence."""
    digits = value.isdecimal() and 4 <= len(value) <= 16
    if not digits and (not (len(value) >= 6 and value.isalnum() and value.islower()) or is_state(value)):
        return False
    return bool(_SENTENCE_ENDED.match(label.page.text, start + len(value))) and label.follows("mine", 50)


def _said_before(label: _Label) -> tuple[int, int] | None:
    """Return the value in "X is my password", "X as the password", "mara / X (password)"."""
    text, window = label.page.text, max(0, label.start - 90)
    before = text[text.rfind("\n", window, label.start) + 1 or window : label.start]
    offset = label.start - len(before)
    words = [(found.start(), found.group()) for found in _WORD.finditer(before)]
    if words and words[-1][1] == "(" and len(words) > 1:
        return _span(words[-2], offset)
    for place in range(len(words) - 1, max(0, len(words) - 5), -1):
        if words[place][1].lower() in _RULES.words("says_before"):
            return _span(words[place - 1], offset)
    return None


def _span(word: tuple[int, str], offset: int) -> tuple[int, int] | None:
    start, value = word
    core = value.lstrip(_OPEN + "(").rstrip(_ENDS)
    start += len(value) - len(value.lstrip(_OPEN + "("))
    strong = len(core) >= 6 and is_password(core) and "(" not in core and "@" not in core and not core.endswith("'s")
    return (offset + start, offset + start + len(core)) if strong and has_digit(core) else None
