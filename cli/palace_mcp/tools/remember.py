"""The tool ``remember``: file one statement."""

from __future__ import annotations

import hashlib
from datetime import datetime, tzinfo

from palace.errors import BadRequest, NotFound
from palace_mcp.arguments import Argument, Kind
from palace_mcp.tools.tool import COUNT, TEXT, Answer, Called, Tool, one_line

LONGEST_TEXT = 50_000
"""Characters of a statement, at most; whole files are to be mined instead."""


def remember(call: Called) -> Answer:
    """File a note; the same text for the same wing and day is filed once, however often a host calls.

    Raises:
        BadRequest: it is longer than a statement, or empty.
    """
    text, said_at = call.given["text"], call.given["said_at"]
    if len(text) > LONGEST_TEXT:
        told = f"text has {len(text):,} characters, more than the {LONGEST_TEXT:,} of a statement"
        raise BadRequest(f"{told}: whole texts are filed with `palace mine`")
    is_bound, wing = not call.bounds.is_whole, call.home()
    place = (
        ""
        if is_bound or call.given["wing"]
        else " of this folder's project"
        if wing
        else ", as no project was told: wing names another"
    )
    with call.confined(f"wing {wing}"):
        name = _name(text, wing, said_at, call.bounds.zone)
        drawer = call.palace.note(text, wing=wing, said_at=said_at, id=name)
    removed = sum(number for _, number in drawer.redacted)
    pointer, called = str(drawer.pointer), one_line(drawer.wing_name)
    told = f"Remembered as {pointer} in the wing {called!r}{place}."
    if is_bound and not _may_show(call, pointer):
        # It was filed before, and its room was moved to another wing since.
        pointer, called, told = "", one_line(str(wing)), "Remembered already."
    if removed:
        told += f" Secrets taken out of it: {removed}."
    return Answer.of(one_line(told), pointer=pointer, wing=called, secrets_removed=removed)


def _may_show(call: Called, pointer: str) -> bool:
    try:
        return bool(call.show(pointer))
    except NotFound:
        return False


def _name(text: str, wing: str | None, said_at: datetime | None, zone: tzinfo) -> str:
    """Return an id for a note from text, wing and day, so that a repeated call files nothing new."""
    day = said_at.isoformat() if said_at else datetime.now(zone).date().isoformat()
    made_of = "\0".join((text, wing or "", day)).encode("utf-8", "surrogatepass")
    return f"mcp-{hashlib.blake2b(made_of, digest_size=16).hexdigest()}"


TOOL = Tool(
    name="remember",
    description=(
        "Keep one lasting fact, preference, decision or instruction of the person's, in a sentence that stands alone "
        "(names instead of pronouns, dates instead of 'tomorrow'). Call it when they say one or ask you to remember."
    ),
    arguments=(
        Argument("text", "The statement.", is_required=True),
        Argument("wing", "Its subject: a person, project or topic."),
        Argument("said_at", "When, if not now (2026-04-30).", Kind.FIRST),
    ),
    answers={"text": TEXT, "pointer": TEXT, "wing": TEXT, "secrets_removed": COUNT},
    run=remember,
    is_read_only=False,
)
