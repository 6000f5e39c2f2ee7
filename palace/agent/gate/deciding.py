"""The gate: decide whether a message needs recall. Pure.

An unneeded search costs some milliseconds, a skipped one costs the answer: everything is searched but plain small talk,
requests to a tool and questions about the world.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from palace.agent.gate import signals
from palace.agent.gate.personal import may_be_personal
from palace.agent.gate.window import PASSED_ON, GateInput, History, fold, opened, prepare, read_history, said_by_person
from palace.nlp.words import STOP_WORDS

LOOKED_BACK = 3
"""Earlier messages of the person that decide about a follow-up."""
ASKED_AT_THE_END = 300
"""Characters at the end of a reply in which a question mark counts as asking back."""
Known = Callable[[str], bool]
"""Checks whether up to four words, in lower case without accents, are a name or word of the palace."""

LONGEST_NAME = 4
"""Words of a name, at most."""
MOST_WORDS = 80
"""Words of a message that are looked up, at most: of a longer one the first and the last forty."""
_WORD = re.compile(r"\w+(?:['.&-]\w+)*")

Classifier = Callable[[str, History], bool | None]
"""A caller's own classifier: whether a message needs memory, given the history; None leaves it to the rules."""


class FoldedNames(frozenset[str]):
    """Names folded as the gate looks them up; build it once where many messages are judged."""

    def __new__(cls, names: Collection[str] = ()) -> FoldedNames:
        """Fold each name: lower case, no accents, one space between words."""
        return super().__new__(cls, (" ".join(_WORD.findall(fold(name))) for name in names))


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of the gate that are on; each can be switched off alone."""

    greeting: bool = True
    """Skip small talk."""
    tool: bool = True
    """Skip requests to a tool: code, calculations, translations, texts to work on, jokes, timers."""
    knowledge: bool = True
    """Skip questions about the world."""
    pronouns: bool = True
    """Search a tool's request or a question about the world if it has a pronoun of the first person."""
    known: bool = True
    """Search it if it has a word or name that the palace knows."""
    references: bool = True
    """Search it if it refers to something said before."""
    follow_ups: bool = True
    """Judge a message without a subject of its own by the messages before it."""
    classifier: Classifier | None = None
    """Called first; its answer is final unless it is None."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether recall runs for a message, and why."""

    searched: bool
    reason: str
    """The reason in one line, for a person."""
    rule: str
    """The rule that decided: "classifier", "empty", "greeting", "pronoun", "known", "reference", "follow-up", "tool",
    "knowledge", or "undecided" if none did."""


def rules_for(switched_on: Collection[str]) -> Rules:
    """Return the rules with those switched on that a setting lists: "greeting", "tool", "knowledge"."""
    return Rules(greeting="greeting" in switched_on, tool="tool" in switched_on, knowledge="knowledge" in switched_on)


def gate(
    message: str, history: History = (), *, known: Known | Collection[str] = (), rules: Rules | None = None
) -> Decision:
    """Decide whether a message needs recall.

    ``history`` is the messages before it, oldest first. ``known`` is the palace's words and names, in any case, or a
    function that checks a name, in lower case without accents. Of a message beyond 1,800 characters only the beginning
    and the end are read, and it is searched unless it only asks a tool to work on the text it contains.
    """
    rules = rules or Rules()
    if rules.classifier is not None:
        needs = rules.classifier(message, history)
        if needs is not None:
            return Decision(needs, f"the classifier says that memory is {'' if needs else 'not '}needed", "classifier")
    return _Gate(prepare(message), history, known, rules).decide()


