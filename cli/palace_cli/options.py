"""Options that several commands share, and the parsing of their values."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Annotated, Any

import typer

from palace.errors import BadRequest
from palace.models.intake import aware
from palace.nlp.pointers import is_closet
from palace_cli import completion, output
from palace_cli.clock import zone_as_set
from palace_cli.completion import Completer


def option(
    flags: str,
    help: str,
    metavar: str | None = None,
    *,
    default: Any = None,
    completes: Completer | None = None,
    **limits: Any,
) -> Any:
    """Declare an option: its comma-separated flags, help text, placeholder, and completion."""
    return typer.Option(default, *flags.split(","), metavar=metavar, help=help, autocompletion=completes, **limits)


def flag(flags: str, help: str) -> Any:
    """Declare a boolean option."""
    return option(flags, help, default=False)


def choice(flags: str, help: str, *words: str, metavar: str | None = None, default: Any = None) -> Any:
    """Declare an option that takes one of a few words; any other raises ``BadRequest``."""

    def read(word: str | None) -> str | None:
        if word is not None and word not in words:
            raise BadRequest(f"{flags} is one of {', '.join(words)}, not {word!r}")
        return word

    takes, completes = metavar or "|".join(words), completion.words(*words)
    return option(flags, help, takes, default=default, completes=completes, parser=read)


def since(flags: str, help: str) -> Any:
    """Declare an option that takes a date or time and means its first moment (see ``moment``)."""
    return option(flags, help, "WHEN", parser=partial(moment, flags))


def until(flags: str, help: str) -> Any:
    """Declare an option that takes a date or time and means its last moment (see ``last_moment``)."""
    return option(flags, help, "WHEN", parser=partial(last_moment, flags))


def argument(metavar: str, help: str, *, default: Any = ..., completes: Completer | None = None, **limits: Any) -> Any:
    """Declare an argument: its placeholder, help text and completion; required without a default."""
    return typer.Argument(default, metavar=metavar, help=help, autocompletion=completes, **limits)


WHOSE = "Whose palace; the operating-system user unless PALACE_USER says otherwise."
User = Annotated[str | None, option("--user", WHOSE, "NAME", default=...)]
MADE = "Make the user that --user or PALACE_USER names, if there is none yet."
NewUser = Annotated[bool, option("--new-user", MADE, default=...)]
Json = Annotated[bool, option("--json", "Print one JSON document instead of text for people.", default=...)]
BY_NAME = "The wing, by name or number (W-001)."
Wing = Annotated[str | None, option("--wing", BY_NAME, "NAME", default=..., completes=completion.places(1))]
WHOM = 'Whom or what, by any name: "Derek", "Austin (place)", or "I" for yourself.'
Entity = Annotated[str, argument("ENTITY", WHOM, completes=completion.known("ENTITY"))]
HOLDS = "The agent whose settings hold: `palace settings`."
AgentName = Annotated[str | None, option("--agent", HOLDS, "AGENT", default=..., completes=completion.known("AGENT"))]
LEAST = "The least that is logged: debug, info, warning or error."
LEVELS = ("debug", "info", "warning", "error")
LogLevel = Annotated[str, choice("--log-level", LEAST, *LEVELS, metavar="LEVEL", default=...)]
LogJson = Annotated[bool, option("--log-json", "Log one JSON object a line.", default=...)]
LONGEST_TOLD = 60
"""Characters of a time in words, at most."""

_FIGURES = re.compile(r"\d\s*[./-]\s*\d")
_STRETCH = re.compile(r"(?:\d+|an?|one|two|three|four|five|six) (?:minute|hour|day|week|month|year)s?", re.IGNORECASE)

Yes = Annotated[bool, option("--yes,-y", "Do not ask.", default=...)]
BESIDE = "Show so many drawers before and after as well."
Context = Annotated[int, option("--context", BESIDE, "N", default=..., min=0, max=100)]
QUIET = "Leave out all but results, warnings and errors."
Quiet = Annotated[bool, option("--quiet,-q", QUIET, default=...)]
NoPager = Annotated[bool, option("--no-pager", "Write long output at once, at a terminal too.", default=...)]
OF_ALL_COMMANDS = ("--quiet", "-q", "--no-pager")
"""Options that stand before the command."""


def moment(option: str, text: str | None) -> datetime | None:
    """Parse a date or time, in ISO 8601 or in words ("yesterday", "2 weeks ago"), to its first moment.

    Without an offset it is in the person's time zone. None stays None.

    Raises:
        BadRequest: the text is neither; the message names the option and shows an example.
    """
    return _read(option, text, last=False)


def last_moment(option: str, text: str | None) -> datetime | None:
    """Parse a date or time like ``moment``, but to the last moment of a date, day or week, which is thus included."""
    return _read(option, text, last=True)


def help_when_alone(context: typer.Context) -> None:
    """Show a group's help when no subcommand is given."""
    if context.invoked_subcommand is None:
        output.write_line(context.get_help())


