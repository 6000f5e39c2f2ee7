"""Decisions of a session's messages, and the files, folders and symbols that they are about."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from palace.mining.edits import Edits
from palace.models import ActionKind, FiledTurn, Role, Span, WorkAction
from palace.nlp.statements import telling_words
from palace.nlp.work.lasting import (
    CHOSEN,
    CORRECTED,
    LASTS,
    LONGEST_ESTIMATED,
    After,
    probability_of_lasting,
    weight_of_lasting,
)
from palace.nlp.work.names import (
    LONGEST_TURN,
    OTHERS,
    best_sentence,
    confirms,
    covered_in,
    find_choice,
    find_decisions,
    find_proposals,
    folders_in,
    is_elsewhere,
    is_file,
    limits,
    named_in,
    names_file,
    offers,
    own_sentences,
    own_text,
    takes_back,
)

MOST_NEAR = 3
"""Files near a decision that names none."""
MOST_NAMES = 8


@dataclass(slots=True)
class _Decision:
    turn: FiledTurn
    span: Span
    prompt: int
    """Number of the user's message that it is in, or follows."""
    names: list[str]
    among: frozenset[str] | None
    """The files that it can be about if it names none: those touched before; None for any."""
    is_agreed: bool
    """Whether a person said it or agreed to it; otherwise it counts only if what it is about was changed then."""
    chance: float | None = None
    """If it is none by its words, the probability that it lasts."""

    @property
    def said(self) -> str:
        return self.turn.content[self.span.start : self.span.end]

    @property
    def own(self) -> str:
        """The message without code and quotations."""
        return own_text(self.turn.content[:LONGEST_TURN]).replace(OTHERS, " ")


