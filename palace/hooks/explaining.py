"""Explain how a hook answers a prompt, step by step. Nothing is stored."""

from __future__ import annotations

import json
import os
from pathlib import Path

from palace.config.checkout import written_out
from palace.db.tree import list_wings
from palace.errors import BadRequest
from palace.hooks import recalling
from palace.hooks.answering import why_not
from palace.hooks.hand_over import CachedPalace, look_up
from palace.hooks.recalling import PromptRecall, written_of
from palace.hooks.relevance import relevance, told_apart
from palace.hooks.sessions import Session
from palace.hooks.tool_use import ToolUse
from palace.models import Hit, HookHit, HookReason, ProjectScope, intake
from palace.opened import OpenPalace
from palace.operations.projects import project_scope
from palace_hook.events import NAMES, PROMPT, read_event

SHOWN = 120
"""Characters of a drawer that are shown."""


def explain_hook(opened: OpenPalace, prompt: str, folder: str | os.PathLike[str], agent: str) -> HookReason:
    """Return the answer to a prompt as in a new session, with the reasons for it.

    Raises:
        BadRequest: there is no such agent, or an argument is of a wrong type; others where recall failed.
    """
    prompt, at = intake.text("prompt", prompt), written_out(intake.text("folder", os.fspath(folder)))
    if agent not in NAMES:
        raise BadRequest(f"agent must be one of {', '.join(NAMES)}, not {agent!r}")
    where, (effective, basis) = project_scope(opened, at), opened.effective_and_basis(agent)
    allowed = {*where.wing_ids}
    wings = tuple(wing.name for wing in opened.run(list_wings) if wing.id in allowed)
    silent = _silent_before(prompt, where, agent, is_enabled=effective.enabled and opened.settings.hooks)
    if silent:
        return HookReason(prompt, where.key, wings, "", "", "", None, (), silent, "")
    event = read_event(json.dumps({"prompt": prompt}), event=PROMPT, harness=agent)
    recalled = recalling.look_up(opened, event, Session(at), where, effective, basis)
    block = written_of(opened, recalled, effective).block
    kept = {hit.drawer.id for hit in recalled.kept[: recalled.wanted]}
    return HookReason(
        prompt,
        where.key,
        wings,
        recalled.decision.rule,
        recalled.decision.reason,
        recalled.kind.value,
        recalled.least if recalled.is_searched else None,
        tuple(_shown(hit, recalled, is_kept=hit.drawer.id in kept) for hit in recalled.hits[: recalled.wanted]),
        "" if block else _silent_after(recalled),
        block,
    )


def explain_use(
    opened: OpenPalace,
    folder: str | os.PathLike[str],
    agent: str,
    file: str | os.PathLike[str] | None,
    command: str | None,
    error: str | None,
) -> HookReason:
    """Return what is handed over for a use of tools in a new session, and why; raises as ``explain_hook``."""
    at = written_out(intake.text("folder", os.fspath(folder)))
    path = None if file is None else os.path.normpath(Path(at, intake.text("file", os.fspath(file))))
    ran, met = intake.optional_text("command", command), intake.optional_text("error", error)
    use = ToolUse((path,) if path else (), ran or "", met or "")
    if agent not in NAMES:
        raise BadRequest(f"agent must be one of {', '.join(NAMES)}, not {agent!r}")
    if use.files and (use.command or use.error):
        raise BadRequest(
            "a tool edits a file or runs a command: ask about the file and the command one after the other"
        )
    found = look_up(CachedPalace(opened), use, agent, "", Session(at))
    allowed = {*found.where.wing_ids}
    wings = tuple(wing.name for wing in opened.run(list_wings) if wing.id in allowed)
    asked = " ".join(filter(None, (*use.files, use.command, use.error)))
    return HookReason(asked, found.where.key, wings, "", "", "", None, (), found.silent, found.block)


def _silent_before(prompt: str, where: ProjectScope, agent: str, *, is_enabled: bool) -> str:
    if not is_enabled:
        return f"memory is switched off for {agent}"
    if not where.key:
        return "no project lies in this folder"
    if not where.wing_ids:
        return "nothing was filed for this project yet, and no wing is listed for it"
    return why_not(prompt)


def _silent_after(recalled: PromptRecall) -> str:
    if not recalled.is_searched:
        return f"no recall: {recalled.decision.reason}"
    if not recalled.hits:
        return "nothing relevant was found"
    if not recalled.kept:
        best = max(relevance(hit, recalled.kind) for hit in recalled.hits)
        found, least = told_apart(best, recalled.least)
        return f"the best relevance found, {found}, is below the {least} that is required"
    return "what was found does not fit, or is written as nothing (`injection`, `injection_tokens`)"


def _shown(hit: Hit, recalled: PromptRecall, *, is_kept: bool) -> HookHit:
    part = hit.drawer.content[slice(*(hit.sentence or hit.passage))].strip()
    said = part if len(part) <= SHOWN else part[: SHOWN - 1] + "…"
    return HookHit(hit.drawer.pointer, said, hit.confidence, hit.coverage, relevance(hit, recalled.kind), is_kept)
