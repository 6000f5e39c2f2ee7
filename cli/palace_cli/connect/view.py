"""How clients and what was done to their configurations are shown."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from palace_cli.connect.states import ClientState, ConfigChange, Connection, FileState, Level, Sessions
from palace_cli.render.figures import count, moment, size
from palace_cli.render.layout import cell, named_values, table
from palace_cli.render.visible import one_line, visible
from palace_cli.styles import ASIDE, GOOD, HEADING, PROBLEM

WHOLE = "if none is mined yet"
"""What an estimate is of: which of them were mined, the palace knows alone, and it is not asked for a list."""
ALL = "mining all of it"
"""The same above a column of estimates."""
_STYLES = {"+++": HEADING, "---": HEADING, "+": GOOD, "-": PROBLEM}


def states_view(states: Sequence[ClientState]) -> RenderableType:
    """Show a line for each client that is there, and name the others."""
    shown = table("client", "connected", "sessions", "size", "last", ALL, elastic=("connected", ALL))
    others = [state.client for state in states if not _matters(state)]
    for state in filter(_matters, states):
        kept = state.sessions
        name = state.client if state.level is Level.USER else f"{state.client} (project)"
        counted = (f"{kept.sessions:,}", size(kept.size_bytes), moment(kept.newest_at)) if kept else ("", "", "")
        shown.add_row(name, cell(standing(state)), *counted, cell(estimate(kept) if kept else ""))
    named = Text(f"not found here: {', '.join(others)}", style=ASIDE)
    return Group(*([shown] if len(others) < len(states) else []), *([named] if others else []))


def standing(state: ClientState) -> str:
    """Say in a few words what is connected, and what is wrong with it."""
    if state.problem:
        return state.problem
    parts = ["server"] if state.server else []
    if state.hooks:
        parts.append(
            count(len(state.hooks), "hook") + (f" of {len(state.hooks + state.lacking)}" if state.lacking else "")
        )
    missing = "" if state.is_runnable else f"; {state.program} cannot be run"
    return (", ".join(parts) or "no") + missing


def estimate(kept: Sessions) -> str:
    """Write what mining all of it would come to: "about 1,200 drawers, 2 minutes"."""
    if kept.drawers is None or kept.minutes is None:
        return "no message could be read in those that were looked at"
    rounded = round(kept.drawers, -max(len(str(kept.drawers)) - 2, 0))
    return f"about {count(rounded, 'drawer')}, {count(max(math.ceil(kept.minutes), 1), 'minute')}"


def sessions_line(kept: Sessions) -> str:
    """Say what lies there, since when and how much it is."""
    where = ", ".join(kept.folders[:3]) + (" and others" if len(kept.folders) > 3 else "")
    since = moment(kept.oldest_at)[:10], moment(kept.newest_at)[:10]
    held = f"{count(kept.sessions, 'session')} of {since[0]} to {since[1]}, {size(kept.size_bytes)}"
    return f"{held}, in {where}: {estimate(kept)}{f', {WHOLE}' if kept.drawers is not None else ''}"


def changes_view(changes: Sequence[ConfigChange]) -> Group:
    return Group(*(line for change in changes for line in _difference(change)))


def connection_view(connection: Connection) -> RenderableType:
    rows = [("written" if each.state is FileState.NEW else each.state.value, each.file) for each in connection.files]
    mined = connection.mined
    read = f"{count(mined.drawers_new, 'drawer')} new, {mined.drawers_unchanged:,} unchanged" if mined else ""
    return named_values([*rows, ("mined", read), *(("note", one_line(each)) for each in connection.notices)])


def _difference(change: ConfigChange) -> list[Text]:
    if change.state is FileState.UNCHANGED:
        return [Text(f"{one_line(change.file)}: nothing to change", style=ASIDE)]
    return [_coloured(visible(line)) for line in change.difference.split("\n")]


def _coloured(line: str) -> Text:
    return Text(line, style=next((style for sign, style in _STYLES.items() if line.startswith(sign)), ""))


def _matters(state: ClientState) -> bool:
    return bool(state.is_found or state.server or state.hooks or state.problem or state.sessions)
