"""Options that several commands share, and what their text means."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Annotated, Any

import typer

from palace.errors import BadRequest
from palace.models.intake import aware
from palace.nlp.pointers import is_closet
from palace_cli import completion, diagnostics, output
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
    """Declare an option: its flags, separated by commas, what it is for, what it takes, and what that completes to."""
    return typer.Option(default, *flags.split(","), metavar=metavar, help=help, autocompletion=completes, **limits)


def flag(flags: str, help: str) -> Any:
    """Declare an option that is given or not."""
    return option(flags, help, default=False)


def choice(flags: str, help: str, *words: str, metavar: str | None = None, default: Any = None) -> Any:
    """Declare an option that takes one of a few words; another is refused with a ``BadRequest``."""

    def read(word: str | None) -> str | None:
        if word is not None and word not in words:
            raise BadRequest(f"{flags} is one of {', '.join(words)}, not {word!r}")
        return word

    takes, completes = metavar or "|".join(words), completion.words(*words)
    return option(flags, help, takes, default=default, completes=completes, parser=read)


def since(flags: str, help: str) -> Any:
    """Declare an option that takes a date or moment, its first instant: ``moment``."""
    return option(flags, help, "WHEN", parser=partial(moment, flags))


def until(flags: str, help: str) -> Any:
    """Declare an option that takes a date or moment, its last instant: ``last_moment``."""
    return option(flags, help, "WHEN", parser=partial(last_moment, flags))


def argument(metavar: str, help: str, *, default: Any = ..., completes: Completer | None = None, **limits: Any) -> Any:
    """Declare an argument: what it is called, what it is for, and what it completes to; required without a default."""
    return typer.Argument(default, metavar=metavar, help=help, autocompletion=completes, **limits)


WHOSE = "Whose palace; the operating-system user unless PALACE_USER says otherwise."
User = Annotated[str | None, option("--user", WHOSE, "NAME", default=...)]
MADE = "Make the user that --user or PALACE_USER names, if there is none yet."
NewUser = Annotated[bool, option("--new-user", MADE, default=...)]
Json = Annotated[bool, option("--json", "Print one JSON document instead of text for people.", default=...)]
BY_NAME = "The wing, by name or number (W-001)."
Wing = Annotated[str | None, option("--wing", BY_NAME, "NAME", default=..., completes=completion.places(1))]
WHOM = 'Whom or what, by any name: "efoil", "Austin (place)", or "I" for yourself.'
Entity = Annotated[str, argument("ENTITY", WHOM, completes=completion.known("ENTITY"))]
HOLDS = "The agent whose settings hold: `palace settings`."
AgentName = Annotated[str | None, option("--agent", HOLDS, "AGENT", default=..., completes=completion.known("AGENT"))]
LEAST = "The least that is logged: debug, info, warning or error."
LEVELS = ("debug", "info", "warning", "error")
LogLevel = Annotated[str, choice("--log-level", LEAST, *LEVELS, metavar="LEVEL", default=...)]
LogJson = Annotated[bool, option("--log-json", "Log one JSON object a line.", default=...)]
LONGEST_TOLD = 60
"""Characters of a moment that is told in words."""

_FIGURES = re.compile(r"\d\s*[./-]\s*\d")
_STRETCH = re.compile(r"(?:\d+|an?|one|two|three|four|five|six) (?:minute|hour|day|week|month|year)s?", re.IGNORECASE)

Yes = Annotated[bool, option("--yes,-y", "Do not ask.", default=...)]
BESIDE = "Show so many drawers before and after as well."
Context = Annotated[int, option("--context", BESIDE, "N", default=..., min=0, max=100)]
QUIET = "Leave out all but results, warnings and errors."
Quiet = Annotated[bool, option("--quiet,-q", QUIET, default=...)]
NoPager = Annotated[bool, option("--no-pager", "Write long output at once, at a terminal too.", default=...)]
_OF_ALL_COMMANDS = {"quiet", "no_pager"}


def moment(option: str, text: str | None) -> datetime | None:
    """Read a date or moment, ISO 8601 or as told ("yesterday", "2 weeks ago"), its first instant.

    Without an offset it is meant in the person's time zone. None stays None.

    Raises:
        BadRequest: the text is neither; the message names the option and shows an example.
    """
    return _read(option, text, last=False)


def last_moment(option: str, text: str | None) -> datetime | None:
    """Read a moment like ``moment``; of a date, or a day or week as told, its last instant: the day is included."""
    return _read(option, text, last=True)


def help_when_alone(context: typer.Context) -> None:
    """Show a group's help when none of its commands is named."""
    if context.invoked_subcommand is None:
        output.write_line(context.get_help())


def heed(*, quiet: bool, no_pager: bool) -> None:
    """Do as the options say that stand before any command."""
    diagnostics.set_quiet(quiet)
    output.want_pager(not no_pager)


def is_alone(context: typer.Context) -> bool:
    """Tell whether a command that has commands in it is called by itself.

    Raises:
        BadRequest: it is not, and an option of its own stands in front of the command in it, which has its own.
    """
    if context.invoked_subcommand is None:
        return True
    sources = ((each, context.get_parameter_source(each.name)) for each in context.command.params if each.name)
    given = [
        each.opts[0]
        for each, source in sources
        if source is not None and source.name == "COMMANDLINE" and each.name not in _OF_ALL_COMMANDS
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
    """Refuse what is written as a pointer to a closet.

    Raises:
        BadRequest: it is.
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
        return aware(_find_told(text, last=last) or datetime.fromisoformat(text), zone_as_set())
    except (ValueError, OverflowError) as problem:
        examples = '2026-04-30, 2026-04-30T18:20, 2026-04-30T18:20+02:00, yesterday or "2 weeks ago"'
        raise BadRequest(f"{option} {text!r} is not a date; write {examples}") from problem


def _find_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _find_told(text: str, *, last: bool) -> datetime | None:
    """Find the one time that a text speaks of and nothing else; figures, whose order is not sure, are no such text."""
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
    # Windows are half-open, and what is told by the hour ("5 hours ago") is meant from its beginning.
    window = found[0]
    is_short = window.end - window.start < timedelta(days=1)
    return window.end - timedelta(microseconds=1) if last and not is_short else window.start
