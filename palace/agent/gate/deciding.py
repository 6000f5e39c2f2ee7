"""The gate: whether a message needs what a palace remembers. Pure.

A search that was not needed costs some milliseconds, one that was skipped costs the answer: what is not plainly small
talk, a tool's work or a question about the world is searched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from palace.agent.gate import signals
from palace.agent.gate.personal import may_be_personal
from palace.agent.gate.window import PASSED_ON, History, Looked, fold, look_at, opened, read_history, said_by_person
from palace.nlp.words import STOP_WORDS

LOOKED_BACK = 3
"""Messages of the person that a follow-up is judged by."""
ASKED_AT_THE_END = 300
"""Characters at the end of a reply in which it asks something back."""
Known = Callable[[str], bool]
"""Says of up to four words, in lower case without accents, whether the palace knows them as a name or a word."""

LONGEST_NAME = 4
"""Words of a name."""
MOST_WORDS = 80
"""Words of a message that are looked up: of a longer one the first and the last forty."""
_WORD = re.compile(r"\w+(?:['.&-]\w+)*")

Classifier = Callable[[str, History], bool | None]
"""A caller's own judge: whether a message needs memory, given the messages before; None leaves it to the rules."""


class FoldedNames(frozenset[str]):
    """Names folded as the gate looks them up; to be made once where many messages are judged."""

    def __new__(cls, names: Collection[str] = ()) -> FoldedNames:
        """Fold each name: lower case, no accents, one space between words."""
        return super().__new__(cls, (" ".join(_WORD.findall(fold(name))) for name in names))


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


def rules_for(switched_on: Collection[str]) -> Rules:
    """Return the rules with those that a setting names on: "greeting", "tool", "knowledge"."""
    return Rules(greeting="greeting" in switched_on, tool="tool" in switched_on, knowledge="knowledge" in switched_on)


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
    return _Gate(look_at(message), history, known, rules).decide()


