"""Read the claims of a German sentence, clause by clause. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import pairwise

from palace.records import Span
from palace.records.graph import Action, Precision, VagueDate
from palace.text.claims.clauses import HIDDEN, Sentence
from palace.text.claims.dates import Times, times_of
from palace.text.claims.drafts import Message, Party
from palace.text.claims.english.corrections import is_put_right, put_right, read_correction
from palace.text.claims.german.clause import German, Place
from palace.text.claims.german.grammar.cuts import Cut, Kind, cut
from palace.text.claims.german.grammar.groups import Group, group_of
from palace.text.claims.german.grammar.small import ASKED, NOMINATIVES, NOT, PARTICLES
from palace.text.claims.german.grammar.verbs import Mood, forms
from palace.text.claims.german.health import HABIT
from palace.text.claims.german.lexicon.words import grammar
from palace.text.claims.german.people import MANY, subjects_of, tell_people
from palace.text.claims.german.predicates import read_clause
from palace.text.claims.german.subjects import Parted, parted
from palace.text.claims.phrases import phrase_at
from palace.text.claims.tokens import Token, tokenize

_SPOKEN = re.compile(
    r"(?<!\w)(?:ich|wir|nicht|und|der|das|den|dem|ist|mein\w*|unser\w*|habe|hab|hat|haben|bin|eine?[nmr]?|im|bei|auf|für"
    r"|mit|seit|zum|zur|heißt|jetzt|auch|noch|kostet|wohnt|beträgt|die|von|nach|wohne|arbeite|waren|wurde|jeden|abgesetzt|geschmissen|abgebrochen|storniert"
    r"|abgesagt|ausgetreten|gekündigt)(?!\w)"
)
_ENGLISH = re.compile(r"(?<!\w)(?:i|the|and|my|is|was|have|has|to|of|we|she|he|it|with|for|at|in the)(?!\w)")
_REFUSED = re.compile(
    r"(?<!\w)(?:stell dir vor,? ich|scherz|witz|haha\w*|als ob|quasi|praktisch|schön wär\w*|ironie"
    r"|nur spaß|spaß beiseite|träumt?e?|geträumt|angenommen|theoretisch|hypothetisch)(?!\w)|[😜🤪😝🙃]"
    r"|, (?:sorry|äh|quatsch|ne|nein|falsch)(?!\w)"
)
_UNSURE = re.compile(
    r"(?<!\w)(?:vielleicht|wahrscheinlich|vermutlich|angeblich|hoffentlich|beinahe|eventuell|evtl|womöglich|möglicherweise"
    r"|glaube?|denke|wünsch\w*|träum\w*|überleg\w*|hoffe|wohl|fast|am liebsten würde|so gut wie)(?!\w)"
)
_SAID = re.compile(
    r"(?<!\w)(?:sagt\w*|meinte?n?|meint|behauptet\w*|erzählte?n?|schreibt|schrieb|findet|gemeint|gesagt|liest)(?!\w)"
)
_DISLIKED = re.compile(r"(?<!\w)(?:mag|mögen|liebe)(?!\w)")
_SUPPOSING = frozenset(["wenn", "falls", "ob", "sofern"])
_YEAR = re.compile(r"(?<![\w.,-])(?:19|20)\d\d(?![\w%€]|[.,]\d)")


def is_german(text: str, language: str | None) -> bool:
    """Whether a folded sentence is German: by its small words, which a message's language only tips."""
    german, english = len(_SPOKEN.findall(text)), len(_ENGLISH.findall(text))
    return german > english or (language == "de" and german >= english)


def read_sentence(sentence: Sentence, message: Message, number: int) -> None:
    """Add the claims of a sentence to its message's."""
    tokens = tokenize(sentence.text, message.content, sentence.span.start, is_english=False)
    if not _REFUSED.search(sentence.text):
        tell_people(tokens, Place(message, number, sentence.span))
    if _REFUSED.search(sentence.text) or _SAID.search(sentence.text):
        return
    if read_correction(sentence, message):
        return
    since = len(message.claims)
    cuts = [each for each in cut(tokens) if each.tokens]
    previous: list[Party] = []
    is_supposed = False
    for place, each in enumerate(cuts):
        is_supposed = is_supposed or each.lead in _SUPPOSING
        if is_supposed or any(token.text == HIDDEN for token in each.tokens) or _is_asked(cuts, place, sentence):
            continue
        if place + 1 < len(cuts) and cuts[place + 1].lead in ("wenn", "falls") and not _is_told(each):
            continue
        previous = _read(each, sentence, message, number, previous) or previous
    _since_moving(message, sentence, since)
    if is_put_right(sentence.text):
        put_right(message, since)


