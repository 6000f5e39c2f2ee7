"""The questions of a labelled set as palaces to ask: by kind, and of what was so on a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from bench.everyday.sets import Asked, Load, Talk, Turn
from bench.graph.sets import Conversation, KindSet, read_conversations, read_kinds, read_questions
from bench.graph.timelines import Question, end_of, on_day


def loads(folder: Path) -> Iterator[tuple[str, Load]]:
    """Read a set's palaces, each with the name of the group that its questions are counted in.

    A message answers a question of what was so on a day if it has the answer in it and nothing that was so at another
    time; questions of when something was, and of what was believed on a day, are left out.
    """
    if (folder / "kinds.jsonl").is_file():
        yield "kinds", _of_kinds(read_kinds(folder))
    conversations, questions = read_conversations(folder), read_questions(folder)
    for user in dict.fromkeys(user for user, _ in questions):
        talks = tuple(_talk(each) for each in conversations if each.user == user)
        of_user = (each for owner, each in questions if owner == user and each.believed_on is None)
        if talks:
            yield "timelines", Load(f"{folder.name}-{user}", talks, tuple(_asked(each, talks) for each in of_user))


def _of_kinds(kinds: KindSet) -> Load:
    said = tuple(Talk(id, None, (Turn(id, each.role, each.content, each.created_at),)) for id, each in kinds.messages)
    now = said[-1].turns[0].said_at + timedelta(days=1)
    asked = (Asked(text, "kind", text, now, wanted, is_broad=True) for text, wanted in kinds.questions)
    return Load("kinds", said, tuple(asked))


def _talk(given: Conversation) -> Talk:
    turns = (
        Turn(f"{given.id}#{at}", each.role, each.content, each.created_at) for at, each in enumerate(given.messages)
    )
    return Talk(given.id, given.title, tuple(turns))


def _asked(question: Question, talks: tuple[Talk, ...]) -> Asked:
    last_day = max(turn.said_at for talk in talks for turn in talk.turns).date()
    text = question.text if question.as_of is None else on_day(question.text, question.as_of)
    turns = [(turn.id, turn.text.casefold()) for talk in talks for turn in talk.turns if turn.role == "user"]
    answers = (
        id
        for id, said in turns
        if any(each.casefold() in said for each in question.answer)
        and not any(each.casefold() in said for each in question.stale)
    )
    return Asked(question.id, "timeline", text, end_of(last_day), frozenset(answers))
