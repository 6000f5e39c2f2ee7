"""The verb of a German clause with its tense, and the subject that it agrees with. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from palace.text.claims.drafts import Tense
from palace.text.claims.german.grammar.cuts import Kind, finite_places
from palace.text.claims.german.grammar.small import AUXILIARIES, MODALS
from palace.text.claims.german.grammar.verbs import Form, Mood, forms, particles
from palace.text.claims.tokens import Token


@dataclass(frozen=True, slots=True)
class Group:
    """A clause's verb, and what stands before and behind it."""

    verb: str
    tense: Tense
    person: str
    """As ``Form`` has it; empty without a finite verb."""
    field: tuple[Token, ...]
    """The words before the finite verb; of a clause that ends with it, none."""
    behind: tuple[Token, ...]
    """The words behind it, without participle, infinitive and particle; of a clause that ends with it, all."""
    is_passive: bool = False
    is_unsure: bool = False
    """Whether a modal verb or a form of what is only supposed stands with it."""


def group_of(tokens: Sequence[Token], kind: Kind) -> Group | None:
    """Read the verb of a clause; None of one without."""
    words = [token for token in tokens if not _is_end(token)]
    if kind is Kind.BARE:
        return _bare(words)
    places = finite_places(words)
    if not places:
        return None
    place = places[0] if kind is Kind.MAIN else places[-1]
    form = _finite(words[place], words, place)
    field, behind = (list(words[:place]), list(words[place + 1 :])) if kind is Kind.MAIN else ([], list(words[:place]))
    if form.verb in AUXILIARIES | MODALS:
        return _aided(form, field, behind)
    verb = _with_particle(form.verb, behind) if kind is Kind.MAIN else form.verb
    return Group(verb, _tense(form), form.person, tuple(field), tuple(behind), is_unsure=form.mood is Mood.SUPPOSED)


def _aided(form: Form, field: list[Token], behind: list[Token]) -> Group:
    """Read a clause with an auxiliary or a modal verb: what stands with it is the verb."""
    is_modal = form.verb in MODALS
    is_forced = form.verb == "müssen" and form.mood is Mood.PAST
    last = ""
    while form.verb in ("haben", "werden", "müssen") and len(behind) > 1 and _is_modal(behind[-1]):
        last = behind.pop().text
    is_done = form.verb in ("haben", "sein") or (form.verb == "werden" and form.mood is Mood.PAST)
    nested = _taken(behind, field, Mood.PARTICIPLE if is_done else Mood.INFINITIVE)
    if nested is None and form.verb == "haben" and last in ("lassen", "müssen"):
        nested = _taken(behind, field, Mood.INFINITIVE)
    tense, is_passive = _tense(form), False
    if form.verb == "werden" and (nested is None or is_done):
        nested = nested or _taken(behind, field, Mood.PARTICIPLE)
        is_passive = nested is not None
    if nested is None and not is_modal and any(_seems_participle(token) for token in behind[-1:]):
        return Group("", tense, form.person, tuple(field), tuple(behind), is_unsure=True)
    if nested is not None and nested.verb == "werden" and form.verb == "sein":
        inner = _taken(behind, field, Mood.PARTICIPLE)
        nested, is_passive, tense = inner or nested, inner is not None, Tense.PAST
    elif nested is not None and not is_modal and not is_passive:
        tense = Tense.FUTURE if form.verb == "werden" else Tense.PAST
        is_passive = form.verb == "sein" and nested.verb in _TRANSITIVE
    is_liked = form.verb == "mögen" and nested is None and form.mood is Mood.PRESENT
    is_unsure = form.mood is Mood.SUPPOSED or (is_modal and not is_liked and not (is_forced and nested))
    verb = nested.verb if nested is not None else form.verb
    return Group(verb, tense, form.person, tuple(field), tuple(behind), is_passive, is_unsure)


_TRANSITIVE = frozenset(["verkaufen", "stehlen", "klauen", "verschenken", "kündigen", "verschrotten", "einschläfern", "verlieren", "entsorgen"])  # fmt: skip  # noqa: E501


_PARTICIPLE = re.compile(
    r"(?:\w{0,8}ge\w{2,}(?:t|en)|(?:be|ver|er|ent|zer|miss|über|unter|an|auf|ab)\w{2,}t|\w{3,}iert)"
)


def _seems_participle(token: Token) -> bool:
    """Whether a word looks like the participle of a verb that is not known: "hab ein Haus angefragt"."""
    is_known = token.text in ("verheiratet", "allergisch", "gebraucht", "bekannt", "angestellt", "interessiert")
    return not token.is_upper and not is_known and _PARTICIPLE.fullmatch(token.text) is not None


def _is_modal(token: Token) -> bool:
    """Whether it is the infinitive of a modal verb: "habe … verlassen müssen"."""
    return token.text in MODALS


def _is_end(token: Token) -> bool:
    return token.is_mark and token.text not in (",", "&", "+")


def _finite(token: Token, words: Sequence[Token], place: int) -> Form:
    """Choose what a form is by the pronoun beside it: "wohnen wir"."""
    beside = [words[at].text for at in (place - 1, place + 1) if 0 <= at < len(words)]
    finite = [form for form in forms()[token.text] if form.is_finite]
    for pronoun, person in (("ich", "1"), ("wir", "p")):
        if pronoun in beside:
            finite = sorted(finite, key=lambda form: person not in form.person)
    return finite[0]


def _tense(form: Form) -> Tense:
    return Tense.PAST if form.mood is Mood.PAST else Tense.PRESENT


def _bare(words: list[Token]) -> Group | None:
    form = _taken(words, [], Mood.PARTICIPLE)
    return Group(form.verb, Tense.PAST, "", (), tuple(words)) if form is not None else None


def _taken(behind: list[Token], field: list[Token], mood: Mood) -> Form | None:
    """Take the last participle or infinitive out of a clause: at its end, or in front ("Aufgewachsen bin ich …")."""
    for words, places in ((behind, range(len(behind) - 1, -1, -1)), (field, range(min(1, len(field))))):
        for place in places:
            token = words[place]
            if token.is_upper and (place or words is behind):
                continue
            form = next((each for each in forms().get(token.text, ()) if each.mood is mood), None)
            before = words[place - 1].text if place else ""
            if form is not None and before != "zu":
                words.pop(place)
                return form
    return None


def _with_particle(verb: str, behind: list[Token]) -> str:
    for place in range(len(behind) - 1, max(-1, len(behind) - 9), -1):
        text = behind[place].text
        is_last = place == len(behind) - 1 or behind[place + 1].text in (
            ",",
            "und",
            "weil",
            "als",
            "nach",
            "mit",
            "bei",
            "in",
            "für",
        )
        if text in particles() and is_last and text + verb in forms():
            behind.pop(place)
            return text + verb
    return verb
