"""Passwords that were, beside those that are, and those that answer a question in the same message. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palace.patterns import late
from palace.text.secrets.beside.judged import core, is_strong
from palace.text.secrets.findings import PASSWORD, Finding, Page, led_by
from palace.text.secrets.values import is_placeholder

_NAMED = r"(?:passwor[dt]|kennwort|passphrase|passcode|\bpw|\bpwd|mot de passe|\bmdp|contraseña)\b"
_NAMES = ("passwor", "kennwort", "passphrase", "passcode", "pw", "mot de passe", "mdp", "contraseña")
_FROM = late(
    rf"{_NAMED}(?![- ](?:manager|policy|hash))[^\n.?!:]{{0,50}}?[ \t](?:from|von|de)[ \t]{{1,2}}(\S{{4,64}})"
    r"[ \t]{1,2}(?:to|auf|zu|in|à|a|en)[ \t]{1,2}(\S{4,64})"
)
_CHANGED = late(r"chang|switch|updat|reset|rotat|änder|gesetzt|gewechselt|umgestellt|cambi|modifi|pass[ée]\b")
_NO_MORE = late(
    rf"{_NAMED}[^\n.?!:]{{0,50}}?[ \t]"
    r"(?:nicht mehr|no longer|isn['’]t|is not|not|n['’]est plus|ya no es)[ \t]{1,2}(\S{4,64})[ \t]{1,2}"
    r"(?:sondern|but|any ?more,? (?:it['’]s|but)|it['’]s|mais|sino)(?:[ \t](?:jetzt|now|ahora))?[ \t]{1,2}(\S{4,64})"
)
_ASKED = late(
    rf"{_NAMED}[^\n.?!:]{{0,30}}\?(?:[ \t]{{1,2}}|[ \t]?\n)"
    r"(?P<said>(?:it['’]?s|it is|that['’]s|es ist|das ist|c['’]est|es la|ist|is)[ \t])?"
    r"[ \t]{0,2}(?=\S)"
)
_WORD = late(r"\S{1,120}")
_ENDED = late(r"[.!,;\"'”`)]{0,3}(?:\s*\n|\s*$)|[.!,;]\s")


def find_changed(page: Page) -> Iterator[Finding]:
    """Find them."""
    for found in led_by(page.lower, _FROM, _NAMES):
        if _CHANGED.search(page.lower, max(0, found.start() - 60), found.end() + 40):
            yield from _both(page, found)
    for found in led_by(page.lower, _NO_MORE, _NAMES):
        yield from _both(page, found)
    for found in led_by(page.lower, _ASKED, _NAMES):
        yield from _answer(page, found)


def _both(page: Page, found: re.Match[str]) -> Iterator[Finding]:
    """Give the old one and the new one; both have to look like one."""
    words = [core(page.text[slice(*found.span(group))], found.start(group)) for group in (1, 2)]
    if all(is_strong(value) for value, _ in words):
        for value, start in words:
            yield Finding(start, start + len(value), PASSWORD, "prose")


def _answer(page: Page, found: re.Match[str]) -> Iterator[Finding]:
    word = _WORD.match(page.text, found.end())
    if word is None:
        return
    value, start = core(word.group(), word.start())
    is_quoted = word.group()[0] in "\"'`“„«" and found["said"] and len(value) >= 6 and value.isalnum()
    if (is_strong(value) or (is_quoted and not is_placeholder(value))) and _ENDED.match(page.text, start + len(value)):
        yield Finding(start, start + len(value), PASSWORD, "prose")
