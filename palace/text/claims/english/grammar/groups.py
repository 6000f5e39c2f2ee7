"""The subject of an English clause, its verb, the tense it stands in, and what speaks against it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palace.text.claims.drafts import Tense
from palace.text.claims.english.grammar.cuts import SUBJECTS
from palace.text.claims.english.grammar.verbs import AUXILIARIES, MODALS, Form, forms
from palace.text.claims.kinds import gender_of
from palace.text.claims.phrases import ARTICLES, POSSESSIVES, Names
from palace.text.claims.tokens import Token, listed
from palace.text.stopwords import STOP_WORDS

_NOT = listed("not never no none hardly barely rarely neither nor without nobody nothing seldom")
_UNSURE = listed(
    """
almost nearly practically basically virtually maybe perhaps possibly probably supposedly allegedly apparently sorta
kinda hopefully theoretically literally ideally reportedly
"""
)
_ADVERBS = listed(
    """
just now recently finally already still also actually currently both really always usually often only then ever
previously originally formerly once mostly mainly generally typically since soon officially happily proudly definitely
absolutely totally truly all too newly lately regularly sometimes normally even first so around here there each
"""
)
_LEADS = listed(
    """
oh ok okay so well and but btw also yeah yes yep yup nah actually anyway fyi hey hi hello update um uh like then now
currently recently today finally just plus because cos cuz coz since when while though although as after before until
ugh tbh honestly still however wow thanks lol haha great cool sure right look see nope sorry correction meanwhile n &
edit ps oops again fun basically additionally besides anyways unfortunately sadly luckily thankfully fortunately
personally lately nowadays usually previously originally formerly hmm omg damn good big news quick fact wait yesterday
sometimes no
"""
)
_LEADING_ING = listed("live work move fly go visit travel head start")
"""Verbs whose ing-form makes a statement without a subject ("flying to Lisbon on 3 May")."""

_NOUNS_TOO = listed(
    """