@dataclass(frozen=True, slots=True)
class _Gate:
    """One message at the gate."""

    looked: Looked
    history: History
    known: Known | Collection[str]
    rules: Rules

    def decide(self) -> Decision:
        looked = self.looked
        if not looked.sentences:
            return self._without_words()
        said = [sentence for sentence in looked.sentences if not signals.is_small_talk(sentence)]
        if not said and looked.is_whole and self.rules.greeting:
            return self._small_talk()
        personal = self._of_person()
        if personal is not None:
            return personal
        # What is greeted with is opened once more: "hi, what is entropy".
        asked = [rest for rest in map(opened, said) if rest]
        if self.rules.follow_ups and any(map(signals.leans_on_history, (*said, *asked))):
            return self._by_history()
        return self._by_kind(asked)

    def _of_person(self) -> Decision | None:
        looked, rules = self.looked, self.rules
        if rules.pronouns and signals.is_of_person(looked.own):
            return Decision(True, "it speaks of the person", "pronoun")
        if rules.references and signals.points_back(looked.own):
            return Decision(True, "it points back at what was said", "reference")
        if rules.known and named_in(looked.folded, self.known):
            return Decision(True, "it has a name or word that the palace knows", "known")
        return None

    def _by_kind(self, asked: Sequence[str]) -> Decision:
        looked = self.looked
        kinds = {self._kind_of(sentence) for sentence in asked} or {""}
        if "" in kinds:
            if self.rules.follow_ups and len(asked) == 1 and self._is_pointed(asked[0]) and self.history:
                return self._by_history()
            return Decision(True, "nothing says that it needs no memory", "undecided")
        if "tool" in kinds:
            if looked.is_whole or any(PASSED_ON in sentence for sentence in asked):
                return Decision(False, "it asks for a tool's work", "tool")
        elif looked.is_whole:
            return Decision(False, "it asks about the world", "knowledge")
        return Decision(True, "it is too long to be read whole", "undecided")

    def _kind_of(self, sentence: str) -> str:
        """Return what a sentence asks for: "tool", "knowledge", or "" where it may need memory."""
        looked, rules = self.looked, self.rules
        if rules.tool and signals.is_utility(sentence):
            return "tool"
        is_code = signals.is_code(sentence) or "```" in looked.raw
        is_tool = is_code or signals.is_request(sentence)
        if not is_tool and not signals.asks_of_the_world(sentence):
            return ""
        is_shown = PASSED_ON in looked.own or signals.looks_like_code(sentence)
        if not is_shown and signals.points_at_somebody(sentence):
            return ""
        if may_be_personal(sentence, looked.raw, is_technical=is_code):
            return ""
        if is_tool:
            return "tool" if rules.tool else ""
        return "knowledge" if rules.knowledge else ""

    def _is_pointed(self, sentence: str) -> bool:
        """Return whether a short question has a pronoun in the place of what it is about: "when did he die"."""
        is_short = len(sentence.split()) <= signals.MOST_WORDS
        return is_short and signals.points_at_somebody(sentence) and not may_be_personal(sentence, self.looked.raw)

    def _without_words(self) -> Decision:
        raw = self.looked.raw
        if not raw.strip():
            return Decision(True, "it is empty: the most useful memories serve", "empty")
        if "?" in raw and self.rules.follow_ups:
            return self._by_history()
        if self.rules.greeting and not any(map(str.isalnum, raw)):
            return Decision(False, "it has no words", "greeting")
        return Decision(True, "nothing says that it needs no memory", "undecided")

    def _small_talk(self) -> Decision:
        """Skip small talk; a bare yes or no, which may answer a question, is as needy as what it answers."""
        is_answer = self.rules.follow_ups and all(map(signals.is_answer, self.looked.sentences))
        if is_answer and said_by_person(self.history, 1) and self._was_asked():
            return self._by_history()
        return Decision(False, "it greets, thanks or agrees", "greeting")

    def _was_asked(self) -> bool:
        """Return whether the last message before is an assistant's that asks something."""
        before = read_history(self.history)
        return bool(before) and not before[-1].is_person and "?" in before[-1].text[-ASKED_AT_THE_END:]

    def _by_history(self) -> Decision:
        """Judge a message without a subject by the last messages of the person: searched where one of them would be."""
        alone = replace(self.rules, follow_ups=False, classifier=None)
        before = said_by_person(self.history, LOOKED_BACK)
        judged = [_Gate(look_at(each), (), self.known, alone).decide() for each in before]
        judged = [each for each in judged if each.rule not in ("greeting", "empty")]
        leading = [each for each in judged if each.searched]
        if leading:
            return Decision(True, f"it goes on with what needed memory: {leading[-1].reason}", "follow-up")
        if not judged:
            return Decision(True, "it goes on with what is not known here", "follow-up")
        return Decision(False, f"it goes on with what needed no memory: {judged[-1].reason}", "follow-up")


def named_in(folded: str, known: Known | Collection[str]) -> str:
    """Return the first name or word of a palace in a folded message, "" without one; stop words alone are none."""
    if not callable(known):
        names = known if isinstance(known, FoldedNames) else FoldedNames(known)
        if not names:
            return ""
        known = names.__contains__
    return next((each for each in _candidates(folded) if known(each)), "")


def _candidates(folded: str) -> Iterator[str]:
    words = [word.removesuffix("'s") for word in _WORD.findall(folded)]
    if len(words) > MOST_WORDS:
        words = [*words[: MOST_WORDS // 2], *words[-MOST_WORDS // 2 :]]
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST_NAME, len(words)) + 1):
            part = words[start:end]
            if not all(word in STOP_WORDS or len(word) < 2 for word in part):
                yield " ".join(part)
                # The genitive of a German or a misspelt English name: "Toms Tochter".
                if part[-1].endswith("s") and len(part[-1]) > 3:
                    yield " ".join((*part[:-1], part[-1][:-1]))
