"""Where English clauses begin in a sentence. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from palace.text.claims.dates import is_only_time
from palace.text.claims.english.grammar.verbs import AUXILIARIES, MODALS, forms
from palace.text.claims.kinds import gender_of
from palace.text.claims.phrases import POSSESSIVES, Names
from palace.text.claims.tokens import Token, listed

_LONGEST_TIME = 9
"""Words."""

SUBJECTS = listed("i we he she they it you this that there who which")

_SURE = listed("i we he she they you who which")
_POINTING = listed("that there it")
_BREAKS = listed("; … – — um uh erm umm")
_TAKEN_BACK = (["no", "wait"], ["wait", "no"], ["scratch", "that"], ["no", "sorry"], ["sorry", "no"])
_PUT_RIGHT = (["i", "mean"], ["i", "meant"], ["wait"], ["no"], ["sorry"])
"""What takes back only a name or a figure right behind it."""
_JOINS = listed(
    """
and but so because cos cuz coz since though although while whereas when after before until plus then & n as or yet
"""
)
_BLOCKS = listed(
    """
think thinks guess hope hopes wish wishes if whether unless suppose believe believes says say said told tells
mentioned claims claimed thought imagine pretend like than as should would could recommend suggest suggested
recommends suggests whenever wherever whatever maybe perhaps once wonder wondering dreamed dreamt want wants prefer
assume assumed posted wrote asked lest that where what how why which who because
"""
)
_ASIDE = 5
"""Words up to which what is in brackets is no clause of its own."""
_NUMBERS = listed(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
_LONG_SUBJECT = 4
_DICTATED = 5
"""Words without a mark beyond which somebody speaks rather than writes."""
_OPEN = listed("the a an this that these those my our his her their new old dear little mr mrs ms dr doctor st saint")
_FACTIVE = listed("know knew glad happy remember realised realized")
"""What stands behind these is so."""

_PREPOSITIONS = listed("with for from in on at about to into of by over under near like as than around off")


def clauses(tokens: Sequence[Token], names: Names) -> Iterator[tuple[int, int]]:
    """Cut a sentence into clauses, as places ``[first, end)`` of its tokens."""
    first = 0
    for place in range(1, len(tokens)):
        if _begins(tokens, place, first, names) and not is_time(tokens[first:place]):
            yield first, place
            first = place
    if tokens:
        yield first, len(tokens)


def is_time(tokens: Sequence[Token]) -> bool:
    """Whether words tell a time and nothing else, which is that of the clause behind them: "In March, we sold it"."""
    if len(tokens) > _LONGEST_TIME or any(token.text in SUBJECTS and token.text != "that" for token in tokens):
        return False
    text = ""
    for token in tokens:
        text += " " * min(1, token.start - tokens[0].start - len(text)) + token.text
    return is_only_time(text)


def _begins(tokens: Sequence[Token], place: int, first: int, names: Names) -> bool:
    token = tokens[place]
    if _breaks(tokens, place) or (token.text in ("he", "she", "they") and _is_report(tokens, place - 1)):
        return True
    is_aside = token.text == "who" and _is_age(tokens, place + 1)
    if is_aside or _is_blocked(tokens, place) or _is_joint(tokens, place, first):
        return False
    return _begins_by(tokens, place, first, names)


def _begins_by(tokens: Sequence[Token], place: int, first: int, names: Names) -> bool:
    """Whether the word at a place begins a clause by what it is."""
    before, token = tokens[place - 1], tokens[place]
    is_joined = before.text == "," or before.text in _JOINS
    if token.text in ("who", "which") and (before.text == "," or token.text == "who"):
        return place > first and before.text != "and"
    if token.text in POSSESSIVES and token.text != "your":
        return _has_verb(tokens, place + 2, 3) and not _is_object_place(before, is_joined)
    if token.text in SUBJECTS:
        return _begins_with_pronoun(tokens, place, is_joined)
    if is_joined and _begins_joined(tokens, place, names):
        return True
    return _runs_on(tokens, place) or _names_anew(tokens, place, first)


def _breaks(tokens: Sequence[Token], place: int) -> bool:
    """Whether a mark stands here that parts clauses, or what takes back."""
    before, token = tokens[place - 1], tokens[place]
    is_mark = token.text in _BREAKS or (token.text in ("-", ":") and before.end < token.start + 1)
    is_aside = token.text in ("(", ")") and _is_told_apart(tokens, place)
    back = taken_back(tokens[place : place + _ASIDE])
    is_back = back is not None and (back.is_sure or before.is_mark)
    return is_mark or is_aside or is_back


class Back(NamedTuple):
    """What takes back the words before it."""

    words: int
    is_sure: bool
    """Whether all of the clause before it is meant, whatever follows."""


def taken_back(tokens: Sequence[Token]) -> Back | None:
    """Read what takes back the words before it at the beginning of a clause; None where nothing does."""
    first = next((place for place, token in enumerate(tokens[:2]) if not token.is_mark), 0)
    texts = [token.text for token in tokens[first : first + 4]]
    plain = [text for text in texts if text != ","]
    for is_sure, leads in ((True, _TAKEN_BACK), (False, _PUT_RIGHT)):
        for lead in leads:
            if plain[: len(lead)] == lead and (is_sure or len(plain) > len(lead)):
                words = first + len(lead) + texts[: len(lead) + 1].count(",")
                return Back(words, is_sure)
    return None


def _is_told_apart(tokens: Sequence[Token], place: int) -> bool:
    """Whether a bracket at a place opens or closes an aside that tells something of its own."""
    step = 1 if tokens[place].text == "(" else -1
    other = ")" if step > 0 else "("
    inside: list[Token] = []
    place += step
    while 0 <= place < len(tokens) and tokens[place].text != other and len(inside) <= _ASIDE:
        inside.append(tokens[place])
        place += step
    return len(inside) > _ASIDE or _has_verb(inside, 0, len(inside))


def _is_age(tokens: Sequence[Token], place: int) -> bool:
    """Whether what stands here is only an age: "who's eleven and"."""
    texts = [token.text for token in tokens[place : place + 2]]
    return len(texts) == 2 and texts[0] in ("is", "'s") and (texts[1].isdigit() or texts[1] in _NUMBERS)


def _is_joint(tokens: Sequence[Token], place: int, first: int) -> bool:
    """Whether it is the last of several subjects: "Lukas and I", "me and my wife"."""
    is_one = tokens[first].is_upper or tokens[first].text in ("he", "she")
    is_named = tokens[place].is_upper and place - first <= _LONG_SUBJECT and is_one
    is_last = tokens[place].text in ("i", "we") or tokens[first].text in ("me", "my", "our") or is_named
    is_joined = is_last and tokens[place - 1].text in ("and", "&", "n")
    return is_joined and not _has_verb(tokens, first, place - 1 - first)


def _is_blocked(tokens: Sequence[Token], place: int) -> bool:
    """Whether what comes here hangs on the word before it: on a supposition, a wish, an auxiliary."""
    before = tokens[place - 1].text
    if before in ("and", "or") and place > 1 and tokens[place - 2].text in _BLOCKS:
        return True
    return before in _BLOCKS or before in AUXILIARIES or before in MODALS


def _is_report(tokens: Sequence[Token], place: int) -> bool:
    """Whether somebody speaks of themselves, by what stands before: "Anna said", "Tom told me that"."""
    if tokens[place].text == "that" and place:
        place -= 1
    before = [token.text for token in tokens[max(0, place - 1) : place + 1]]
    return before[-1] in ("said", "says", "mentioned") or before in (["told", "me"], ["tells", "me"], ["told", "us"])


def _begins_with_pronoun(tokens: Sequence[Token], place: int, is_joined: bool) -> bool:
    token = tokens[place]
    if token.text in _SURE or is_joined:
        return _has_verb(tokens, place + 1, 3)
    is_followed = token.text in _POINTING and place + 1 < len(tokens) and tokens[place + 1].start == token.start
    return is_followed and tokens[place + 1].text == "'s"


def _runs_on(tokens: Sequence[Token], place: int) -> bool:
    """Whether a sentence begins without a mark before it: "that's my dentist the vet is doctor Kovacs"."""
    before, after = tokens[place - 1].text, tokens[place + 2 : place + 3]
    is_subject = tokens[place].text in ("the", "teh") and bool(after) and after[0].text in ("is", "was")
    is_open = (
        before in forms() or before in _PREPOSITIONS or before in ("the", "a", "an", "all", "that", "when", "where")
    )
    return is_subject and not is_open and not tokens[place - 1].is_mark


def _names_anew(tokens: Sequence[Token], place: int, first: int) -> bool:
    """Whether a name begins a sentence without a mark before it, as in what is dictated."""
    token, before = tokens[place], tokens[place - 1]
    is_far = place - first >= _DICTATED and not any(each.is_mark for each in tokens[first:place])
    if not (token.is_upper and token.is_word and is_far) or before.is_upper or before.is_mark:
        return False
    is_open = (
        before.text in forms() or before.text in _PREPOSITIONS or before.text in _OPEN or before.text in AUXILIARIES
    )
    if is_open or token.text in SUBJECTS or before.text in POSSESSIVES or gender_of(before.text):
        return False
    return _has_verb(tokens, place + 1, 2) and _has_verb(tokens, first, place - first)


def _begins_joined(tokens: Sequence[Token], place: int, names: Names) -> bool:
    """Whether a clause begins behind a comma or "and"."""
    token = tokens[place]
    if token.text in ("the", "teh", "a", "an"):
        return _has_verb(tokens, place + 2, 4)
    if token.text in forms():
        is_bare = forms()[token.text].is_base and _follows_infinitive(tokens, place)
        return not forms()[token.text].is_ing and tokens[place - 1].text != "to" and not is_bare
    is_named = token.is_upper or names.at(token.start) is not None
    return is_named and _has_verb(tokens, place + 1, 2)


def _follows_infinitive(tokens: Sequence[Token], place: int) -> bool:
    """Whether a verb goes on from another behind "to": "how to create and manage"."""
    near = range(max(0, place - 8), place - 1)
    return any(
        tokens[at].text == "to" and tokens[at + 1].text in forms() and forms()[tokens[at + 1].text].is_base
        for at in near
    )


def _is_object_place(before: Token, is_joined: bool) -> bool:
    """Whether what comes here belongs to the word before it: to a preposition or a verb."""
    if is_joined or before.text in _FACTIVE:
        return False
    return before.text in forms() or before.text in _PREPOSITIONS


def _has_verb(tokens: Sequence[Token], place: int, within: int) -> bool:
    for token in tokens[place : place + within]:
        if token.is_mark:
            return False
        if token.text in AUXILIARIES or token.text in MODALS or token.text in forms():
            return True
    return False