def is_alone(context: typer.Context) -> bool:
    """Return whether a command with subcommands is called without one.

    Raises:
        BadRequest: it has one, and an option before it that belongs after it.
    """
    if context.invoked_subcommand is None:
        return True
    sources = ((each, context.get_parameter_source(each.name)) for each in context.command.params if each.name)
    given = [
        each.opts[0]
        for each, source in sources
        if source is not None and source.name == "COMMANDLINE" and each.opts[0] not in OF_ALL_COMMANDS
    ]
    if given:
        command = f"{context.command_path} {context.invoked_subcommand}"
        raise BadRequest(f"{given[0]} stands behind the command that it is for: {command} {given[0]}")
    return False


def exclusive(*choices: tuple[str, bool]) -> None:
    """Refuse options that contradict each other.

    Raises:
        BadRequest: more than one of the named choices is made.
    """
    made = [name for name, chosen in choices if chosen]
    if len(made) > 1:
        raise BadRequest(f"{' and '.join(made)} exclude each other: give one of them")


def refuse_closet(place: str) -> None:
    """Refuse a pointer to a closet.

    Raises:
        BadRequest: it is one.
    """
    if is_closet(place):
        room = place.strip().rpartition("/")[0]
        raise BadRequest(f"a closet has a name and no number: `palace ls '{room}'` lists those of the room")


def _read(option: str, text: str | None, *, last: bool) -> datetime | None:
    if text is None:
        return None
    try:
        day = _find_date(text)
        if day is not None:
            return aware(datetime.combine(day, time.max if last else time.min), zone_as_set())
        return aware(_find_time(text, last=last) or datetime.fromisoformat(text), zone_as_set())
    except (ValueError, OverflowError) as problem:
        examples = '2026-04-30, 2026-04-30T18:20, 2026-04-30T18:20+02:00, yesterday or "2 weeks ago"'
        raise BadRequest(f"{option} {text!r} is not a date; write {examples}") from problem


def _find_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _find_time(text: str, *, last: bool) -> datetime | None:
    """Return the time that a text in words means; None if it means none or several, or is ambiguous in figures."""
    told = " ".join(text.split())
    if len(told) > LONGEST_TOLD or _FIGURES.search(told):
        return None
    from palace.nlp.time import find_times

    now = datetime.now(zone_as_set())
    if told.lower() == "now":
        return now
    if _STRETCH.fullmatch(told):
        told += " ago"
    found = find_times(told, now)
    if len(found) != 1 or (found[0].span.start, found[0].span.end) != (0, len(told)):
        return None
    # Windows are half-open; a time within a day ("5 hours ago") means its first moment in both cases.
    window = found[0]
    is_short = window.end - window.start < timedelta(days=1)
    return window.end - timedelta(microseconds=1) if last and not is_short else window.start