_MOVED = re.compile(r"(?<!\w)(?:umgezogen|eingezogen|zogen [^,.;]*um)(?!\w)")


def _since_moving(message: Message, sentence: Sentence, since: int) -> None:
    """Let a home be one's since the move that is told beside it: "im Oktober umgezogen, wohnen jetzt in Detmold"."""
    found = _MOVED.search(sentence.text)
    homes = [place for place in range(since, len(message.claims)) if message.claims[place].predicate == "lives_in"]
    if found is None or len(homes) != 1 or message.claims[homes[0]].subject != message.speaker:
        return
    home = message.claims[homes[0]]
    at = times_of(sentence.text[: found.end()], message.now, ahead=False)[0].at
    if at is not None and home.action is Action.HOLDS and home.valid_from is None:
        message.claims[homes[0]] = replace(home, action=Action.BEGINS, valid_from=at)


def _is_told(each: Cut) -> bool:
    """Whether a clause says what has happened."""
    return any(form.mood is Mood.PARTICIPLE for token in each.tokens for form in forms().get(token.text, ()))


def _is_asked(cuts: Sequence[Cut], place: int, sentence: Sentence) -> bool:
    """Whether a clause is a question: it begins with a word that asks, or the mark at the end is its."""
    words = [token.text for token in cuts[place].tokens if token.text not in PARTICLES and not token.is_mark]
    if not words or words[0] in ASKED or cuts[place].lead in ASKED - {"wo", "wie"}:
        return True
    if not sentence.is_asked:
        return False
    asking = [at for at, each in enumerate(cuts) if _opens_question(each)]
    return place in asking or (not asking and place == len(cuts) - 1)


def _opens_question(each: Cut) -> bool:
    words = [token.text for token in each.tokens if token.text not in PARTICLES and not token.is_mark]
    if each.kind is not Kind.MAIN or not words or each.is_behind:
        return False
    is_first = any(form.is_finite for form in forms().get(words[0], ()))
    return words[0] in ASKED or (is_first and len(words) > 1 and words[1] in ("du", "ihr", "sie", "er", "es", "ich", "wir", "jemand", "mein", "meine", "der", "die", "das"))  # noqa: E501  # fmt: skip


def _read(each: Cut, sentence: Sentence, message: Message, number: int, previous: list[Party]) -> list[Party]:
    part = each.tokens
    start, end = part[0].start, part[-1].end
    folded = _said_in(part, sentence)
    words = frozenset(token.text for token in part if token.is_word)
    where = Place(message, number, Span(start, end))
    if _UNSURE.search(folded):
        return []
    times, blanked = _times(folded, message, part)
    if words & {"danach", "anschließend", "dann"} and times.start is None and message.claims:
        last = message.claims[-1]
        times = replace(times, at=last.valid_to) if last.action is Action.ENDS else times
    is_denied = bool(words & NOT)
    is_ended = "mehr" in words and is_denied
    is_disliked = is_denied and not is_ended and _DISLIKED.search(folded) is not None
    if is_denied and not (is_ended or is_disliked or {"vertrage", "verträgt", "vertragen", "vertrag"} & words):
        return []
    blanked = HABIT.sub(lambda found: " " * len(found[0]), blanked)
    kept = [
        token
        for token in part
        if blanked[token.start - start : token.end - start].strip()
        and token.text not in PARTICLES
        and token.text not in NOT | {"mehr"}
    ]
    group = group_of(kept, each.kind)
    if group is None or group.is_unsure:
        return []
    told = _Told(times, words, is_ended, is_denied, is_disliked)
    return _claimed(group, each, kept, told, where, previous)


def _said_in(part: Sequence[Token], sentence: Sentence) -> str:
    """Give the text of a clause, without what stands in it and is not of it: "nicht seit 2018, sondern seit 2020"."""
    text, offset = sentence.folded[part[0].start : part[-1].end], part[0].start
    for one, other in pairwise(part):
        gap = text[one.end - offset : other.start - offset]
        if any(letter.isalnum() for letter in gap):
            text = text[: one.end - offset] + " " * len(gap) + text[other.start - offset :]
    return text


class _Told:
    """What a clause says beside its words."""

    def __init__(self, times: Times, words: frozenset[str], is_ended: bool, is_denied: bool, is_disliked: bool) -> None:
        self.times, self.words, self.is_ended, self.is_denied, self.is_disliked = (
            times,
            words,
            is_ended,
            is_denied,
            is_disliked,
        )


def _times(folded: str, message: Message, part: Sequence[Token]) -> tuple[Times, str]:
    is_given_up = "zum" in {token.text for token in part} and "gekündigt" in folded
    is_past = not is_given_up and any(
        form.mood in (Mood.PAST, Mood.PARTICIPLE) for token in part for form in forms().get(token.text, ())
    )
    times, blanked = times_of(folded, message.now, ahead=not is_past)
    return _with_year(times, blanked, message.now)


