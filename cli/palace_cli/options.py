"""Options that several commands share, and what their text means."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Annotated

import typer

from palace.errors import BadRequest
from palace_cli import output
from palace_cli.clock import zone_as_set

User = Annotated[
    str | None,
    typer.Option(
        "--user",
        metavar="NAME",
        help="Whose palace; the operating-system user unless PALACE_USER says otherwise.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text for people.")]
Wing = Annotated[str | None, typer.Option("--wing", metavar="NAME", help="The wing, by name or number (W-001).")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Context = Annotated[
    int, typer.Option("--context", metavar="N", min=0, help="Show so many drawers before and after as well.")
]


def moment(option: str, text: str | None) -> datetime | None:
    """Read an ISO 8601 date or moment; without an offset it is meant in the person's time zone.

    A date alone is its first instant. None stays None.

    Raises:
        BadRequest: the text is neither; the message names the option and shows an example.
    """
    return _read(option, text, time.min)


def last_moment(option: str, text: str | None) -> datetime | None:
    """Read a moment like ``moment``; a date alone is its last instant, so that the day itself is included."""
    return _read(option, text, time.max)


def help_when_alone(context: typer.Context) -> None:
    """Show a group's help when none of its commands is named."""
    if context.invoked_subcommand is None:
        output.write_line(context.get_help())


def exclusive(*choices: tuple[str, bool]) -> None:
    """Refuse options that contradict each other.

    Raises:
        BadRequest: more than one of the named choices is made.
    """
    made = [name for name, chosen in choices if chosen]
    if len(made) > 1:
        raise BadRequest(f"{' and '.join(made)} exclude each other: give one of them")


def _read(option: str, text: str | None, time_of_a_date: time) -> datetime | None:
    if text is None:
        return None
    try:
        day = _find_date(text)
        when = datetime.combine(day, time_of_a_date) if day else datetime.fromisoformat(text)
        return when if when.tzinfo else _in_calendar(when.replace(tzinfo=zone_as_set()))
    except (ValueError, OverflowError) as problem:
        examples = "2026-04-30, 2026-04-30T18:20 or 2026-04-30T18:20+02:00"
        raise BadRequest(f"{option} {text!r} is not a date; write {examples}") from problem


def _in_calendar(when: datetime) -> datetime:
    """Give a moment back that exists in UTC as well.

    Raises:
        OverflowError: it does not, in the year 1 or 9999.
    """
    when.astimezone(UTC)
    return when


def _find_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