@dataclass(slots=True)
class Decisions:
    """The decisions of one conversation so far, in order."""

    edits: Edits
    found: list[_Decision] = field(default_factory=list)
    proposed: tuple[FiledTurn, list[Span]] | None = None
    """The assistant's last message, and what it proposed there."""

    def add(self, turn: FiledTurn) -> float:
        """Add the decisions of a message; return the probability that a user's lasts, 0 for others."""
        is_user = turn.role is Role.USER
        before, spans = self.proposed if is_user and self.proposed else (None, [])
        if before and confirms(turn.content):
            self.found += [self._decision(before, span, is_agreed=True) for span in spans]
        self.proposed = None if is_user else (turn, find_proposals(turn.content))
        about = _answered(before.content, turn.content) if before else []
        is_offered = before is not None and offers(before.content)
        chance = self._chance(turn.content, before) if is_user else 0.0
        is_lasting = chance >= (CHOSEN if self.edits.edited.get(self.edits.prompt - 1) else LASTS)
        needs_file = not (is_offered or about or is_lasting)
        decided = find_decisions(turn.content, turn.role, needs_file=needs_file)
        for span in decided:
            decision = self._decision(turn, span, is_agreed=is_user)
            decision.names += [] if any(map(is_file, decision.names)) else about
            self.found.append(decision)
        if decided or not is_user or (spans and confirms(turn.content)):
            return chance
        choice = find_choice(turn.content) if is_offered and chance >= CHOSEN else None
        if choice:
            self.found.append(self._decision(turn, choice, is_agreed=True, among=frozenset(self.edits.touched)))
        elif chance >= CORRECTED and (said := best_sentence(turn.content, _weight)):
            self.found.append(replace(self._decision(turn, said, is_agreed=True), chance=chance))
        return chance

    def _chance(self, text: str, before: FiledTurn | None) -> float:
        """Return the probability that a person's own words last; 0 for a document."""
        own = own_text(text).replace(OTHERS, " ").strip() if len(text) <= LONGEST_TURN else ""
        return probability_of_lasting(own, self._after(before)) if 0 < len(own) <= LONGEST_ESTIMATED else 0.0

    def _after(self, before: FiledTurn | None) -> After:
        """Return what a person's message follows."""
        if self.edits.edited.get(self.edits.prompt - 1):
            return After.EDIT
        if before is None:
            return After.START if self.edits.prompt == 1 else After.SAID
        return After.ASKED if "?" in before.content else After.SAID

    def _decision(
        self, turn: FiledTurn, span: Span, *, is_agreed: bool, among: frozenset[str] | None = None
    ) -> _Decision:
        said = turn.content[span.start : span.end]
        bare = {name for path in self.edits.touched if "." not in (name := path.rpartition("/")[2])}
        names = list(dict.fromkeys([*named_in(said), *(each for each in _words(said) if each in bare)]))[:MOST_NAMES]
        return _Decision(turn, span, self.edits.prompt, names, among, is_agreed)

    def finish(self) -> Iterator[WorkAction]:
        """Yield the decisions with the files, folders and symbols that they are about."""
        for decision in filter(self._counts, self.found):
            near = self._near(decision)
            for name in [*map(self.edits.whole, decision.names), *_covered(decision.own, near), *near]:
                key = name.replace("\\", "/").rpartition("/")[2] if name in near or is_file(name) else name
                key = f"{name.rstrip('/').rpartition('/')[2]}/" if name.endswith("/") else key
                is_agreed = decision.is_agreed and decision.turn.role is Role.ASSISTANT
                operation = "near" if name in near and not is_agreed else "named"
                if decision.turn.role is Role.USER and takes_back(decision.said):
                    operation = "off"
                elif decision.chance is not None:
                    operation = "said"
                action = WorkAction(decision.turn.drawer_id, ActionKind.DECISION, key, name, operation)
                yield action._replace(span=decision.span)

    def _near(self, decision: _Decision) -> list[str]:
        """Return the files that were changed beside a decision; none where it is about others, or about none."""
        corrected = self._corrected(decision)
        near = corrected or [*self.edits.near(decision.prompt)]
        if folders := folders_in(decision.said if decision.chance is None else decision.own):
            near = [path for path in near if any(f"/{folder}/" in f"/{path}" for folder in folders)]
            decision.names += [f"{folder}/" for folder in folders]
        if decision.among is not None and len(set(near)) > 1:
            near = [each for each in near if each.replace("\\", "/") in decision.among]
        is_apart = any(map(is_file, decision.names)) or (is_elsewhere(decision.said) and not corrected)
        return [] if is_apart else list(dict.fromkeys(near))[:MOST_NEAR]

    def _counts(self, decision: _Decision) -> bool:
        """Check whether a decision is a person's, or was agreed to, or one of its files was changed next."""
        changed = [path for near in (0, 1) for path in self.edits.edited.get(decision.prompt + near, ())]
        files = [name for name in decision.names if is_file(name)]
        done = [path for path in changed for name in files if f"/{path}".endswith(f"/{name.removeprefix('./')}")]
        if decision.chance is not None and decision.chance < LASTS and not self._corrected(decision):
            return False
        return decision.is_agreed or bool(done if files else changed)

    def _corrected(self, decision: _Decision) -> list[str]:
        """Return the files in which a user's message had something undone that was done before it."""
        return self.edits.undone.get(decision.prompt, []) if decision.turn.role is Role.USER else []


def _weight(sentence: str) -> float:
    """Return how much a sentence of a message tells; most if it says until when."""
    return weight_of_lasting(sentence) + (math.inf if limits(sentence) else 0)


def _covered(said: str, near: Sequence[str]) -> list[str]:
    """Return the folders of some files, and their endings as ``*.md``, in all of which something holds by a message.

    Of a folder the end of its path.
    """
    named = {each.casefold() for each in covered_in(said)}
    found = [f"*.{path.rpartition('.')[2]}" for path in near if path.rpartition(".")[2].casefold() in named]
    for path in near:
        folders = path.replace("\\", "/").split("/")[:-1]
        whole = (n for n, each in enumerate(folders) if {each.casefold(), each.casefold().removesuffix("s")} & named)
        found += ["/".join([*folders[max(0, n - 1) : n + 1], ""]) for n in whole]
    return list(dict.fromkeys(found))


def _words(text: str) -> list[str]:
    return [each.strip("`'\".,:;!?()") for each in text.split()]


def _answered(said: str, answer: str) -> list[str]:
    """Return the files in what an assistant said that a person's answer is about, by a word that both have."""
    words = telling_words(answer)
    sentences = [each for each in own_sentences(said) if names_file(each)]
    about = [each for each in sentences if telling_words(each) & words] or sentences[:1] * (len(sentences) == 1)
    return list(dict.fromkeys(name for each in about for name in named_in(each) if is_file(name)))[:MOST_NEAR]