def _with_year(times: Times, text: str, now: datetime | None) -> tuple[Times, str]:
    """Take a year that stands alone for one, as German does: "Ich habe 2015 geheiratet"."""
    found = _YEAR.search(text)
    if found is None or times.start is not None or times.until is not None:
        return times, text
    text = text[: found.start()] + " " * 4 + text[found.end() :]
    at = VagueDate(date(int(found[0]), 1, 1), Precision.YEAR)
    return (replace(times, at=at) if now else times), text


def _claimed(
    group: Group, each: Cut, kept: Sequence[Token], told: _Told, where: Place, previous: list[Party]
) -> list[Party]:
    """Find the subject, and read what is claimed of it; give back whom the next clause may mean."""
    message = where.message
    found = parted(group, message)
    if _is_shared(found, each, previous):
        found = Parted((), (*found.subject, *found.rest))
    parties = subjects_of(found.subject, message, where.sentence)
    if not found.subject:
        parties = _unsaid(group, each, message, where, previous)
    elif each.kind is Kind.MAIN and not found.is_first and not _has_field(group, each, kept):
        return []
    if group.verb != "heißen":
        parties = [party for party in parties if party.gender != MANY]
    if each.kind is Kind.RELATIVE:
        found, parties = _related(each, found, parties, message, where)
    since = len(message.claims)
    for party in parties:
        read_clause(German(party, found.subject, group.verb, group.tense, found.rest, told.words, told.times, where, told.is_ended, told.is_denied, group.is_passive))  # noqa: E501  # fmt: skip
    if told.is_disliked:
        message.claims[since:] = [replace(claim, predicate="dislikes") for claim in message.claims[since:]]
    return parties


def _is_shared(found: Parted, each: Cut, previous: list[Party]) -> bool:
    """Whether a clause that begins with its verb goes on about whom the one before is: "… und spielt Cello"."""
    is_noun = bool(found.subject) and found.subject[0].text not in NOMINATIVES and not found.is_first
    begins = bool(each.tokens) and any(form.is_finite for form in forms().get(each.tokens[0].text, ()))
    is_said = len(previous) == 1 and previous[0].gender != MANY
    return is_noun and begins and is_said and each.kind is Kind.MAIN and each.lead in ("und", "oder", "u")


def _has_field(group: Group, each: Cut, kept: Sequence[Token]) -> bool:
    """Whether something stands before the verb, so that it is no question: a word, a time, a clause."""
    first = kept[0].start if kept else 0
    return bool(group.field) or each.is_behind or bool(each.tokens and each.tokens[0].start < first) or bool(each.lead)


def _unsaid(group: Group, each: Cut, message: Message, where: Place, previous: list[Party]) -> list[Party]:
    """Say whom a clause without a subject is about: whom the one before is, or the speaker."""
    speaker = Party(message.speaker, "s", message.turn, where.sentence)
    if group.person == "1":
        return [speaker]
    is_joined = each.lead in ("und", "aber", "sondern", "oder", "u") or bool(previous)
    if previous and is_joined and (group.person != "p" or len(previous) > 1 or previous[0].text == message.speaker):
        is_speaker = previous[0].text == message.speaker
        return previous if not (is_speaker and group.person == "3") else []
    if not previous and (not group.person or group.person in ("p", "13")):
        return [speaker]
    return []


def _related(each: Cut, found: Parted, parties: list[Party], message: Message, where: Place) -> tuple[Parted, list[Party]]:  # noqa: E501  # fmt: skip
    """Put in what a relative clause stands behind: as its subject, or as its object where it has a subject."""
    antecedent = _antecedent(each.before, message)
    if not antecedent or each.lead == "prep":
        return found, []
    if each.lead == "wo":
        return replace(
            found, rest=(*found.rest, Token("in", antecedent[0].start, antecedent[0].start), *antecedent)
        ), parties
    if found.subject:
        return replace(found, rest=(*antecedent, *found.rest)), parties
    if each.lead in ("der", "die", "das"):
        return replace(found, subject=antecedent), subjects_of(antecedent, message, where.sentence)
    return found, []


def _antecedent(before: Sequence[Token], message: Message) -> tuple[Token, ...]:
    """Find the noun phrase at the end of some words."""
    for start in range(max(0, len(before) - 5), len(before)):
        phrase = phrase_at(before, start, message.content, message.names, grammar())
        if phrase is not None and phrase.next == len(before) and (phrase.owner or phrase.name is not None):
            return tuple(before[start:])
    return ()
