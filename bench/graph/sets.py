"""Labelled sets, as their files have them: one folder for a set, one record a line."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from bench.graph.identities import Identity
from bench.graph.relations import Fact, Turn, read_date
from bench.graph.spans import Span
from bench.graph.timelines import Question
from palace.errors import BadRequest

FILES = ("conversations", "drawn", "entities", "identities", "relations", "timelines", "kinds")


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: str
    content: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation of one user."""

    id: str
    user: str
    title: str | None
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """The names that stand in one message."""

    turn: Turn
    wanted: tuple[Span, ...]
    optional: tuple[Span, ...]


@dataclass(frozen=True)
class LabelledSet:
    """Conversations in mining order, and their labels."""

    folder: Path
    sha256: str
    """Of the files, one after another in the order of ``FILES``, without those that are not there."""
    conversations: tuple[Conversation, ...]
    names: tuple[Names, ...]
    identities: tuple[tuple[str, Identity], ...]
    """By user; so are facts and questions."""
    facts: tuple[tuple[str, Fact], ...]
    questions: tuple[tuple[str, Question], ...]

    @cached_property
    def users(self) -> tuple[str, ...]:
        """In the order of their first conversations."""
        return tuple(dict.fromkeys(each.user for each in self.conversations))

    def conversations_of(self, user: str) -> tuple[Conversation, ...]:
        """In mining order."""
        return tuple(each for each in self.conversations if each.user == user)

    def identities_of(self, user: str) -> tuple[Identity, ...]:
        """List whom and what a user names."""
        return tuple(each for owner, each in self.identities if owner == user)

    def facts_of(self, user: str) -> tuple[Fact, ...]:
        """List what is to be known of a user's life, and what must not be stored."""
        return tuple(each for owner, each in self.facts if owner == user)

    def questions_of(self, user: str) -> tuple[Question, ...]:
        """List what is asked of a user's palace."""
        return tuple(each for owner, each in self.questions if owner == user)


def read_set(folder: Path, sessions: Path | None = None) -> LabelledSet:
    """Read a set; ``sessions`` is the file of what its drawn.jsonl refers to, one gzipped session a line.

    Raises:
        BadRequest: there is no such set, a line is not what it should be, or sessions are missing.
    """
    if not (folder / "conversations.jsonl").is_file():
        raise BadRequest(f"{folder} is no labelled set: it has no conversations.jsonl")
    drawn = list(_lines(folder, "drawn"))
    try:
        written = read_conversations(folder)
        conversations = (*written, *(_resolved(drawn, sessions) if drawn else ()))
        return LabelledSet(
            folder,
            sha256_of(folder),
            conversations,
            tuple(_names(each) for each in _lines(folder, "entities")),
            tuple((each["user"], _identity(each)) for each in _lines(folder, "identities")),
            tuple((each["user"], _fact(each)) for each in _lines(folder, "relations")),
            read_questions(folder),
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise BadRequest(f"{folder} is not in the formats of bench/graph/sets/README.md: {problem!r}") from problem


@dataclass(frozen=True, slots=True)
class KindSet:
    """Short messages of one person, and questions that name what is wanted by its kind."""

    messages: tuple[tuple[str, Message], ...]
    """By id."""
    questions: tuple[tuple[str, frozenset[str]], ...]
    """A question, and the ids of all that belongs to its answer."""


def read_kinds(folder: Path) -> KindSet:
    """Read a set's kinds.jsonl.

    Raises:
        BadRequest: there is none.
    """
    lines = list(_lines(folder, "kinds"))
    if not lines:
        raise BadRequest(f"{folder} has no kinds.jsonl")
    return KindSet(
        tuple((each["id"], Message("user", each["say"], _moment(each["said_at"]))) for each in lines if "say" in each),
        tuple((each["ask"], frozenset(each["evidence"])) for each in lines if "ask" in each),
    )


def read_conversations(folder: Path) -> tuple[Conversation, ...]:
    """Read the conversations that a set itself holds."""
    return tuple(_conversation(each) for each in _lines(folder, "conversations"))


def read_questions(folder: Path) -> tuple[tuple[str, Question], ...]:
    """Read what is asked of what was so on a day, by user."""
    return tuple((each["user"], _question(each)) for each in _lines(folder, "timelines"))


def sha256_of(folder: Path) -> str:
    """Hash a set."""
    found = hashlib.sha256()
    for name in FILES:
        file = folder / f"{name}.jsonl"
        if file.is_file():
            found.update(file.read_bytes())
    return found.hexdigest()


def _lines(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    file = folder / f"{name}.jsonl"
    if not file.is_file():
        return
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except json.JSONDecodeError as problem:
                raise BadRequest(f"{file}, line {number}: {problem}") from problem


def _conversation(found: dict[str, Any]) -> Conversation:
    messages = tuple(Message(each["role"], each["content"], _moment(each["created_at"])) for each in found["messages"])
    return Conversation(found["id"], found["user"], found.get("title"), messages)


def _resolved(drawn: list[dict[str, Any]], sessions: Path | None) -> Iterator[Conversation]:
    """Put in the place of references what they refer to."""
    if sessions is None:
        raise BadRequest("the set refers to sessions that it does not hold: name their file with --sessions")
    wanted, found = {each["session"] for each in drawn}, {}
    with gzip.open(sessions, "rt", encoding="utf-8") as lines:
        for line in lines:
            session = json.loads(line)
            if session["session_id"] in wanted:
                found[session["session_id"]] = session["turns"]
    for each in drawn:
        if each["session"] not in found:
            raise BadRequest(f"{sessions} has no session {each['session']}")
        first, last = each["turns"]
        begun, apart = _moment(each["created_at"]), timedelta(minutes=each["minutes"])
        turns = enumerate(found[each["session"]][first : last + 1])
        messages = tuple(Message(turn["role"], turn["content"], begun + place * apart) for place, turn in turns)
        yield Conversation(each["id"], each["user"], None, messages)


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _names(found: dict[str, Any]) -> Names:
    wanted, optional = (
        tuple(Span(each["start"], each["text"], each["type"]) for each in found.get(key, ()))
        for key in ("entities", "optional")
    )
    return Names((found["conversation"], found["turn"]), wanted, optional)


def _identity(found: dict[str, Any]) -> Identity:
    return Identity(found["canonical"], found["type"], tuple(found["names"]), tuple(found.get("never", ())))


def _fact(found: dict[str, Any]) -> Fact:
    return Fact(
        found["id"],
        found["subject"],
        found["predicate"],
        found["kind"],
        str(found["object"]),
        tuple((each["conversation"], each["turn"]) for each in found["evidence"]),
        read_date(found.get("valid_from"), found.get("precision")),
        read_date(found.get("valid_to"), found.get("precision_to")),
        bool(found.get("must_not", False)),
    )


def _question(found: dict[str, Any]) -> Question:
    as_of, believed_on = (date.fromisoformat(day) if day else None for day in (found["as_of"], found["believed_on"]))
    return Question(
        found["id"],
        found["entity"],
        found["question"],
        tuple(found["answer"]),
        tuple(found.get("not", ())),
        as_of,
        believed_on,
    )
