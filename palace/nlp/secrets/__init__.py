"""Find secrets in a text by shape, name, position and sentence, and replace them by ``[secret: kind]``. All pure.

Filing calls ``redact``. docs/secrets.md lists what is found and what is not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import chain

from palace.nlp.secrets.beside import find_beside
from palace.nlp.secrets.detectors import find_detected, find_placed, find_provided, known_rules
from palace.nlp.secrets.findings import KINDS, MARKER, Finding, Page, Redacted, apart
from palace.nlp.secrets.keys import find_private_keys
from palace.nlp.secrets.named import find_named
from palace.nlp.secrets.prose import find_in_sentences
from palace.nlp.secrets.rules import EVERYTHING, OwnPattern, Rules
from palace.nlp.secrets.tables import find_tabled

__all__ = ["EVERYTHING", "KINDS", "Finding", "OwnPattern", "Redacted", "Rules", "find_secrets", "known_rules", "redact"]

_FINDERS: tuple[Callable[[Page], Iterator[Finding]], ...] = (
    find_provided,
    find_private_keys,
    find_named,
    find_placed,
    find_in_sentences,
    find_tabled,
    find_detected,
    find_beside,
)
_UNSEEN = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
"""Zero-width characters, which are ignored within secrets."""
_MOST_ROUNDS = 6
"""Most rounds of ``redact``: replacing a secret may reveal another beside it. Two were enough so far."""


def redact(text: str, rules: Rules = EVERYTHING) -> Redacted:
    """Replace each secret of a text by ``[secret: kind]``, changing nothing else. Idempotent."""
    findings: list[Finding] = []
    for _ in range(_MOST_ROUNDS):
        now, cuts = _replaced(text, findings)
        new = find_secrets(now, rules)
        if not new:
            return Redacted(now, tuple(findings))
        findings = sorted([*findings, *(_before(found, cuts) for found in new)])
    return Redacted(_replaced(text, findings)[0], tuple(findings))


def find_secrets(text: str, rules: Rules = EVERYTHING) -> tuple[Finding, ...]:
    """Find the secrets of a text, in order and without overlap; none within a marker of a replaced secret."""
    unseen = [found.start() for found in _UNSEEN.finditer(text)]
    page = Page.of(_blanked(_UNSEEN.sub("", text) if unseen else text))
    found = [
        each
        for each in chain(chain.from_iterable(find(page) for find in _FINDERS), rules.find(page.text))
        if each.end > each.start and rules.heeds(each, page.text)
    ]
    if unseen and found:
        kept = [place - index for index, place in enumerate(unseen)]
        found = [Finding(*_seen(each, kept), each.kind, each.rule) for each in found]
    return apart(_beside_markers(found, text)) if found else ()


def _blanked(text: str) -> str:
    """Replace markers by NUL characters, so that the kind in one is not read as a label."""
    return MARKER.sub(lambda marker: "\0" * len(marker.group()), text) if "[secret: " in text else text


def _seen(found: Finding, kept: list[int]) -> tuple[int, int]:
    """Convert a finding's offsets to those with zero-width characters, given the letter that follows each of these."""
    return found.start + bisect_right(kept, found.start), found.end + bisect_right(kept, found.end - 1)


def _beside_markers(found: list[Finding], text: str) -> list[Finding]:
    if "[secret: " not in text:
        return found
    markers = [marker.span() for marker in MARKER.finditer(text)]
    starts = [start for start, _ in markers]

    def is_beside(each: Finding) -> bool:
        index = bisect_right(starts, each.end - 1) - 1
        return index < 0 or markers[index][1] <= each.start

    return [each for each in found if is_beside(each)]


def _replaced(text: str, findings: list[Finding]) -> tuple[str, list[tuple[int, int]]]:
    """Replace findings by markers; return the text, and for each its end there and the characters lost up to it."""
    parts: list[str] = []
    cuts: list[tuple[int, int]] = []
    done = length = 0
    for found in findings:
        kept, marker = text[done : found.start], f"[secret: {found.kind}]"
        parts += [kept, marker]
        length += len(kept) + len(marker)
        done = found.end
        cuts.append((length, done - length))
    return "".join([*parts, text[done:]]), cuts


def _before(found: Finding, cuts: list[tuple[int, int]]) -> Finding:
    """Convert a finding's offsets to those in the text before replacements."""
    index = bisect_right(cuts, (found.start, 1 << 62)) - 1
    lost = cuts[index][1] if index >= 0 else 0
    return Finding(found.start + lost, found.end + lost, found.kind, found.rule)