love like hate enjoy work study play date move use start run lead head plan help need want look try cost change break
order trade pay visit finish drive return stop
"""
)
_ALONE = listed("mine landlord landlady boss dentist gp vet mum dad mom grandma grandpa gran nan")
"""Who stands as a subject without an article in notes: "landlady is Mrs Parry"."""
_BEFORE_TO = listed("going used about supposed")
_PARTICIPLES = listed("heard dealt spilt meant paid slept grown drawn fallen ridden chosen caught taught understood")
_FAR = 7
"""Tokens in which a clause has to show its verb."""


@dataclass(frozen=True, slots=True)
class Group:
    """The verb of a clause with what belongs to it."""

    subject: tuple[Token, ...]
    """Empty where it is left out."""
    verb: str
    """The base form; "be" of a copula."""
    tense: Tense
    is_negated: bool
    is_unsure: bool
    """A possibility, a supposition."""
    next: int
    """The place of the token after the verb."""


def group_of(tokens: Sequence[Token], names: Names, *, is_first: bool = True) -> Group | None:
    """Read subject and verb from the beginning of a clause; None where it has none of them there.

    Only behind the first clause of a sentence the subject of a verb in the present may be left out.
    """
    first = led(tokens)
    subject_end = _subject_end(tokens, first, names, is_first=is_first)
    if subject_end is None:
        return None
    words, place = _auxiliaries(tokens, subject_end)
    return _grouped(tokens, tuple(tokens[first:subject_end]), words, place)


def led(tokens: Sequence[Token]) -> int:
    """Say where a clause begins behind exclamations, joining words and marks."""
    place = 0
    while place < len(tokens):
        texts = [token.text for token in tokens[place : place + 3]]
        if texts == ["by", "the", "way"]:
            place += 3
        elif (tokens[place].is_mark or texts[0] in _LEADS) and texts[1:2] != ["if"]:
            place += 1
        else:
            break
    return place


def _subject_end(tokens: Sequence[Token], first: int, names: Names, *, is_first: bool) -> int | None:
    """Find where the subject ends: before the first verb; at once where it is left out ("moved to …")."""
    if first >= len(tokens):
        return None
    token = tokens[first]
    if token.text in SUBJECTS or (
        token.text in _ALONE and first + 1 < len(tokens) and _is_being(tokens[first + 1].text)
    ):
        return _joint_end(tokens, first, names) or first + 1
    form = forms().get(token.text)
    if form and form.is_ing and (doing := _doing_end(tokens, first)):
        return doing
    if (form and (form.is_past or form.is_ing or (not is_first and _goes_on(tokens, first)))) or token.text in (
        "have",
        "am",
        "was",
        "been",
    ):
        return first
    is_owned = token.text in POSSESSIVES or token.text in ARTICLES
    is_name = token.is_upper and token.text not in STOP_WORDS
    is_named = is_name or names.at(token.start) is not None or token.text.endswith("'s")
    if not (is_owned or is_named or token.text == "me"):
        return None
    return _noun_end(tokens, first, first + (2 if is_owned else 1), names)


def _joint_end(tokens: Sequence[Token], first: int, names: Names) -> int | None:
    """Find where the subject ends that a pronoun and another are: "she and I", "he and my sister"."""
    texts = [token.text for token in tokens[first : first + 3]]
    if len(texts) < 3 or texts[0] not in ("he", "she", "i") or texts[1] not in ("and", "&", "n"):
        return None
    if texts[2] in ("i", "she", "he"):
        return first + 3
    is_someone = tokens[first + 2].is_upper or texts[2] in POSSESSIVES or names.at(tokens[first + 2].start) is not None
    return _noun_end(tokens, first, first + 3, names) if is_someone else None


def _doing_end(tokens: Sequence[Token], first: int) -> int | None:
    """Find where a doing ends that is the subject: "Moving to Turin is off"."""
    ends = (at for at in range(first + 1, min(len(tokens) - 1, first + _FAR)) if tokens[at].text in ("is", "was", "'s"))
    end = next(ends, None)
    return end if end is not None and tokens[end + 1].text in ("off", "cancelled", "canceled") else None


def _is_being(text: str) -> bool:
    return text in AUXILIARIES or text in forms()


def _goes_on(tokens: Sequence[Token], place: int) -> bool:
    """Whether a verb in the present can go on without its subject: it is no noun as well, or a preposition follows."""
    text, after = tokens[place].text, [token.text for token in tokens[place + 1 : place + 2]]
    return text not in _NOUNS_TOO or after in (["at"], ["as"], ["for"], ["in"])


def _noun_end(tokens: Sequence[Token], first: int, place: int, names: Names) -> int | None:
    for end in range(place, min(len(tokens), first + _FAR)):
        text = tokens[end].text
        if text == "i":
            return end + 1
        if text in forms() and names.within(tokens[end].start, tokens[end].end):
            continue
        if _is_verbal(text) or text == "used":
            return end
        if tokens[end].is_mark and not (text == "&" or names.within(tokens[end - 1].start, tokens[end].end)):
            return None
    return None


def _is_verbal(text: str) -> bool:
    is_aux = text in AUXILIARIES or text in MODALS or text in _NOT or text in _UNSURE
    return is_aux or text in _ADVERBS or text in forms()


def _auxiliaries(tokens: Sequence[Token], place: int) -> tuple[list[str], int]:
    """Read auxiliaries and adverbs up to the main verb, or to what stands in its place."""
    words: list[str] = []
    limit = place + _FAR + 3
    while place < min(len(tokens), limit):
        text = tokens[place].text
        is_to = text in _BEFORE_TO and _is_infinitive(tokens, place + 1)
        is_had = text == "got" and bool(words) and words[-1] in ("have", "has", "'s")
        if not (is_to or is_had or (_is_verbal(text) and (text in AUXILIARIES or text not in forms()))):
            break
        words.append(text)
        place += 2 if is_to else 1
    return words, place


def _is_infinitive(tokens: Sequence[Token], place: int) -> bool:
    """Whether a verb stands behind "to": "going to move", but not "going to Japan"."""
    texts = [token.text for token in tokens[place : place + 2]]
    if len(texts) < 2 or texts[0] != "to":
        return False
    return texts[1] in ("be", "have", "do", "start") or (texts[1] in forms() and forms()[texts[1]].is_base)


def _grouped(tokens: Sequence[Token], subject: tuple[Token, ...], words: list[str], place: int) -> Group | None:
    form = forms().get(tokens[place].text) if place < len(tokens) else None
    is_negated = any(word in _NOT for word in words)
    is_unsure = any(word in MODALS or word in _UNSURE or word in ("about", "supposed") for word in words)
    aux = [word for word in words if word in AUXILIARIES or word in ("going", "used", "got")]
    last = aux[-1] if aux else ""
    if form is None and last in ("have", "has", "had", "got"):
        is_other = place < len(tokens) and _is_participle(tokens[place].text) and last != "got"
        return None if is_other else Group(subject, "have", _owning_tense(aux), is_negated, is_unsure, place)
    if form is None and last in ("do", "does", "did"):
        doing = Tense.PAST if last == "did" else Tense.PRESENT
        return Group(subject, "do", doing, is_negated, is_unsure, place)
    is_passive = form is not None and not form.is_ing and last in ("is", "are", "was", "were", "am", "been", "be")
    if aux and (is_passive or (form is None and last != "will")):
        return Group(subject, "be", _being_tense(aux), is_negated, is_unsure, place)
    if form is None or (form.is_ing and not aux and not _stands_alone(subject, form)):
        return None
    tense = _tense(aux, form)
    if tense is None or not _agrees(subject, form, tense, aux):
        return None
    return Group(subject, form.verb, tense, is_negated, is_unsure, place + 1)


def _is_participle(text: str) -> bool:
    """Whether a word that no table holds is a participle: "I've heard of", "we have hired"."""
    return text in _PARTICIPLES or (len(text) > 4 and text.endswith("ed") and not text.endswith("eed"))


def _stands_alone(subject: tuple[Token, ...], form: Form) -> bool:
    return not subject and form.verb in _LEADING_ING


def _agrees(subject: tuple[Token, ...], form: Form, tense: Tense, aux: list[str]) -> bool:
    """Whether a verb in the present is one of its subject: "Lamps like this one" says not what lamps like."""
    if tense is not Tense.PRESENT or aux or not subject:
        return True
    is_third = len(subject) > 1 or subject[0].text not in ("i", "we", "they", "you")
    if subject[-1].text == "i" or (subject[-1].text.endswith("s") and gender_of(_singular(subject[-1].text))):
        is_third = False
    is_several = any(token.text in ("and", "&", "who", "n") for token in subject)
    return is_several or (form.is_third if is_third else form.is_base)


def _singular(word: str) -> str:
    return word if gender_of(word) else word.removesuffix("s")


def _owning_tense(aux: list[str]) -> Tense:
    if aux[0] == "used":
        return Tense.USED_TO
    if aux[0] == "will":
        return Tense.FUTURE
    if len(aux) > 1 and aux[0] == "have" and aux[-1] == "had":
        return Tense.PERFECT
    return Tense.PAST if aux[-1] == "had" else Tense.PRESENT


def _being_tense(aux: list[str]) -> Tense:
    if "used" in aux:
        return Tense.USED_TO
    if "will" in aux or "going" in aux:
        return Tense.FUTURE
    if "been" in aux:
        return Tense.PERFECT
    return Tense.PAST if aux[-1] in ("was", "were") else Tense.PRESENT


def _tense(aux: list[str], form: Form) -> Tense | None:
    """Tell the tense from the auxiliaries and the form of the verb; None of what is no statement ("go there")."""
    if "used" in aux:
        return Tense.USED_TO
    if "will" in aux or "going" in aux:
        return Tense.FUTURE
    if form.is_ing:
        lasting = Tense.LASTING if "been" in aux else Tense.PROGRESSIVE
        return Tense.PAST if aux and aux[-1] in ("was", "were") else lasting
    last = aux[-1] if aux else ""
    if last in ("have", "has") or (last == "'s" and form.is_participle):
        return Tense.PERFECT
    if last in ("did", "had") or (form.is_past and last not in ("do", "does")):
        return Tense.PAST
    return None if last == "'d" else Tense.PRESENT
