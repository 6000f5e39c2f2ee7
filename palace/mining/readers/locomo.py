"""LoCoMo files: conversations of two people, session by session (github.com/snap-research/locomo)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC
from typing import Any

from palace.mining.drafts.dating import moment_of
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.times import known_time
from palace.mining.drafts.written_times import parse_time
from palace.mining.files.fields import as_object, id_field, object_field, text_field
from palace.mining.files.reading import DateOrder, Reading, Record
from palace.models import Conversation, Role

NAME = "locomo"

_SESSION = re.compile(r"session_(\d{1,9})")
_DATE = re.compile(r"(\d{1,2}:\d\d [ap]m) on (\d{1,2} \w+), (\d{4})")


def recognises(value: object) -> bool:
    """Check whether a value is one sample: a conversation with numbered sessions."""
    conversation = object_field(as_object(value), "conversation")
    return any(_SESSION.fullmatch(key) for key in conversation)


def read_sample(record: Record, reading: Reading) -> Iterator[Conversation]:
    """Read every session as one conversation, in numeric order; both speakers are users with names.

    An image's caption follows the text as ``[shares a photo of …]``, as in the benchmark's own retrieval code.
    Questions and annotations are not read.
    """
    place = record.place("conversation")
    if not recognises(record.value):
        raise reading.problem("the conversation has no sessions (session_1)", place)
    found = [session for key in record.value["conversation"] if (session := _SESSION.fullmatch(key))]
    for session in sorted(found, key=lambda session: (int(session[1]), session[0])):
        yield from _session(record.value, session[0], reading, f"{place}, session {session[1]}")


def _session(sample: dict[str, Any], key: str, reading: Reading, place: str) -> Iterator[Conversation]:
    conversation, sample_id = sample["conversation"], id_field(sample, "sample_id")
    if not isinstance(conversation[key], list):
        reading.failures.append(reading.problem("the session is not a list of turns", place))
        return
    draft, said_at = Draft(NAME, reading), _moment(conversation.get(f"{key}_date_time"))

    def say(turn: dict[str, Any], place: str) -> None:
        speaker = text_field(turn, "speaker")
        if speaker is None:
            raise reading.problem("the message has no speaker", place)
        draft.say(Role.USER, _text(turn), Stamp(said_at, id_field(turn, "dia_id"), speaker))

    draft.say_each(conversation[key], place, say)
    people = [text_field(conversation, field) for field in ("speaker_a", "speaker_b")]
    yield from draft.finish(
        source_id=f"{sample_id}/{key}" if sample_id else None,
        project=" & ".join(name for name in people if name) or None,
        started_at=known_time(said_at, reading.now),
        place=place,
    )


def _text(turn: dict[str, Any]) -> str:
    said, caption = turn.get("text"), text_field(turn, "blip_caption")
    shown = [said if isinstance(said, str) else "", f"[shares {caption}]" if caption else ""]
    return "\n".join(part for part in shown if part)


def _moment(date: object) -> object:
    """Parse "1:56 pm on 8 May, 2023" as UTC; return anything else unchanged, for ``Clock`` to judge."""
    found = _DATE.fullmatch(date.strip().lower()) if isinstance(date, str) else None
    written = parse_time(f"{found[2]} {found[3]} {found[1]}") if found else None
    moment = moment_of(written, DateOrder.DAY_FIRST) if written else None
    return moment.replace(tzinfo=UTC) if moment else date
