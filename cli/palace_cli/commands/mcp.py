"""``palace mcp``: the memory for a program that speaks the Model Context Protocol."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from palace.errors import BadRequest, PalaceError
from palace.models.intake import name
from palace.telemetry.logs import write_log
from palace_cli import completion, diagnostics, options, output
from palace_cli.opening import libraries_at_hand, opened_by, settings_of
from palace_cli.options import choice, flag, option

if TYPE_CHECKING:
    from palace_mcp.server import Memory
    from palace_mcp.wire import Wire

PORT = 8797
LIBRARIES = {"mcp", "mcp_types", "anyio", "starlette", "uvicorn"}
PROJECT = "CLAUDE_PROJECT_DIR"
"""The variable by which Claude Code says where it works to the servers that it starts."""
ONE_WING = "Look at this wing and nothing else, by name or number."
PROFILES = ("default", "readonly", "full", "chatgpt")
TOOLS = "Which tools: recall, show, remember and forget; the first two; more; or those that ChatGPT asks for."


def mcp(
    *,
    profile: str = choice("--profile", TOOLS, *PROFILES, default="default"),
    wing: str | None = option("--wing", ONE_WING, "NAME", completes=completion.places(1)),
    agent: options.AgentName = None,
    http: bool = flag("--http", "Serve HTTP on 127.0.0.1 instead of standard input and output."),
    port: int | None = option("--port", f"The port of --http; {PORT} unless given.", "N", min=0, max=65535),
    no_token: bool = flag("--no-token", "Let in whoever is on this machine, without the token of --http."),
    show_token: bool = flag("--show-token", "Print the token that clients of --http send, and end."),
    timeout: float = option(
        "--timeout", "How long one call of a tool may take.", "SECONDS", default=30.0, min=1, max=3600
    ),
    log_level: options.LogLevel = "warning",
    log_json: options.LogJson = False,
    user: options.User = None,
) -> None:
    """Serve this memory to a program, over the Model Context Protocol.

    The program starts it and talks with it over standard input and output, until it closes these; with --http it
    serves all programs of this machine that send its token (PALACE_MCP_TOKEN, else one is made). The palace opens
    with the first call of a tool. The log, on standard error, has no word of any message. `palace connect` writes it
    into the configuration of clients that it knows.

    \b
    claude mcp add palace -- palace mcp
    palace mcp --profile readonly --wing "Efoil rebuild"
    palace mcp --http --port 8797
    """
    options.exclusive(("--no-token", no_token), ("--show-token", show_token))
    for each, is_given in (("--port", port is not None), ("--no-token", no_token)):
        if is_given and not http:
            raise BadRequest(f"{each} is for --http: give that too")
    named = {each: name(each, value) for each, value in (("--wing", wing), ("--agent", agent))}
    if show_token:
        output.write_line(_token(user))
        return
    wire = None if http else _taken()
    write_log(log_level, as_json=log_json)
    with libraries_at_hand("palace mcp needs the protocol's library", "mcp", LIBRARIES):
        folder = _folder(is_started_there=wire is not None)
        memory = _memory(user, folder, profile=profile, wing=named["--wing"], agent=named["--agent"], seconds=timeout)
        if wire is not None:
            memory.serve_streams(wire)
            return
        token = None if no_token else _token(user)
        who = "anybody here is let in" if no_token else "clients send the token that `palace mcp --show-token` prints"
        memory.serve_http(
            PORT if port is None else port, token, lambda address: diagnostics.remark(f"serving {address}: {who}")
        )


def _taken() -> Wire:
    """Take standard input and output for the protocol, before anything else can write there."""
    from palace_mcp.wire import Wire

    if sys.stdin.isatty():
        diagnostics.remark("this speaks the Model Context Protocol with the program that starts it; Ctrl-D ends it")
    try:
        return Wire.taken()
    except OSError as problem:
        raise PalaceError(f"standard input and output cannot be used: {problem.strerror}") from problem


def _folder(*, is_started_there: bool) -> str | None:
    """Return the folder that the client works in: the one it names, else the one it started this in."""
    from palace.config.checkout import is_workplace

    told = os.environ.get(PROJECT)
    if told or not is_started_there:
        return told or None
    try:
        here = str(Path.cwd())
    except OSError:
        return None
    return here if is_workplace(here) else None


def _memory(
    user: str | None, folder: str | None, *, profile: str, wing: str | None, agent: str | None, seconds: float
) -> Memory:
    from palace_mcp.calling import Opening
    from palace_mcp.server import Memory
    from palace_mcp.tools.tool import Bounds

    settings = settings_of(user)
    bounds = Bounds(settings.zone, wing=wing, folder=folder, agent=agent)
    opening = Opening(lambda: opened_by(settings, user, embeds_at_once=True))
    return Memory.of(opening, bounds, profile=profile, seconds=seconds)


def _token(user: str | None) -> str:
    from palace_mcp.http.token import VARIABLE, token_of

    return token_of(settings_of(user).home_folder, os.environ.get(VARIABLE))
