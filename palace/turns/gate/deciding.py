"""The gate: whether a message needs what a palace remembers. Pure.

A search that was not needed costs some milliseconds, one that was skipped costs the answer: what is not plainly small
talk, a tool's work or a question about the world is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from palace.turns.gate import knowledge, requests, small_talk
from palace.turns.gate.needs import personal
from palace.turns.gate.needs.known import Known, named_in
from palace.turns.gate.needs.pronouns import is_of_person
from palace.turns.gate.needs.references import points_back
from palace.turns.reading.follow_ups import MOST_WORDS, leans_on_history, points_at_somebody
from palace.turns.reading.history import History, read_history, said_by_person
from palace.turns.reading.window import PASSED_ON, Looked, look_at
from palace.turns.reading.wording import opened

LOOKED_BACK = 3
"""Messages of the person that a follow-up is judged by."""

ASKED_AT_THE_END = 300
"""Characters at the end of a reply in which it asks something back."""

Classifier = Callable[[str, History], bool | None]
"""A caller's own judge: whether a message needs memory, given the messages before; None leaves it to the rules."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Which rules of the gate are on; each alone may be switched off."""

    greeting: bool = True
    """Small talk is not searched."""
    tool: bool = True
    """Nor are requests for a tool's work: code, sums, translations, texts to work on, jokes, timers."""
    knowledge: bool = True
    """Nor are questions about the world."""
    pronouns: bool = True
    """The first person makes either of these two searched all the same."""
    known: bool = True
    """So do words and names that the palace knows."""
    references: bool = True
    """So do words that point back at what was said."""
    follow_ups: bool = True
    """A message without a subject of its own is judged by those before it."""
    classifier: Classifier | None = None
    """Asked first; what it says holds."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a message is searched for."""

    searched: bool
    reason: str
    """One line for a person."""
    rule: str
    """Which rule said so: "classifier", "empty", "greeting", "pronoun", "known", "reference", "follow-up", "tool",
    "knowledge", or "undecided" where none did."""


def gate(
    message: str, history: History = (), *, known: Known | Collection[str] = (), rules: Rules | None = None
) -> Decision:
    """Decide whether recall is needed for a message.

    ``history`` are the messages before it, oldest first. ``known`` are words and names of this palace, in any case, or
    a function that tells of a name, in lower case without accents, whether it is one. Of a message beyond 1,800
    characters its beginning and its end are looked at, and it is searched unless all that it asks is a tool's work on
    what it passes on.
    """
    rules = rules or Rules()
    if rules.classifier is not None:
        needs = rules.classifier(message, history)
        if needs is not None:
            return Decision(needs, f"the classifier says that memory is {'' if needs else 'not '}needed", "classifier")
    return _decide(look_at(message), history, known, rules)


def _decide(looked: Looked, history: History, known: Known | Collection[str], rules: Rules) -> Decision:
    if not looked.sentences:
        return _without_words(looked, history, known, rules)
    said = [sentence for sentence in looked.sentences if not small_talk.is_small_talk(sentence)]
    if not said and looked.is_whole and rules.greeting:
        return _of_small_talk(looked, history, known, rules)
    searched = _overridden(looked, known, rules)
    if searched is not None:
        return searched
    # What is greeted with is opened once more: "hi, what is entropy".
    asked = [rest for rest in map(opened, said) if rest]
    if rules.follow_ups and any(map(leans_on_history, (*said, *asked))):
        return _by_history(history, known, rules)
    return _by_kind(looked, asked, history, known, rules)


def _overridden(looked: Looked, known: Known | Collection[str], rules: Rules) -> Decision | None:
    if rules.pronouns and is_of_person(looked.own):
        return Decision(True, "it speaks of the person", "pronoun")
    if rules.references and points_back(looked.own):
        return Decision(True, "it points back at what was said", "reference")
    if rules.known:
        name = named_in(looked.folded, known)
        if name:
            return Decision(True, "it has a name or word that the palace knows", "known")
    return None


