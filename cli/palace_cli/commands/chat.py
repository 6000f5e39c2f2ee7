"""``palace chat``: talk with a model that remembers."""

from __future__ import annotations

import logging
import signal

import typer

from palace.errors import PalaceError
from palace_cli import completion, diagnostics, options, output
from palace_cli.chat.screen import Lines, Screen
from palace_cli.chat.session import NO_MODEL, ChatSession, Wanted, begin, ends_program, handling
from palace_cli.chat.slash import Slash, spoken
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import open_palace
from palace_cli.options import option


def chat(
    *,
    model: str | None = option("--model", "The model, as litellm names it: openai/gpt-4o-mini, ollama_chat/…", "MODEL"),
    api_base: str | None = option("--api-base", "Where it runs: http://localhost:11434 for Ollama.", "URL"),
    session: str | None = option(
        "--session", "Go on with this talk; a new one unless given.", "NAME", completes=completion.known("SESSION")
    ),
    agent: str | None = option(
        "--agent", "Who replies: as this agent's settings say.", "AGENT", completes=completion.known("AGENT")
    ),
    system: str | None = option("--system", "What the model is told to be.", "TEXT"),
    working_memory: str | None = option(
        "--working-memory",
        "What of a long talk is sent with each message; token_window unless set.",
        "none|buffer_window|token_window",
    ),
    user: options.User = None,
    as_json: options.Json = False,
) -> None:
    """Talk with a language model that remembers.

    Before each reply you see what was recalled, and why; what is said is filed. /why tells all of it, /forget
    takes something out, /help lists the rest. Ctrl-C stops a reply, Ctrl-D ends the talk. Without a model it shows what
    memory would put in. In a pipe a line is a message; with --json each answer is a JSON document on a line.

    \b
    palace settings set chat_model openai/gpt-4o-mini
    echo "which battery wiring overheated?" | palace chat
    """
    # What fails is told where it happens, in words: the log of turns is for programs.
    logging.getLogger("palace.turns").addHandler(logging.NullHandler())
    # A talk has the terminal for itself.
    output.want_pager(False)
    wanted = Wanted(model, api_base, session, agent, system, working_memory)
    with open_palace(user, embeds_at_once=True) as palace:
        chat_session = begin(palace, wanted, Screen(is_json=as_json))
        with handling(signal.default_int_handler):
            _run(chat_session, Lines())
            _end(chat_session)
    if chat_session.has_failed:
        raise typer.Exit(ExitCode.INCOMPLETE)


def _run(chat_session: ChatSession, lines: Lines) -> None:
    slash = Slash(chat_session, lines)
    if chat_session.model is None:
        chat_session.screen.warn(NO_MODEL)
    elif lines.is_terminal:
        began = f"{chat_session.model.model}, session {chat_session.session}"
        earlier = f", {len(chat_session.history):,} messages were said before" if chat_session.history else ""
        chat_session.screen.dim(f"{began}{earlier}; /help lists what there is")
    is_on = True
    while is_on:
        try:
            is_on = _take(slash, lines)
        except KeyboardInterrupt as stop:
            if ends_program(stop):
                raise
            chat_session.screen.end_reply()
            chat_session.screen.dim("Ctrl-D or /quit ends the talk")


def _take(slash: Slash, lines: Lines) -> bool:
    for message in lines.messages():
        if not slash.takes(message):
            _say(slash.chat, spoken(message))
        elif not slash.do(message):
            return False
    return False


def _say(chat_session: ChatSession, message: str) -> None:
    answered = chat_session.say(message)
    if chat_session.screen.is_json:
        output.write_json(answered, indent=None)
    elif chat_session.model is None and answered.block:
        output.write_verbatim(f"{answered.block}\n")


def _end(chat_session: ChatSession) -> None:
    """End the session: what was said is embedded and sorted now, not when somebody asks for it."""
    if chat_session.model is None or not chat_session.said:
        return
    try:
        ended = chat_session.palace.turns.end(chat_session.session)
    except PalaceError as problem:
        diagnostics.report(problem, as_json=chat_session.screen.is_json)
        return
    diagnostics.warn(ended.warnings)
    if ended.waiting:
        chat_session.screen.warn(f"{ended.waiting} exchanges wait to be filed: palace outbox list")