@dataclass(frozen=True, slots=True)
class _Gate:
    """The decision about one message."""

    message: GateInput
    history: History
    known: Known | Collection[str]
    rules: Rules

    def decide(self) -> Decision:
        message = self.message
        if not message.sentences:
            return self._without_words()
        said = [sentence for sentence in message.sentences if not signals.is_small_talk(sentence)]
        if not said and message.is_whole and self.rules.greeting:
            return self._small_talk()
        personal = self._of_person()
        if personal is not None:
            return personal
        # Strip greetings and openings: "hi, what is entropy".
        asked = [rest for rest in map(opened, said) if rest]
        if self.rules.follow_ups and any(map(signals.leans_on_history, (*said, *asked))):
            return self._by_history()
        return self._by_kind(asked)

    def _of_person(self) -> Decision | None:
        message, rules = self.message, self.rules
        if rules.pronouns and signals.is_of_person(message.own):
            return Decision(True, "it speaks of the person", "pronoun")
        if rules.references and signals.points_back(message.own):
            return Decision(True, "it points back at what was said", "reference")
        if rules.known and named_in(message.folded, self.known):
            return Decision(True, "it has a name or word that the palace knows", "known")
        return None

    def _by_kind(self, asked: Sequence[str]) -> Decision:
        message = self.message
        kinds = {self._kind_of(sentence) for sentence in asked} or {""}
        if "" in kinds:
            if self.rules.follow_ups and len(asked) == 1 and self._is_pointed(asked[0]) and self.history:
                return self._by_history()
            return Decision(True, "nothing says that it needs no memory", "undecided")
        if "tool" in kinds:
            if message.is_whole or any(PASSED_ON in sentence for sentence in asked):
                return Decision(False, "it asks for a tool's work", "tool")
        elif message.is_whole:
            return Decision(False, "it asks about the world", "knowledge")
        return Decision(True, "it is too long to be read whole", "undecided")

    def _kind_of(self, sentence: str) -> str:
        """Return what a sentence asks for: "tool", "knowledge", or "" where it may need memory."""
        message, rules = self.message, self.rules
        if rules.tool and signals.is_utility(sentence):
            return "tool"
        is_code = signals.is_code(sentence) or "```" in message.raw
        is_tool = is_code or signals.is_request(sentence)
        if not is_tool and not signals.asks_of_the_world(sentence):
            return ""
        is_shown = PASSED_ON in message.own or signals.looks_like_code(sentence)
        if not is_shown and signals.points_at_somebody(sentence):
            return ""
        if may_be_personal(sentence, message.raw, is_technical=is_code):
            return ""
        if is_tool:
            return "tool" if rules.tool else ""
        return "knowledge" if rules.knowledge else ""

    def _is_pointed(self, sentence: str) -> bool:
        """Check whether a short question has a pronoun for its subject: "when did he die"."""
        is_short = len(sentence.split()) <= signals.MOST_WORDS
        return is_short and signals.points_at_somebody(sentence) and not may_be_personal(sentence, self.message.raw)

    def _without_words(self) -> Decision:
        raw = self.message.raw
        if not raw.strip():
            return Decision(True, "it is empty: the most useful memories serve", "empty")
        if "?" in raw and self.rules.follow_ups:
            return self._by_history()
        if self.rules.greeting and not any(map(str.isalnum, raw)):
            return Decision(False, "it has no words", "greeting")
        return Decision(True, "nothing says that it needs no memory", "undecided")

    def _small_talk(self) -> Decision:
        """Skip small talk; a bare yes or no that may answer a question is judged by the history instead."""
        is_answer = self.rules.follow_ups and all(map(signals.is_answer, self.message.sentences))
        if is_answer and said_by_person(self.history, 1) and self._was_asked():
            return self._by_history()
        return Decision(False, "it greets, thanks or agrees", "greeting")

    def _was_asked(self) -> bool:
        """Check whether the last message is an assistant's and ends with a question."""
        before = read_history(self.history)
        return bool(before) and not before[-1].is_person and "?" in before[-1].text[-ASKED_AT_THE_END:]

    def _by_history(self) -> Decision:
        """Judge a message without a subject by the person's last messages: search if any of them would be searched."""
        alone = replace(self.rules, follow_ups=False, classifier=None)
        before = said_by_person(self.history, LOOKED_BACK)
        judged = [_Gate(prepare(each), (), self.known, alone).decide() for each in before]
        judged = [each for each in judged if each.rule not in ("greeting", "empty")]
        leading = [each for each in judged if each.searched]
        if leading:
            return Decision(True, f"it goes on with what needed memory: {leading[-1].reason}", "follow-up")
        if not judged:
            return Decision(True, "it goes on with what is not known here", "follow-up")
        return Decision(False, f"it goes on with what needed no memory: {judged[-1].reason}", "follow-up")


def named_in(folded: str, known: Known | Collection[str]) -> str:
    """Return the first name or word of the palace in a folded message, or ""; stop words alone do not count."""
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
                # A German genitive, or an English one without its apostrophe: "Toms Tochter".
                if part[-1].endswith("s") and len(part[-1]) > 3:
                    yield " ".join((*part[:-1], part[-1][:-1]))