def _by_kind(
    looked: Looked, asked: list[str], history: History, known: Known | Collection[str], rules: Rules
) -> Decision:
    kinds = {_kind_of(sentence, looked, rules) for sentence in asked} or {""}
    if "" in kinds:
        if rules.follow_ups and len(asked) == 1 and _is_pointed(asked[0], looked) and history:
            return _by_history(history, known, rules)
        return Decision(True, "nothing says that it needs no memory", "undecided")
    if "tool" in kinds:
        if looked.is_whole or any(PASSED_ON in sentence for sentence in asked):
            return Decision(False, "it asks for a tool's work", "tool")
    elif looked.is_whole:
        return Decision(False, "it asks about the world", "knowledge")
    return Decision(True, "it is too long to be read whole", "undecided")


def _kind_of(sentence: str, looked: Looked, rules: Rules) -> str:
    """Tell what a sentence asks for: "tool", "knowledge", or "" where it may need memory."""
    if rules.tool and requests.is_utility(sentence):
        return "tool"
    is_code = requests.is_code(sentence) or "```" in looked.raw
    is_tool = is_code or requests.is_request(sentence)
    if not is_tool and not knowledge.asks_of_the_world(sentence):
        return ""
    if PASSED_ON not in looked.own and not requests.looks_like_code(sentence) and points_at_somebody(sentence):
        return ""
    if personal.may_be_personal(sentence, looked.raw, is_technical=is_code):
        return ""
    if is_tool:
        return "tool" if rules.tool else ""
    return "knowledge" if rules.knowledge else ""


def _is_pointed(sentence: str, looked: Looked) -> bool:
    """Tell whether a short question has a pronoun in the place of what it is about: "when did he die"."""
    is_short = len(sentence.split()) <= MOST_WORDS
    return is_short and points_at_somebody(sentence) and not personal.may_be_personal(sentence, looked.raw)


def _without_words(looked: Looked, history: History, known: Known | Collection[str], rules: Rules) -> Decision:
    if not looked.raw.strip():
        return Decision(True, "it is empty: the most useful memories serve", "empty")
    if "?" in looked.raw and rules.follow_ups:
        return _by_history(history, known, rules)
    if rules.greeting and not any(map(str.isalnum, looked.raw)):
        return Decision(False, "it has no words", "greeting")
    return Decision(True, "nothing says that it needs no memory", "undecided")


def _of_small_talk(looked: Looked, history: History, known: Known | Collection[str], rules: Rules) -> Decision:
    """Skip small talk; a bare yes or no, which may answer a question, is as needy as what it answers."""
    is_answer = rules.follow_ups and all(map(small_talk.is_answer, looked.sentences))
    if is_answer and said_by_person(history, 1) and _was_asked(history):
        return _by_history(history, known, rules)
    return Decision(False, "it greets, thanks or agrees", "greeting")


def _was_asked(history: History) -> bool:
    """Tell whether the last message before is an assistant's that asks something."""
    before = read_history(history)
    return bool(before) and not before[-1].is_person and "?" in before[-1].text[-ASKED_AT_THE_END:]


def _by_history(history: History, known: Known | Collection[str], rules: Rules) -> Decision:
    """Judge a message without a subject by the last messages of the person: searched where one of them would be."""
    before = said_by_person(history, LOOKED_BACK)
    alone = Rules(
        rules.greeting, rules.tool, rules.knowledge, rules.pronouns, rules.known, rules.references, follow_ups=False
    )
    judged = [_decide(look_at(each), (), known, alone) for each in before]
    judged = [each for each in judged if each.rule not in ("greeting", "empty")]
    leading = [each for each in judged if each.searched]
    if leading:
        return Decision(True, f"it goes on with what needed memory: {leading[-1].reason}", "follow-up")
    if not judged:
        return Decision(True, "it goes on with what is not known here", "follow-up")
    return Decision(False, f"it goes on with what needed no memory: {judged[-1].reason}", "follow-up")
